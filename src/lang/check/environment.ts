/**
 * What a source is compiled against: the stored modules it may import and the fields that standing rules conclude.
 * Given by the caller; the language reads no store by itself.
 */
import type { KindDeclaration } from "../../engine/claim";
import type { Rule } from "../../engine/rule";
import type { IrUnit, ScriptParams } from "../compile/ir";

export interface StoredModule {
  readonly name: string;
  /** Names this very compiled form; another text or another dependency gives another. */
  readonly form: string;
  readonly unit: IrUnit;
  readonly kinds: readonly KindDeclaration[];
  readonly scripts: ReadonlyMap<string, ScriptParams>;
  /** Modules its compiled form was bound to, by name → form: what its calls keep running. */
  readonly links: ReadonlyMap<string, string>;
}

export interface Environment {
  /** A stored module as it stands, or undefined. */
  module(name: string): StoredModule | undefined;
  /** Whether a standing rule or computed field of a stored module concludes this field (qualified or bare kind). */
  concluded(kind: string, field: string): boolean;
  /** A Kind of that qualified name holds data though no class declares it any longer (rulings, "Compiling again over data"). */
  isLeft(kind: string): boolean;
  /** A declared Kind by qualified name. */
  kind(name: string): KindDeclaration | undefined;
  /** Standing rules of every module but this one. */
  standingRules(except: string): readonly Rule[];
  /** Stored modules that declare a class of this bare name, in name order. */
  declarers(bareName: string): readonly string[];
}

/** A store without modules: for tests and for sources that import nothing. */
export const EMPTY_ENVIRONMENT: Environment = {
  module: () => undefined,
  concluded: () => false,
  isLeft: () => false,
  kind: () => undefined,
  declarers: () => [],
  standingRules: () => [],
};

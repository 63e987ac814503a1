/**
 * What a declaration asks of the resolver: the meaning of a bare or dotted name in a Kind slot.
 *
 * The resolver (src/lang/check) knows imports and the module's own classes (rulings, "What a bare name means");
 * declare/ only turns its answers into rule data.
 */
import type { Diagnostic } from "../../diagnostic";
import type { FieldType, KindDeclaration } from "../../engine/claim";
import type { Attribute, Name } from "../syntax/ast";

export interface KindNames {
  /** The module being compiled: qualifies what it declares. */
  readonly module: string;
  /**
   * The Kind a name stands for; `declaration` is null for a bare kind of the store. `problem`: no Kind, or several; null where
   * it rests on an import that was told of.
   */
  kind(
    expr: Name | Attribute,
  ): { readonly name: string; readonly declaration: KindDeclaration | null } | { readonly problem: Diagnostic | null };
  /**
   * A field of a Kind that no class declares but standing rules of other modules, or rules of this source, conclude
   * (rulings, "Fields that lost their rule"). Asked only for Kinds with a declaration.
   */
  concludedField(kind: string, field: string): boolean;
  /** The declared type of a field of any Kind, by qualified name; null where none is declared. */
  fieldType(kind: string, field: string): FieldType | null;
}

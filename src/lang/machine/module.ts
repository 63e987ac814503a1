/**
 * Stored modules in a running call. A module's body runs once per call, at the first import that reaches it; its
 * top-level names are the globals of its scripts. A caller keeps the very form it was compiled against, so an instance is
 * known by its form, not by its name.
 */
import { EngineError } from "../../failure";
import { absentModule } from "../check/teaching-names";
import type { IrUnit } from "../compile/ir";
import { raise } from "../value/exception";
import { PyModule, type Value } from "../value/value";
import { Builder } from "./builder";
import { MachineFunction } from "./function";
import { enter, type Frame, reenter } from "./vm";

/** A stored module's form, by which a call finds what to run. */
export interface LinkedModule {
  readonly name: string;
  readonly unit: IrUnit;
}
export type Link = (form: string) => LinkedModule | undefined;

/** An imported module as a value. */
export class StoredModuleValue extends PyModule {
  started = false;
  readonly body: MachineFunction;
  readonly globals: Frame;
  constructor(
    name: string,
    readonly builder: Builder,
  ) {
    super(name, new Map());
    const code = builder.code(0);
    this.globals = new Array(code.slots);
    this.globals[0] = this.globals;
    this.body = new MachineFunction(code, this.globals, [], []);
  }
  /** Its scripts; its variables are its own. */
  override member(name: string): Value | undefined {
    const { scripts } = this.builder.unit;
    return Object.hasOwn(scripts, name) ? (this.globals[scripts[name]!] as Value | undefined) : undefined;
  }
  script(name: string): Value {
    const v = this.member(name);
    if (v === undefined) raise("AttributeError", `module '${this.name}' has no attribute '${name}'`);
    return v;
  }
}

/** The imports of one call. */
export class Modules {
  readonly #instances = new Map<string, StoredModuleValue>();
  constructor(readonly link: Link) {}

  /** The frames of modules' variables. */
  frames(): Frame[] {
    return [...this.#instances.values()].map((m) => m.globals);
  }
  start(name: string, form: string): StoredModuleValue {
    let m = this.#instances.get(form);
    if (!m) {
      const linked = this.link(form);
      if (!linked) throw new EngineError(absentModule(name));
      this.#instances.set(form, (m = new StoredModuleValue(name, new Builder(linked.unit, name))));
    }
    return m;
  }
  /** Runs the body from its start. */
  run(m: StoredModuleValue): number {
    m.started = true;
    return enter(m.body, m.globals);
  }
  goOn(m: StoredModuleValue): number {
    return reenter(m.body, m.globals);
  }
  absent(name: string): string {
    return absentModule(name);
  }
}

/**
 * Makes closures of one compiled unit. Code is built when first wanted; the closures hold the counters
 * of their lines and registers, so a built unit serves one call.
 */
import { leafStatements } from "../compile/infer-leaf";
import { inferNumbers, type NumberType, sharedGlobals } from "../compile/infer-numbers";
import type { IrExpr, IrUnit } from "../compile/ir";
import { LibraryView } from "../library/library";
import { buildBlock } from "./build-block";
import { buildExpr } from "./build-expression";
import type { Code } from "./function";
import { Registers } from "./registers";
import type { At } from "./vm";

const NO_REGISTERS = new Registers([], 0);
const NONE: ReadonlySet<number> = new Set();

export class Builder {
  readonly #codes: (Code | null)[];
  readonly #ats = new Map<number, At>();
  /** Whether the code being built is the unit's top level: an unbound name there is a NameError. */
  top = true;
  /** The code being built, and its registers. */
  building: Code | null = null;
  registers = NO_REGISTERS;
  /** What is known of expressions (`build-number.ts`). */
  readonly numberTypes = new Map<IrExpr, NumberType | null>();
  readonly #shared: ReadonlySet<number>;
  /** The module's `__name__`. */
  readonly #named: string;
  readonly library: LibraryView;
  constructor(
    readonly unit: IrUnit,
    /** "" for a program submitted. */
    readonly module: string,
  ) {
    this.#codes = unit.codes.map(() => null);
    this.#shared = sharedGlobals(unit);
    this.#named = module === "" ? "__main__" : module;
    this.library = new LibraryView(this.#named);
  }

  code(c: number): Code {
    const made = this.#codes[c];
    if (made) return made;
    const ir = this.unit.codes[c]!;
    const p = ir.params;
    const numbers = inferNumbers(ir, c === 0 ? this.#shared : NONE);
    // A node takes a register for its result and one for each operand it converts.
    const registers = new Registers(numbers.types, 3 * numbers.expressions);
    const simple = p.vararg === null && p.kwarg === null && p.kwonly.length === 0;
    const leaf = leafStatements(ir);
    const code: Code = {
      ir,
      at: (line) => this.at(line),
      unsure: numbers.unsure,
      name: ir.name,
      qualname: ir.qualname ?? ir.name,
      module: this.#named,
      params: p,
      paramSlots: ir.paramSlots,
      cells: ir.cells,
      free: ir.free,
      slots: ir.slots,
      simple,
      direct: simple && ir.cells.length === 0 && ir.free.length === 0 ? ir.paramSlots.length : -1,
      leaf,
      leafFrame: leaf < 0 || numbers.unsure.includes(true) ? null : new Array(ir.slots),
      growths: new Map(),
      result: null,
      registers: numbers.types.some((t) => t !== null) ? registers : null,
      body: () => 0,
    };
    this.#codes[c] = code;
    // Closures are made when the code first runs: a call of one script of a large module pays for that one.
    code.body = (R) => {
      this.#build(code, c, registers);
      return code.body(R);
    };
    return code;
  }

  #build(code: Code, c: number, registers: Registers): void {
    const { ir } = code;
    const outer = { top: this.top, registers: this.registers, code: this.building };
    this.top = c === 0;
    this.registers = registers;
    this.building = code;
    code.body = buildBlock(this, ir.body);
    const first = ir.body.b[0];
    if (code.leaf >= 0 && first?.k === "return" && first.e !== null && first.line)
      code.result = { at: this.at(first.line), value: buildExpr(this, first.e) };
    this.top = outer.top;
    this.registers = outer.registers;
    this.building = outer.code;
  }

  at(line: number): At {
    let at = this.#ats.get(line);
    if (!at) {
      at = {
        line,
        module: this.module,
        count: 0,
        lastName: "",
        lastValue: null,
        lastNumber: Number.NaN,
        lastType: null,
        lastText: null,
        lastHeld: 0,
        lastOrder: 0,
      };
      this.#ats.set(line, at);
    }
    return at;
  }
}

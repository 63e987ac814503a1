/**
 * Programs at random, from a seed: the whole grammar of DKE Python and nothing outside it, so that CPython runs each too.
 *
 * Expressions grow from the forms of templates.ts by type, a few of them with a wrong type on purpose; statements grow
 * around them. What a loop assigns never reads what a later statement of the loop assigns, so values do not grow with the
 * rounds, and no function calls a later one: every program ends in a moment. A statement that may fail stands in a `try`
 * that prints what was raised, so that one program asks many questions; some are left bare, for uncaught exceptions.
 */
import { ATOMS, FORMS, type Kind, PERCENTS, SPECS } from "./templates";

const KINDS = Object.keys(FORMS) as Kind[];
/** Repeated by how much is known to go wrong with it. */
const ANY: readonly Kind[] = ["i", "i", "f", "b", "s", "s", "y", "c", "L", "M", "T", "D", "S", "U"];

export function generate(seed: number): string {
  return IMPORTS + new Generator(seed).program();
}
const IMPORTS = "import collections, functools, itertools, json, math, operator, re, statistics, string\n";

/** mulberry32. */
function random(seed: number): () => number {
  let a = (seed * 2654435761) >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

interface Variable {
  readonly name: string;
  readonly kind: Kind;
}
interface Def {
  readonly name: string;
  /** Ways to call it, as templates. */
  readonly calls: readonly string[];
}

class Generator {
  readonly #next: () => number;
  #variables: Variable[] = [];
  #defs: Def[] = [];
  #lines: string[] = [];
  #indent = 0;
  #names = 0;
  /** Names an enclosing loop walks: not changed in it. */
  #walked: string[] = [];
  #loops = 0;
  #inDef = false;

  constructor(readonly seed: number) {
    this.#next = random(seed);
  }

  program(): string {
    const n = 4 + this.#below(8);
    for (let i = 0; i < n; i++) this.#statement(2);
    return `${this.#lines.join("\n")}\n`;
  }

  // ---- chance -----------------------------------------------------------------------------------------------------
  #below(n: number): number {
    return Math.floor(this.#next() * n);
  }
  #pick<T>(from: readonly T[]): T {
    return from[this.#below(from.length)]!;
  }
  #chance(p: number): boolean {
    return this.#next() < p;
  }
  #fresh(): string {
    return `v${this.#names++}`;
  }

  // ---- expressions ------------------------------------------------------------------------------------------------
  /** An expression of a kind; `bound` names are ints it may use. */
  expr(kind: Kind, depth: number, bound: readonly string[] = []): string {
    let k = kind;
    if (this.#chance(0.03)) k = this.#pick(ANY);
    if (depth <= 0 || this.#chance(0.2)) return this.#atom(k, bound);
    const form = this.#pick(FORMS[k]);
    let name = "";
    const text = form.replace(/\$([a-zA-Z])/g, (whole, p: string, at: number) => {
      if (p === "v") {
        if (name === "") name = this.#fresh();
        return name;
      }
      if (p === "E") return this.#inner(depth - 1, [...bound, name === "" ? (name = this.#fresh()) : name]);
      if (p === "k" || p === "p" || p === "j") return this.#part(p, depth - 1, bound);
      const sub = /^f['"]/.test(form) ? this.#plain(p, depth - 1, bound) : this.#part(p, depth - 1, bound);
      // A sub-expression keeps its own shape unless the place asks for an operand that ends tightly.
      const after = form[at + whole.length];
      const tight = after === "." || after === "[" || form[at - 1] === "-" || form[at - 1] === "*" || form[at - 1] === "~";
      return wrap(sub, tight || this.#chance(0.6));
    });
    return text;
  }
  /** A sub-expression for an f-string of 3.11: no quotes and no backslash in it. */
  #plain(p: string, depth: number, bound: readonly string[]): string {
    for (let i = 0; i < 6; i++) {
      const text = this.#part(p, depth, bound);
      if (!/['"\\#\n]/.test(text)) return `(${text})`;
    }
    return "7";
  }
  /** `$E`: ints over the bound names. */
  #inner(depth: number, bound: readonly string[]): string {
    const b = this.#pick(bound);
    return this.#pick([
      `${b} + ${this.expr("i", Math.min(depth, 1), bound)}`,
      `${b} * 2`,
      b,
      `-${b}`,
      `${b} % 3`,
      `(${b} if ${b} else 1)`,
      `${b} // 2 - ${b}`,
    ]);
  }
  #part(p: string, depth: number, bound: readonly string[]): string {
    switch (p) {
      case "j":
        return this.#chance(0.9) ? String(this.#below(6)) : this.#pick(["-1", "8", "12", "True", "None"]);
      case "n":
        return this.expr(this.#pick(["i", "f", "b", "i", "f"] as const), depth, bound);
      case "x":
        return this.#chance(0.1)
          ? this.#pick(["None", "...", "int", "len", "ValueError('e', 1)", "range(3)", "KeyError('k')", "slice(1, None)"])
          : this.expr(this.#pick(ANY), depth, bound);
      case "h":
        return this.expr(this.#pick(["i", "f", "s", "b", "y"] as const), depth, bound);
      case "q":
        return this.expr(this.#pick(["s", "L", "M", "T", "y"] as const), depth, bound);
      case "k":
        return this.#pick(SPECS);
      case "p":
        return this.#pick(PERCENTS);
      default:
        return this.expr(p as Kind, depth, bound);
    }
  }
  #atom(kind: Kind, bound: readonly string[]): string {
    if (kind === "i" && bound.length > 0 && this.#chance(0.5)) return this.#pick(bound);
    const known = this.#variables.filter((v) => v.kind === kind);
    if (known.length > 0 && this.#chance(0.5)) return this.#pick(known).name;
    return this.#pick(ATOMS[kind]);
  }
  any(depth: number): string {
    if (this.#defs.length > 0 && this.#chance(0.15)) return this.#call(depth);
    return this.expr(this.#pick(ANY), depth);
  }
  #call(depth: number): string {
    const d = this.#pick(this.#defs);
    return this.#pick(d.calls).replace(/\$([a-zA-Z])/g, (_, p: string) => this.#argument(p, depth - 1));
  }

  #argument(p: string, depth: number): string {
    return wrap(this.#part(p, depth, []), true);
  }

  // ---- statements -------------------------------------------------------------------------------------------------
  #line(text: string): void {
    this.#lines.push("    ".repeat(this.#indent) + text);
  }
  /** A block; what it binds stays known only where `keep`. */
  #block(body: () => void, keep = false): void {
    const known = this.#variables;
    this.#variables = [...known];
    this.#indent++;
    const at = this.#lines.length;
    body();
    if (this.#lines.length === at) this.#line("pass");
    this.#indent--;
    if (!keep) this.#variables = known;
  }
  #guarded(body: () => void): void {
    this.#line("try:");
    this.#block(body, true);
    const e = this.#pick(["e", "err", "x"]);
    this.#line(`except Exception as ${e}:`);
    this.#block(() =>
      this.#line(this.#pick([`print(type(${e}).__name__, ${e})`, `print(repr(${e}), ${e}.args)`, `print(f'{type(${e})} {${e}!s}')`])),
    );
  }
  #bind(name: string, kind: Kind): void {
    this.#variables = this.#variables.filter((v) => v.name !== name);
    this.#variables.push({ name, kind });
  }

  #statement(depth: number): void {
    const r = this.#next();
    if (r < 0.3)
      this.#guarded(() =>
        this.#line(
          `print(${this.any(3)}${this.#chance(0.3) ? `, ${this.any(2)}` : ""}${this.#chance(0.05) ? ", sep='-', end='!\\n'" : ""})`,
        ),
      );
    else if (r < 0.36) this.#line(`print(${this.any(2)})`);
    else if (r < 0.5) this.#assign();
    else if (r < 0.57) this.#mutate();
    else if (depth <= 0) this.#line(this.#pick(["pass", "print('.')", `print(${this.expr("s", 1)})`]));
    else if (r < 0.64) this.#if(depth);
    else if (r < 0.73) this.#for(depth);
    else if (r < 0.82) this.#try(depth);
    else if (r < 0.88) this.#match(depth);
    else if (r < 0.97 && !this.#inDef && this.#loops === 0) this.#def(depth);
    else this.#odd();
  }

  #assign(): void {
    const kind = this.#pick(ANY);
    const name = this.#loops > 0 || this.#chance(0.7) || this.#variables.length === 0 ? this.#fresh() : this.#pick(this.#variables).name;
    if (this.#walked.includes(name)) return;
    const literal = this.#pick(ATOMS[kind]);
    const how = this.#next();
    if (how < 0.55) {
      this.#line(`${name} = ${literal}`);
      this.#bind(name, kind);
      this.#guarded(() => this.#line(`${name} = ${this.expr(kind, 2)}`));
    } else if (how < 0.65) {
      this.#line(`${name} = ${this.#pick(["p", "q"])}0 = ${literal}`);
      this.#bind(name, kind);
    } else if (how < 0.8) {
      const other = this.#fresh();
      const text = this.#pick([
        `${name}, ${other} = ${wrap(this.#pick(ATOMS[kind]), true)}, ${this.#atom("i", [])}`,
        `${name}, *${other} = (${this.#pick(ATOMS[kind])}, ${this.#atom("i", [])}, 3)`,
        `(${name}, [${other}]) = ${this.#pick(ATOMS[kind])}, [1]`,
        `[${other}, ${name}] = [2, ${this.#pick(ATOMS[kind])}]`,
      ]);
      this.#line(text);
      this.#bind(name, kind);
      if (!text.includes("*")) this.#bind(other, text.includes("], [1]") || text.startsWith("[") || text.includes("= ") ? "i" : "L");
    } else if (how < 0.9) {
      this.#line(`${name}: ${this.#pick(["int", "list[int]", "str | None", "any", "dict[str, int]"])} = ${literal}`);
      this.#bind(name, kind);
    } else {
      const a = this.#fresh();
      this.#guarded(() =>
        this.#line(`${a}, ${this.#pick(["", "*"])}${name} = ${this.expr(this.#pick(["L", "M", "T", "s", "S", "D"] as const), 2)}`),
      );
    }
  }

  #mutate(): void {
    const usable = this.#variables.filter((v) => !this.#walked.includes(v.name));
    if (usable.length === 0) return;
    const v = this.#pick(usable);
    const n = v.name;
    // A loop in a def would make the name local: only what this frame binds itself is rebound.
    const e = (k: Kind) => (this.#loops > 0 ? this.#pick(ATOMS[k]) : this.expr(k, 2));
    const forms: Record<Kind, () => string[]> = {
      i: () => [
        `${n} += ${e("i")}`,
        `${n} -= ${e("i")}`,
        `${n} //= ${e("i")}`,
        `${n} %= ${e("i")}`,
        `${n} ^= ${e("i")}`,
        `${n} |= ${e("i")}`,
        `${n} &= ${e("i")}`,
        `${n} >>= 1`,
      ],
      f: () => [`${n} += ${e("f")}`, `${n} /= ${e("f")}`, `${n} -= ${e("i")}`, `${n} //= ${e("f")}`, `${n} %= ${e("f")}`],
      b: () => [`${n} ^= True`, `${n} &= ${e("b")}`],
      s: () => [`${n} += ${wrap(this.#pick(ATOMS.s), true)}`, `${n} = ${n}[1:]`, `${n} = ${n}.upper()`],
      y: () => [`${n} += b'!'`, `${n} = ${n}[:-1]`],
      c: () => [`${n} += 1j`, `${n} -= ${e("f")}`],
      L: () => [
        `${n}.append(${e("i")})`,
        `${n}.extend([1, 2])`,
        `${n}.insert(${e("i")}, ${e("i")})`,
        `${n}.pop()`,
        `${n}.pop(${this.#part("j", 0, [])})`,
        `${n}.remove(${e("i")})`,
        `${n}.sort()`,
        `${n}.sort(key=lambda a: -a)`,
        `${n}.reverse()`,
        `${n}.clear()`,
        `${n}[0] = ${e("i")}`,
        `${n}[1:2] = [7, 8]`,
        `${n}[::2] = [1]`,
        `del ${n}[0]`,
        `del ${n}[${this.#part("j", 0, [])}:]`,
        `del ${n}[::2]`,
        `${n} += [4]`,
        `${n} += (5,)`,
        `${n}[-1] += 1`,
        `${n}[:0] = range(2)`,
        `del ${n}[0], ${n}[0]`,
      ],
      M: () => [
        `${n}.append('q')`,
        `${n}.sort(key=len)`,
        `${n}.sort(reverse=True)`,
        `${n} += 'xy'`,
        `${n}[0] += 'z'`,
        `${n}.insert(0, ${e("s")})`,
      ],
      T: () => [`${n} += (1,)`, `${n}[0] = 1`, `del ${n}[0]`],
      D: () => [
        `${n}['k'] = ${e("i")}`,
        `${n}[${e("s")}] = ${e("i")}`,
        `${n}.update(a=9)`,
        `${n}.update({'b': 3})`,
        `${n}.pop('a', None)`,
        `${n}.pop(${e("s")})`,
        `${n}.popitem()`,
        `${n}.setdefault('z', 0)`,
        `del ${n}['a']`,
        `${n}.clear()`,
        `${n} |= {'w': 1}`,
        `${n}['a'] += 1`,
        `${n}.update([('p', 1), ('q', 2)])`,
      ],
      S: () => [
        `${n}.add(${e("i")})`,
        `${n}.discard(${e("i")})`,
        `${n}.remove(${e("i")})`,
        `${n}.pop()`,
        `${n}.update([1, 50])`,
        `${n} |= {9}`,
        `${n} -= {1, 2}`,
        `${n} &= {1, 3, 5}`,
        `${n} ^= {2}`,
        `${n}.difference_update([3])`,
        `${n}.clear()`,
      ],
      U: () => [`${n}.add('n')`, `${n}.discard('a')`, `${n} |= set('pq')`, `${n}.update('xyz', ['long'])`, `${n}.pop()`],
    };
    this.#guarded(() => {
      this.#line(this.#pick(forms[v.kind]()));
      this.#line(`print(${n})`);
    });
  }

  #if(depth: number): void {
    this.#line("try:");
    this.#block(() => {
      this.#line(`if ${this.expr(this.#pick(["b", "b", "L", "s", "i"] as const), 2)}:`);
      this.#block(() => this.#statement(depth - 1));
      if (this.#chance(0.4)) {
        this.#line(`elif ${this.expr("b", 2)}:`);
        this.#block(() => this.#statement(depth - 1));
      }
      if (this.#chance(0.5)) {
        this.#line("else:");
        this.#block(() => this.#statement(depth - 1));
      }
    });
    this.#line("except Exception as e:");
    this.#block(() => this.#line("print('if', repr(e))"));
  }

  #for(depth: number): void {
    if (this.#loops >= 2) return;
    const v = this.#fresh();
    const w = this.#fresh();
    const [target, source, kind]: [string, string, Kind] = this.#pick<[string, string, Kind]>([
      [v, `range(${1 + this.#below(4)})`, "i"],
      [v, this.#pick(ATOMS.L), "i"],
      [v, this.#pick(ATOMS.M), "s"],
      [v, `sorted(${this.#pick(ATOMS.U)})`, "s"],
      [v, this.#pick(ATOMS.U), "s"],
      [v, this.#pick(ATOMS.S), "i"],
      [`${w}, ${v}`, `enumerate(${this.#pick(ATOMS.L)})`, "i"],
      [`${v}, ${w}`, `${this.#pick(ATOMS.D)}.items()`, "s"],
      [`(${w}, (${v}, *_))`, "[(1, (2, 3, 4)), (5, (6,))]", "i"],
      [`${v}, ${w}`, "zip([1, 2], 'ab')", "i"],
      [v, "(i * i for i in range(3))", "i"],
      [v, "reversed([1, 2, 3])", "i"],
      [v, "'xyz'", "s"],
      [v, "1, 2, *[3]", "i"],
    ]);
    this.#guarded(() => {
      this.#line(`for ${target} in ${source}:`);
      this.#loops++;
      this.#block(() => {
        this.#bind(v, kind);
        this.#walked.push(v);
        const n = 1 + this.#below(3);
        for (let i = 0; i < n; i++) this.#statement(depth - 1);
        if (this.#chance(0.4)) {
          this.#line(`if ${this.expr("b", 1)}:`);
          this.#block(() => this.#line(this.#pick(["break", "continue"])));
        }
        this.#line(`print('round', ${v})`);
        this.#walked.pop();
      });
      this.#loops--;
      if (this.#chance(0.4)) {
        this.#line("else:");
        this.#block(() => this.#line(`print('else', ${this.expr("i", 1)})`));
      }
      if (this.#chance(0.3)) this.#line(`print(${v})`);
    });
  }

  #try(depth: number): void {
    const exits = [
      "pass",
      "raise ValueError('v', 2)",
      "raise KeyError('k')",
      "[][1]",
      "{}['x']",
      "1 // 0",
      "int('z')",
      "raise IndexError",
      "assert 0, 'no'",
      "None.a",
      "'a' + 1",
      "raise LookupError('l') from None",
      "undefined_later",
    ];
    if (this.#loops > 0) exits.push("break", "continue");
    if (this.#inDef) exits.push(`return ${this.expr("i", 1)}`, "return");
    const exit = () => {
      const x = this.#pick(exits);
      this.#line(x === "undefined_later" ? "raise RuntimeError('r')" : x);
    };
    const outer = this.#chance(0.5);
    const inner = () => {
      this.#line("try:");
      this.#block(() => {
        if (this.#chance(0.6)) this.#statement(depth - 1);
        exit();
      });
      const handlers = this.#below(3);
      const classes = [
        "ValueError",
        "(KeyError, IndexError)",
        "LookupError",
        "ZeroDivisionError",
        "ArithmeticError",
        "Exception",
        "(TypeError, AttributeError)",
      ];
      for (let i = 0; i < handlers; i++) {
        const named = this.#chance(0.6);
        this.#line(`except ${this.#pick(classes)}${named ? " as err" : ""}:`);
        this.#block(() => {
          if (named) this.#line("print('caught', type(err).__name__, err)");
          if (this.#chance(0.3)) this.#line(this.#pick(["raise", "raise RuntimeError('again') from None", "raise TypeError('t')"]));
          else if (this.#below(10) < 3) exit();
        });
      }
      if (handlers > 0 && this.#chance(0.3)) {
        this.#line("else:");
        this.#block(() => this.#line("print('else')"));
      }
      if (handlers === 0 || this.#chance(0.5)) {
        this.#line("finally:");
        this.#block(() => {
          this.#line("print('finally')");
          if (this.#chance(0.15)) exit();
        });
      }
    };
    if (outer) {
      this.#guarded(inner);
    } else this.#guarded(inner);
  }

  #match(depth: number): void {
    const patterns = [
      "0",
      "-1",
      "1.5",
      "'a'",
      "None",
      "True",
      "[]",
      "[x]",
      "[x, y]",
      "[x, *r]",
      "[*_, z]",
      "(1, x)",
      "{}",
      "{'a': x}",
      "{'a': 1, **r}",
      "int()",
      "str(x)",
      "float()",
      "bool()",
      "list()",
      "dict()",
      "tuple()",
      "int(x) | float(x)",
      "[int(x), str(y)]",
      "1 | 2 | 3",
      "[1 | 2 as k, *r]",
      "(x, (y, z))",
      "bytes()",
      "1+2j",
      "-1.5",
      "'abc' | 'b'",
      "set()",
      "{'b': int(x), 'a': y}",
      "str() as x",
      "[[x]]",
      "(int() | str()) as x",
      "range()",
      "False",
    ];
    this.#guarded(() => {
      this.#line(`match ${this.any(2)}:`);
      this.#indent++;
      const n = 1 + this.#below(5);
      for (let i = 0; i < n; i++) {
        const p = this.#pick(patterns);
        const names = [...new Set([...p.matchAll(/\b[xyzrk]\b(?!')/g)].map((m) => m[0]))];
        const guard = this.#chance(0.25) ? ` if ${names.length > 0 && this.#chance(0.6) ? names[0] : this.expr("b", 1)}` : "";
        this.#line(`case ${p}${guard}:`);
        this.#block(() => {
          this.#line(`print('case', ${i}${names.map((x) => `, ${x}`).join("")})`);
          if (this.#chance(0.2)) this.#statement(depth - 1);
        });
      }
      if (this.#chance(0.6)) {
        this.#line(this.#pick(["case _:", "case other:"]));
        this.#block(() => this.#line("print('default')"));
      }
      this.#indent--;
    });
  }

  #def(depth: number): void {
    const name = `f${this.#names++}`;
    const forms: [string, string[], Variable[]][] = [
      ["a", ["$f($i)", "$f(a=$i)"], [v("a", "i")]],
      ["a, b=2", ["$f($i)", "$f($i, $i)", "$f($i, b=$i)", "$f(b=$i, a=$i)"], [v("a", "i"), v("b", "i")]],
      ["s, /, t='q', *rest", ["$f($s)", "$f($s, $s)", "$f($s, $s, $i, $i)", "$f($s, t=$s)"], [v("s", "s"), v("t", "s"), v("rest", "T")]],
      ["a, *, key=3, **kw", ["$f($i)", "$f($i, key=$i)", "$f($i, z=$i, w=$s)", "$f($i, **$D)"], [v("a", "i"), v("key", "i")]],
      ["*args, **kw", ["$f()", "$f(*$L)", "$f($i, *$T, x=$i)", "$f(**$D)", "$f(*$s, **{'y': $i})"], [v("args", "T")]],
      ["a, b=[]", ["$f($i)", "$f($i, $L)"], [v("a", "i"), v("b", "L")]],
      ["", ["$f()"], []],
      ["a, b, c=0", ["$f($i, $i)", "$f(*$L)"], [v("a", "i"), v("b", "i"), v("c", "i")]],
    ];
    const [params, calls, bound] = this.#pick(forms);
    const known = this.#variables;
    this.#line(`def ${name}(${params}):`);
    // Only what the function binds may be rebound in it; module variables are read.
    const outer = known.slice(0, 4).map((x) => x.name);
    this.#variables = [...known, ...bound];
    this.#inDef = true;
    const walked = this.#walked;
    this.#walked = [...walked, ...known.map((x) => x.name)];
    this.#block(() => {
      if (params.includes("b=[]")) this.#line("b.append(a)");
      if (params.includes("**kw")) this.#line("print(sorted(kw), len(kw))");
      const n = this.#below(3);
      for (let i = 0; i < n; i++) this.#statement(depth - 1);
      if (this.#chance(0.35)) this.#closure(bound);
      if (this.#chance(0.3)) {
        this.#line(`if ${this.expr("b", 1)}:`);
        this.#block(() => this.#line(`return ${this.any(1)}`));
      }
      if (this.#chance(0.8)) this.#line(`return ${this.any(2)}`);
    });
    this.#walked = walked;
    this.#inDef = false;
    this.#variables = known.filter((x) => outer.includes(x.name) || known.includes(x));
    const mine = { name, calls: calls.map((c) => c.replace("$f", name)) };
    this.#defs.push(mine);
    for (let i = 0; i < 2; i++)
      this.#guarded(() => this.#line(`print(${this.#pick(mine.calls).replace(/\$([a-zA-Z])/g, (_, p: string) => this.#argument(p, 1))})`));
  }
  #closure(bound: readonly Variable[]): void {
    const g = `g${this.#names++}`;
    const x = bound.find((b) => b.kind === "i")?.name ?? "7";
    const forms = [
      [`box = [0]`, `def ${g}(n):`, `    box[0] += n`, `    return box[0]`, `print(${g}(1), ${g}(2), [${g}(i) for i in range(3)])`],
      [`fs = [lambda y: y + i for i in range(3)]`, `print([h(10) for h in fs])`],
      [`fs = [lambda y, i=i: y * i for i in range(3)]`, `print([h(10) for h in fs])`],
      [`def ${g}(n, k=${x}):`, `    return lambda z: (n, k, z)`, `print(${g}(1)(2), ${g}(3, 4)(5))`],
      [`fs = []`, `for i in range(3):`, `    def ${g}():`, `        return i`, `    fs.append(${g})`, `print([h() for h in fs])`],
      [`${g} = lambda *a, k=${x}, **o: (a, k, o)`, `print(${g}(1, 2, k=3, m=4), ${g}())`],
      [`gen = (i * ${x} for i in range(4))`, `print(next(gen), list(gen), list(gen))`],
      [`print([(i, j) for i in range(3) if i for j in range(i)], {i: [j for j in range(i)] for i in range(3)})`],
    ];
    for (const l of this.#pick(forms)) this.#line(l);
  }

  #odd(): void {
    const s = this.#below(9);
    const a = this.#fresh();
    switch (s) {
      case 0:
        this.#line(`${a} = 1`);
        this.#line(`del ${a}`);
        return;
      case 1:
        this.#guarded(() => this.#line(`assert ${this.expr("b", 2)}, ${this.any(1)}`));
        return;
      case 2:
        this.#line(`if (${a} := ${this.#atom("i", [])}) > 3: print('big', ${a})`);
        return;
      case 3:
        this.#guarded(() => this.#line(`print([${a} for w in ${this.#pick(ATOMS.L)} if (${a} := w * 2) > 2], ${a})`));
        return;
      case 4:
        this.#guarded(() => {
          this.#line(`it = iter(${this.expr(this.#pick(["L", "M", "s", "T"] as const), 1)})`);
          this.#line("print(next(it), next(it, 'end'), list(it))");
        });
        return;
      case 5:
        this.#guarded(() =>
          this.#line(
            `print(*${this.expr(this.#pick(["L", "M", "s", "T", "S", "U"] as const), 2)}, sep=${this.#pick(["','", "''", "None", "' | '"])})`,
          ),
        );
        return;
      case 6:
        this.#guarded(() =>
          this.#line(
            `print(sorted(${this.expr(this.#pick(["T", "M", "L", "D"] as const), 2)}, key=${this.#pick(["str", "repr", "len", "lambda t: str(t)[::-1]", "None"])}, reverse=${this.#atom("b", [])}))`,
          ),
        );
        return;
      case 7:
        this.#guarded(() =>
          this.#line(
            `print(${this.any(1)} ${this.#pick(["+", "-", "*", "<", "==", "and", "or", "in", "is", "%", "//", "**", "|", "&", ">=", "not in"])} ${this.any(1)} ${this.#pick(["+", "-", "<", "==", "and", "or", "in"])} ${this.any(1)})`,
          ),
        );
        return;
      default:
        this.#guarded(() =>
          this.#line(
            `print(list(zip(${this.expr("L", 2)}, ${this.expr("M", 2)}, ${this.expr("s", 1)})), dict(enumerate(${this.expr("M", 2)})))`,
          ),
        );
    }
  }
}

function v(name: string, kind: Kind): Variable {
  return { name, kind };
}
/** In brackets, unless it is one word or bracket already. */
function wrap(text: string, always: boolean): string {
  return !always || /^([A-Za-z_]\w*|\d+(?!\.)|'[^']*')$/.test(text) ? (/^\d+$/.test(text) && always ? `(${text})` : text) : `(${text})`;
}
void KINDS;

/**
 * Programs that are loops over numbers, from a seed: ints that grow past 2^53, zero divisors, calls in calls, early ends, lists
 * appended to, read and written by subscript (also where there is no element, and values of another type), texts made of numbers,
 * grown and compared.
 */
import { seeded } from "../../../scripts/seeded.mjs";

export function numberProgram(seed: number): string {
  const { next: random, pick: pickAny, chance } = seeded(seed);
  const pick = <T>(xs: readonly T[]): T => pickAny(xs as T[]);
  const lines: string[] = [];
  const functions: { name: string; params: readonly string[]; float: boolean }[] = [];
  let depth = 0;
  /** Whether there are lists to append to: not in the functions. */
  let lists = false;
  /** A subscript: mostly one there is. */
  const subscript = (names: readonly string[]): string =>
    pick([`${leaf(names, false)} % 5`, `${leaf(names, false)} % 5`, `-1 - ${leaf(names, false)} % 4`, "i", "2", leaf(names, false)]);
  /** An element of a list of ints, of floats, of truths; `gs` is everybody's. */
  function element(names: readonly string[], float: boolean | null): string {
    const from = float === true ? ["fs"] : float === false ? ["ns", "ms", "gs", "ns"] : ["ns", "ms", "fs", "bs", "gs"];
    return chance(0.1) ? `len(${pick(["ns", "gs"])})` : `${pick(lists ? from : ["gs"])}[${subscript(names)}]`;
  }

  // Most programs keep to one type a name, which is what the kernel takes; the others do not.
  const tidy = chance(0.8);
  const texts = tidy && chance(0.7);
  const isFloat = (name: string): boolean => "xyr".includes(name);
  const INTS = ["1", "2", "3", "7", "10", "0", "255", "-1", "4503599627370496"];
  const FLOATS = ["0.5", "1.5", "1e3", "-0.25"];
  function leaf(names: readonly string[], float: boolean | null = null): string {
    const fit = float === null || !tidy ? names : names.filter((n) => isFloat(n) === float);
    return chance(0.7) && fit.length > 0 ? pick(fit) : pick(float === null || !tidy ? [...INTS, ...FLOATS] : float ? FLOATS : INTS);
  }
  /** `float`: its type, where the program is tidy; a float has a float operand, and others of either type. */
  function tree(names: readonly string[], d: number, float: boolean | null = null): string {
    if (d <= 0 || chance(0.25)) return leaf(names, float);
    if (chance(0.07)) return `-${tree(names, 0, float)}`;
    if ((lists || float !== true) && chance(0.12)) return element(names, float);
    if (chance(0.07)) return `abs(${tree(names, d - 1, float)})`;
    if (chance(0.04) && float !== false) return `float(${tree(names, d - 1, false)})`;
    const ops = ["+", "+", "+", "-", "-", "*", "*"];
    if (float !== false) ops.push("/");
    if (float !== true || !tidy) ops.push("//", "%", "%", "&", "|", "^");
    const op = pick(ops);
    return `(${tree(names, d - 1, float)} ${op} ${tree(names, d - 1, float === true && chance(0.4) ? null : float)})`;
  }
  /** What the kernel does not take: seldom, for all of a loop goes with it. */
  const odd = (): boolean => chance(0.02);
  /** A text; `s` and `t` grow, and are cut where they are long. */
  function text(names: readonly string[]): string {
    const field = (): string =>
      pick([
        `{${tree(names, 1, false)}}`,
        `{${tree(names, 1, false)}:${pick(odd() ? ["+d", "b", "^7", "05,"] : ["5", "05d", "x", "<6", ",", "09", ",d", "_", "*>7"])}}`,
        `{${tree(names, 1, true)}:${pick(odd() ? ["e", "", "g"] : [".2f", ".0f", "9.3f", "08.1f", ".12f", "<9.4f"])}}`,
        `{${pick(["s", "t"])}${pick(odd() ? [":-<70", ":^5", ":.2"] : ["", "!r", "!s", ":>8", ":3", "!r:>9"])}}`,
      ]);
    return pick([
      pick(["s", "t"]),
      pick(['""', '"ab"', '"x\'y"', '"\\n"', '"a longer text of letters"']),
      `str(${tree(names, 1, chance(0.1))})`,
      `${pick(["s", "t", '"k-"'])} + str(${leaf(names, false)})`,
      `${pick(["s", "t"])} + ${pick(["s", "t", '"z"'])}`,
      `f"${field()}${pick(["", ":", odd() ? "é" : "|"])}${field()}"`,
      `f"${field()}-${field()}-${field()}"`,
      `f"${field()}"`,
    ]);
  }
  function textLines(pad: string, names: readonly string[]): void {
    const s = pick(["s", "t"]);
    const x = random();
    if (x < 0.25) lines.push(`${pad}ts.append(${text(names)})`);
    else if (x < 0.4) lines.push(`${pad}${pick(["a", "b"])} = len(${pick(["s", "t"])})`);
    else if (x < 0.5) lines.push(`${pad}if ${pick(["s", "t"])} ${pick(["<", "==", "!=", ">="])} ${text(names)}:`, `${pad}    a = 7`);
    else if (x < 0.55) lines.push(`${pad}if s:`, `${pad}    s = ""`);
    else
      lines.push(
        `${pad}${s} ${pick(["=", "+="])} ${text(names)}`,
        `${pad}if len(${s}) > 90:`,
        `${pad}    ${s} = ${pick(['""', "str(i)"])}`,
      );
  }
  const like = (name: string): boolean => isFloat(name);
  function test(names: readonly string[], d = 2): string {
    if (d > 0 && chance(0.3)) return `(${test(names, d - 1)}) ${pick(["and", "or"])} (${test(names, d - 1)})`;
    if (chance(0.1)) return `not (${test(names, 0)})`;
    if (chance(0.1)) return tree(names, 1);
    if (lists && chance(0.15)) return `${pick(["", "not "])}bs[${subscript(names)}]`;
    if (chance(0.12)) return `${leaf(names)} ${pick(["<", "<="])} ${tree(names, 1)} ${pick(["<", ">=", "!="])} ${leaf(names)}`;
    return `${tree(names, 1)} ${pick(["<", "<=", ">", ">=", "==", "!="])} ${tree(names, 1)}`;
  }
  function call(names: readonly string[], float: boolean): string {
    const f = pick(tidy ? functions.filter((one) => one.float === float) : functions);
    const args = f.params.map((p) => (chance(0.2) && depth < 2 ? nested(names, isFloat(p)) : tree(names, 1, isFloat(p))));
    return `${f.name}(${args.join(", ")})`;
  }
  function nested(names: readonly string[], float: boolean): string {
    depth++;
    const text = call(names, float);
    depth--;
    return text;
  }
  function block(pad: string, names: string[], d: number, inLoop: boolean, inDef: boolean): void {
    const count = 1 + Math.floor(random() * 3);
    for (let n = 0; n < count; n++) {
      const x = random();
      const name = pick(names);
      if (lists && texts && chance(0.35)) {
        textLines(pad, names);
        continue;
      }
      if (d > 0 && x < 0.18) {
        const i = pick(["i", "j", "k"]);
        const range = pick([
          `range(${Math.floor(random() * 9)})`,
          `range(${name} % 5)`,
          "range(7, 1, -2)",
          `range(2, ${3 + Math.floor(random() * 9)}, 3)`,
        ]);
        lines.push(`${pad}for ${i} in ${range}:`);
        block(`${pad}    `, [...new Set([...names, i])], d - 1, true, inDef);
      } else if (d > 0 && x < 0.4) {
        lines.push(`${pad}if ${test(names)}:`);
        block(`${pad}    `, names, d - 1, inLoop, inDef);
        if (chance(0.5)) {
          lines.push(`${pad}else:`);
          block(`${pad}    `, names, d - 1, inLoop, inDef);
        }
      } else if (inLoop && x < 0.45) lines.push(`${pad}${pick(["break", "continue"])}`);
      else if (inDef && inLoop && x < 0.47) lines.push(`${pad}return ${tree(names, 1, null)}`);
      else if (lists && x < 0.56) lines.push(`${pad}${pick(["us", "vs"])}.append(${tree(names, 1, chance(0.5))})`);
      else if (lists && x < 0.6)
        lines.push(
          pad +
            pick([
              `${pick(["ns", "ms"])}[${subscript(names)}] ${pick(["=", "=", "+=", "-=", "//="])} ${tree(names, 1, chance(0.95) ? false : null)}`,
              `bs[${subscript(names)}] = ${pick(["True", "False", "True", "False", "1", `bs[${subscript(names)}]`])}`,
              `fs[${subscript(names)}] = ${tree(names, 1, true)}`,
            ]),
        );
      else if (functions.length > 1 && x < 0.66) lines.push(`${pad}${name} = ${call(names, like(name))}`);
      else if (x < 0.7) lines.push(`${pad}${name} = ${tree(names, 1, like(name))} if ${test(names, 1)} else ${tree(names, 1, like(name))}`);
      else if (x < 0.82)
        lines.push(
          `${pad}${name} ${pick(isFloat(name) && tidy ? ["+=", "-=", "*=", "/="] : ["+=", "-=", "*=", "+=", "//=", "%="])} ${tree(names, 1, like(name))}`,
        );
      else lines.push(`${pad}${name} = ${tree(names, 2, like(name))}`);
    }
  }

  lines.push(`gs = ${pick(["[3, 1, 4, 1, 5]", "[2 ** 52, -1, 0]", "[7]"])}`);
  for (let f = 0; f < 2; f++) {
    const float = f === 1;
    const params = float ? pick([["r"], ["r", "p"]]) : pick([["p"], ["p", "q"]]);
    lines.push(`def f${f}(${params.join(", ")}):`);
    if (chance(0.5)) {
      lines.push(`    t = ${tree(params, 2, false)}`);
      if (chance(0.5)) block("    ", [...params, "t"], 1, false, true);
      if (chance(0.6))
        lines.push(`    if ${test([...params, "t"])}:`, `        return ${tree([...params, "t"], 2, float)} + ${float ? "0.5" : "1"}`);
      lines.push(`    return ${tree([...params, "t"], 1, float)} + ${leaf(params, float)}`);
    } else lines.push(`    return ${tree(params, 2, float)} * ${float ? "1.5" : "1"}`);
    functions.push({ name: `f${f}`, params, float });
  }
  lists = true;
  const names = ["a", "b", "c", "x", "y"];
  const start = (pad: string): void => {
    for (const n of names.slice(0, 3)) lines.push(`${pad}${n} = ${pick(["0", "1", "5", "-3", "2 ** 40"])}`);
    lines.push(`${pad}s = ${pick(['""', '"ab"', '"x" * 63', '"x" * 63', odd() ? '"é"' : '"\\t"'])}`, `${pad}t = "t"`, `${pad}ts = []`);
    lines.push(`${pad}us = []`, `${pad}vs = ${pick(["[]", "[0]", "us", "[1] * 30"])}`);
    lines.push(`${pad}ns = ${pick(["[5, 4, 3, 2, 1, 0]", "[0] * 6", "[2 ** 50] * 6", "gs", "[1, None, 2]", "[1, 2.5, 3, 4, 5]"])}`);
    lines.push(`${pad}ms = ${pick(["[9] * 40", "[1, 2, 3, 4, 5]", "ns", "[]"])}`);
    lines.push(`${pad}bs = ${pick(["[True] * 6", "[False, True] * 20", "[True, 0, True, False, True]"])}`);
    lines.push(`${pad}fs = ${pick(["[0.5, 1.5, -2.25, 1e300, 0.0]", "[1.0] * 6"])}`);
    for (const n of names.slice(3)) lines.push(`${pad}${n} = ${pick(["0.0", "1.25", "-2.0", "1e300"])}`);
  };
  if (chance(0.5)) {
    lines.push("def main(n):");
    start("    ");
    lines.push("    for i in range(n):");
    block("        ", [...names, "i", "n"], 3, true, true);
    if (chance(0.3)) {
      lines.push("    else:", "        print('whole')");
    }
    lines.push(
      "    print(a, b, c, x, y, len(us), us[-3:], vs[-3:], sum(us[:40]), ns[:9], ms[-5:], bs[:9], fs, s, t, ts[-3:], len(ts))",
      "    return a",
      "try:",
      `    print(main(${2 + Math.floor(random() * 12)}))`,
    );
  } else {
    start("");
    lines.push("try:", `    for i in range(${2 + Math.floor(random() * 12)}):`);
    block("        ", [...names, "i"], 3, true, false);
    lines.push("    print(a, b, c, x, y, len(us), us[-3:], vs[-3:], sum(us[:40]), ns[:9], ms[-5:], bs[:9], fs, s, t, ts[-3:], len(ts))");
  }
  lines.push("except Exception as e:", "    print(type(e).__name__, e)", "print(gs)");
  return `${lines.join("\n")}\n`;
}

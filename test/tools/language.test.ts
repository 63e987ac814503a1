/** What the wire says of a store's words and a caller's: contract §3 (`written_by`), §8.1. */
import { describe, expect, it } from "vitest";
import { ToolFixture } from "./tool-fixture";

describe("the key a write is recorded under", () => {
  it("[3] written_by is the key that wrote, on every claim; a conclusion was written by nobody", () => {
    const f = new ToolFixture();
    f.compile(
      "m",
      'class P:\n    age: int\n\n@rule\ndef grown(p: P):\n    when(p.age >= 18)\n    conclude(p.grown, True)\n\nremember(P.a.age, 20, "body")\n',
    );
    f.run('import m\nremember(P.b.age, 30, "s")\nupdate(P.b.age, 31, "s")');
    expect(
      f
        .run(
          "import m\nprint(current(P.a.age).written_by, current(P.a.grown).written_by)\nfor c in history(P.b.age):\n    print(c.written_by)",
        )
        .text.split("\n")
        .slice(1),
    ).toEqual(["key_1 None", "key_1", "key_1"]);
  });
});

describe("the keyword surface", () => {
  it("[8.1] the worked program writes one claim and prints it", () => {
    const answer = new ToolFixture().call("run", {
      language: "eng",
      source: 'remember(Sensor.s1.room, "kitchen", "survey")\nc = current(Sensor.s1.room)\nprint(c.value)',
    });
    expect(answer.text).toBe("OK program: 1 claim added, 1 print\nremember Sensor.s1.room = 'kitchen' (per survey)\nkitchen");
  });

  it("[8.1] the words are ours, the names and values the caller's, in any script, and come back as written", () => {
    const f = new ToolFixture();
    expect(f.compile("küche", "class Gerät:\n    名: string\n\ndef зал(k: string):\n    return Gerät[k].名\n").status).toBe("success");
    const answer = f.run('import küche\nremember(Gerät["Größe ✓"].名, "ß≠ss 💧", "опрос")\nprint(küche.зал("Größe ✓"))');
    expect(answer.text).toBe(`OK program: 1 claim added, 1 print\nremember Gerät["Größe ✓"].名 = 'ß≠ss 💧' (per опрос)\nß≠ss 💧`);
    expect(f.call("list", { target: "kinds", language: "eng" }).text).toBe("OK list: 1 kind\nküche.Gerät");
    expect(f.call("list", { target: "scripts" }).text).toBe("OK list: 1 script\nküche.зал(k: string)");
    expect(f.call("info_module", { name: "küche" }).meta).toMatchObject({ language: "eng" });
    // A name that differs only in its spelling's composition is the same identifier, as in Python; a value is left alone.
    expect(f.run('import ku\u0308che\nprint(len("u\u0308"))').text).toBe("OK program: 1 print\n2");
  });

  it("[8.1] names that every JavaScript object brings along are names like any other", () => {
    const f = new ToolFixture();
    const source =
      "class valueOf:\n    hasOwnProperty: any\n\n@rule\ndef isPrototypeOf(p: valueOf, v: any):\n    when(p.hasOwnProperty == v)\n    conclude(p.toLocaleString, v)\n\ndef __proto__(toString=7):\n    return toString\n";
    expect(f.compile("constructor", source).status).toBe("success");
    const use =
      'import constructor\nremember(valueOf["__proto__"].hasOwnProperty, "__proto__", "toString", __proto__=1)\nprint(constructor.__proto__(), valueOf["__proto__"].toLocaleString, current(valueOf["__proto__"].hasOwnProperty).qualifiers)';
    const printed = ["7 __proto__ {'__proto__': 1}"];
    expect(f.run(use).text.split("\n").slice(2)).toEqual(printed);
    f.reopen();
    expect(f.run(use).text.split("\n").slice(1)).toEqual(printed);
    expect(f.compile("m", "@toString\ndef f():\n    pass\n").text).toContain("`@toString` is not one of them");
    expect(f.compile("m", "@rule\ndef r(p: P):\n    when(not toString(p.x))\n    conclude(p.y, 1)\n").text).toContain(
      "line 3, col 10: `not` is not there in rules",
    );
  });

  it("[8.1] nine words are English on every surface; those that this release has are spelled so", () => {
    const f = new ToolFixture();
    const source =
      'z = complex(real=1, imag=2)\nprint(z.real, z.imag)\nprint("abc".translate(str.maketrans("a", "b")))\nprint(dict.fromkeys([1]), bytes.fromhex("ff"))';
    expect(f.run(source).text.split("\n").slice(1)).toEqual(["1.0 2.0", "bbc", "{1: None} b'\\xff'"]);
    const RULES =
      'class P:\n    a: int\n\n@rule\ndef r(p: P):\n    when(p.a == 1)\n    conclude(p.b, 1)\n\n@rule\ndef s(p: P):\n    when(trust(p.a) == "asserted", trust(p.b) == "derived")\n    conclude(p.c, "both")\n\nremember(P.x.a, 1, "s")\nprint(P.x.c)\n';
    expect(f.compile("m", RULES).text).toContain("\nboth");
  });
});

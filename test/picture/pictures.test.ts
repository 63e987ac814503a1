/** Pictures: well-formed, everything in its place, the same in words. */
import { describe, expect, it } from "vitest";
import { barChart } from "../../src/picture/bar-chart";
import { type ClaimBox, claimDiagram } from "../../src/picture/claim-diagram";
import { type ProofNode, proofTree } from "../../src/picture/proof-tree";
import { storeGraph } from "../../src/picture/store-graph";
import { cut } from "../../src/picture/svg";

const NASTY = '<script>alert("x")</script> & \u0000 \ud800 ]]> \u202e';

/** Opens and closes what it says, escapes what it holds, has a title and a description first. */
function expectWellFormed(svg: string): void {
  const open: string[] = [];
  const rest = svg.replace(/<(\/?)([a-z]+)((?: [a-z0-9-]+="[^"<]*")*)(\/?)>/gi, (_all, closing, name, _attributes, empty) => {
    if (closing !== "") expect(open.pop()).toBe(name);
    else if (empty === "") open.push(name);
    return "";
  });
  expect(open).toEqual([]);
  expect(rest).not.toMatch(/[<>]|&(?!amp;|lt;|gt;|quot;)/);
  expect(svg).not.toMatch(/<script|\u0000| on[a-z]+="/i);
  expect(svg).toMatch(/^<svg [^>]*role="img"[^>]*><title id="picture-title">[^<]+<\/title><desc id="picture-description">[^<]+<\/desc>/);
}

const claim = (holds: string, key = "key_1"): ProofNode => ({
  holds,
  by: "survey",
  isConclusion: false,
  key,
  isRepeated: false,
  premises: [],
});

describe("a proof tree", () => {
  const proof: ProofNode = {
    holds: "Room.r.warm = True",
    by: "heat.warm",
    isConclusion: true,
    key: null,
    isRepeated: false,
    premises: [claim("Sensor.s.room = Room.r"), "21 > 20", { ...claim("Sensor.s.value = 21"), isRepeated: true }],
  };

  it("[rulings] has a line a premise, with rule, source and key", () => {
    const { svg, text } = proofTree(proof);
    expectWellFormed(svg);
    expect(text).toBe(
      "Room.r.warm = True   by rule heat.warm\n  Sensor.s.room = Room.r   per survey, written by key_1\n  21 > 20\n  Sensor.s.value = 21   per survey, written by key_1, see above\n",
    );
    for (const line of text.trimEnd().split("\n")) expect(svg).toContain(line.trim().replaceAll(">", "&gt;"));
    expect(svg.match(/<rect /g)).toHaveLength(2);
    expect(svg.match(/<circle /g)).toHaveLength(2);
  });

  it("[C7.51] shows whatever stands in it as text", () => {
    expectWellFormed(proofTree(claim(NASTY)).svg);
  });

  it("[rulings] of a proof beyond measure shows the beginning, and tells all in words", () => {
    const { svg, text } = proofTree({ ...proof, premises: Array.from({ length: 5000 }, (_, i) => claim(`A.b.c${i} = 1`)) });
    expect(text.split("\n")).toHaveLength(5002);
    expect(svg).toContain("and 4601 more lines");
    expect(svg.length).toBeLessThan(300_000);
  });
});

describe("the claims of a cell on two axes of time", () => {
  const spell = (micros: number) => `t${micros}`;
  const boxes: ClaimBox[] = [
    { value: "20", source: "a", from: null, to: 100, knownFrom: 1, knownUntil: 5 },
    { value: "21", source: "a", from: 100, to: null, knownFrom: 1, knownUntil: null },
    { value: "22", source: "b", from: null, to: 100, knownFrom: 5, knownUntil: null },
  ];

  function rectangles(svg: string): { x: number; y: number; width: number; height: number }[] {
    const number = (attributes: string, name: string) => Number(new RegExp(` ${name}="([\\d.-]+)"`).exec(attributes)?.[1]);
    return [...svg.matchAll(/<rect ([^>]*class="claim"[^>]*)\/?>/g)].map(([, attributes]) => {
      const at = ` ${attributes}`;
      return { x: number(at, "x"), y: number(at, "y"), width: number(at, "width"), height: number(at, "height") };
    });
  }

  it("[rulings] has a rectangle a claim, apart where the claims are, and a line where a question cuts", () => {
    const { svg, text } = claimDiagram("Room.r.heat", boxes, { at: 50, knownAt: 5 }, spell);
    expectWellFormed(svg);
    const all = rectangles(svg);
    expect(all).toHaveLength(3);
    for (const [i, one] of all.entries()) {
      expect(one.width).toBeGreaterThan(0);
      expect(one.height).toBeGreaterThan(0);
      for (const other of all.slice(i + 1)) {
        const apart =
          one.x + one.width <= other.x ||
          other.x + other.width <= one.x ||
          one.y + one.height <= other.y ||
          other.y + other.height <= one.y;
        expect(apart).toBe(true);
      }
    }
    expect(svg).toContain('class="cut-at"');
    expect(svg).toContain('class="cut-known"');
    expect(text.split("\n")[0]).toBe("20 per a: true ever since until t100; known from t1 until t5");
    expect(text).toContain("21 per a: true from t100 on; known from t1, and still\n");
  });

  it("[rulings] of claims with the same beginning hides none behind another: each has its head, and its words, to itself", () => {
    const said: ClaimBox[] = Array.from({ length: 12 }, (_, i) => ({
      value: `v${i}`,
      source: `s${i}`,
      from: null,
      to: i === 3 ? 10 : null,
      knownFrom: 1,
      knownUntil: i < 2 ? 9 : null,
    }));
    const { svg } = claimDiagram(
      "A.b.c",
      [...said, { ...said[0], from: 10, value: "later", source: "x" }],
      { at: null, knownAt: null },
      spell,
    );
    const heads = rectangles(svg).map(({ x, y }) => `${x} ${y}`);
    expect(new Set(heads).size).toBe(13);
    const words = [...svg.matchAll(/<text x="([\d.]+)" y="([\d.]+)"[^>]*>(v\d+|per s\d+)</g)]
      .map(([, , y]) => Number(y))
      .sort((a, b) => a - b);
    expect(words).toHaveLength(2 * 12);
    // However many lie upon each other, what is below stays light enough for its words.
    const opacity = Number(/class="claim"/.test(svg) && /fill-opacity="([\d.]+)"/.exec(svg)?.[1]);
    expect(1 - (1 - opacity) ** 12).toBeLessThan(0.3);
    for (const [i, y] of words.entries()) expect(y - (words[i - 1] ?? 0)).toBeGreaterThanOrEqual(12);
  });

  it("[rulings] is a picture of nothing where nothing was recorded", () => {
    const { svg, text } = claimDiagram(NASTY, [], { at: null, knownAt: null }, spell);
    expectWellFormed(svg);
    expect(text).toBe("No claim was ever recorded here.\n");
  });

  it("[rulings] keeps every claim within the picture, whatever the windows (drawn)", () => {
    let state = 7;
    const below = (n: number) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return Math.floor((state / 0x100000000) * n);
    };
    for (let round = 0; round < 200; round++) {
      const drawn = Array.from({ length: 1 + below(6) }, (): ClaimBox => {
        const [from, known] = [below(5) === 0 ? null : below(100), below(50)];
        return {
          value: `v${below(9)}`,
          source: "s",
          from,
          to: below(4) === 0 ? null : (from ?? 0) + 1 + below(50),
          knownFrom: known,
          knownUntil: below(2) === 0 ? null : known + 1 + below(20),
        };
      });
      const { svg, text } = claimDiagram("A.b.c", drawn, { at: below(2) === 0 ? null : below(100), knownAt: null }, spell);
      const [, width, height] = /viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(svg)!.map(Number);
      for (const one of rectangles(svg)) {
        expect(one.width).toBeGreaterThan(0);
        expect(one.height).toBeGreaterThan(0);
        expect(one.x + one.width).toBeLessThanOrEqual(width);
        expect(one.y + one.height).toBeLessThanOrEqual(height);
      }
      expect(text.trimEnd().split("\n")).toHaveLength(drawn.length);
    }
  });
});

describe("the graph of a store", () => {
  it("[rulings] joins rules to the fields they read and conclude, and says what a checkup finds", () => {
    const { svg, text } = storeGraph(
      [
        { name: "Room", fields: ["warm", "name"] },
        { name: "Sensor", fields: ["room", "value"] },
      ],
      [{ name: "heat.warm", reads: ["Sensor.room", "Sensor.value"], concludes: ["Room.warm"] }],
      { unmet: new Set(["Sensor.value"]), unread: new Set(["Room.name"]) },
    );
    expectWellFormed(svg);
    expect(svg.match(/class="reads"/g)).toHaveLength(1);
    // The page's sheet colours these.
    expect(svg.match(/class="reads-unmet"/g)).toHaveLength(1);
    expect(svg).toMatch(/class="field-unmet">value \(unmet\)</);
    expect(svg).toMatch(/class="field-unread">name \(unread\)</);
    expect(svg.match(/class="concludes"/g)).toHaveLength(1);
    expect(svg).toContain("value (unmet)");
    expect(text).toBe(
      "Room\n  name: recorded, read by nothing\n  warm\nSensor\n  room\n  value: read by a rule, recorded nowhere\nrule heat.warm\n  reads Sensor.room, Sensor.value\n  concludes Room.warm\n",
    );
  });

  it("[rulings] has each rule beside the fields it joins, none on another, and a finding that a long name does not hide", () => {
    const kinds = Array.from({ length: 50 }, (_, i) => ({ name: `K${String(i).padStart(2, "0")}`, fields: ["a", "b".repeat(60)] }));
    // In the order of their names they would stand the other way round.
    const rules = kinds.map(({ name }, i) => ({ name: `r${99 - i}`, reads: [`${name}.a`], concludes: [`${name}.${"b".repeat(60)}`] }));
    const { svg } = storeGraph(kinds, rules, { unmet: new Set([`K07.${"b".repeat(60)}`]), unread: new Set() });
    const tops = [...svg.matchAll(/<rect x="[\d.]+" y="([\d.]+)"[^>]*class="(kind|rule)"/g)].map(
      ([, y, what]) => [what, Number(y)] as const,
    );
    const [ofKinds, ofRules] = ["kind", "rule"].map((what) => tops.filter(([of]) => of === what).map(([, y]) => y));
    expect([ofKinds.length, ofRules.length]).toEqual([50, 50]);
    ofRules.forEach((y, i) => {
      expect(Math.abs(y - ofKinds[i])).toBeLessThan(66);
      if (i > 0) expect(y - ofRules[i - 1]).toBeGreaterThanOrEqual(22);
    });
    expect(svg).toMatch(/>b{20}… \(unmet\)</);
  });

  it("[rulings] of an empty store says so", () => {
    const { svg, text } = storeGraph([], [], { unmet: new Set(), unread: new Set() });
    expectWellFormed(svg);
    expect(text).toBe("The store holds nothing yet.\n");
  });
});

describe("a month of bars", () => {
  it("[D.9] by five series is half of a page of 30 KB, with its words", () => {
    const bars = Array.from({ length: 30 }, (_, day) => ({
      name: `11-${day}`,
      amounts: Object.fromEntries(Array.from({ length: 5 }, (_, i) => [`${"n".repeat(16)} ${i} key_01234567`, 1_234_567 * (i + 1) + day])),
    }));
    const { svg, text } = barChart("Ops of the last 30 days", bars, (ops) => `${ops.toLocaleString("en-US")} ops`);
    expectWellFormed(svg);
    expect([svg.length < 8_500, text.length < 8_500]).toEqual([true, true]);
  });
});

describe("a text in a picture", () => {
  it.each([
    ["plain", 5, "plain"],
    ["plainer", 5, "plai…"],
    ["会議室の温度", 12, "会議室の温度"],
    ["会議室の温度", 8, "会議室…"],
    ["👨‍👩‍👧 home", 11, "👨‍👩‍👧 home"],
    ["e\u0301e\u0301e\u0301", 3, "e\u0301e\u0301e\u0301"],
    ["e\u0301e\u0301e\u0301e", 3, "e\u0301e\u0301…"],
    ["غرفة الاجتماعات", 6, "غرفة …"],
    ["🙂🙂🙂", 4, "🙂…"],
  ])("[rulings] %s is cut by the room it takes, %i columns, and within no letter", (text, columns, kept) => {
    expect(cut(text, columns)).toBe(kept);
  });
});

describe("a name that is read from the right", () => {
  it("[rulings] keeps what is said of it behind it", () => {
    const { svg, text } = barChart("t", [{ name: "غرفة1", amounts: { مخزن: 40 } }], String);
    expect(text).toBe("\u2068غرفة1\u2069: \u2068مخزن\u2069 40\n");
    expectWellFormed(svg);
    const box: ClaimBox = { value: "'شاي'", source: "مصدر", from: null, to: null, knownFrom: 1, knownUntil: null };
    expect(claimDiagram("A.b.c", [box], { at: null, knownAt: null }, String).text).toMatch(
      /^\u2068'شاي'\u2069 per \u2068مصدر\u2069: true always/,
    );
    const graph = storeGraph([{ name: "غرفة", fields: ["اسم"] }], [], { unmet: new Set(["غرفة.اسم"]), unread: new Set() });
    expect(graph.svg).toContain(">\u2068اسم\u2069 (unmet)<");
  });
});

describe("bars", () => {
  it("[rulings] stand as high as their amounts, in parts by series", () => {
    const { svg, text } = barChart(
      "Ops by day",
      [
        { name: "mon", amounts: { a: 10, b: 30 } },
        { name: "tue", amounts: { a: 20 } },
        { name: "wed", amounts: {} },
      ],
      String,
    );
    expectWellFormed(svg);
    // Of each series, a part of each bar: its left, its top, its height. Parts of a bar stand upon each other.
    const parts = [...svg.matchAll(/<path d="([^"]*)" class="series"/g)].map(([, d]) =>
      [...d.matchAll(/M([\d.]+) ([\d.]+)h18v([\d.]+)h-18z/g)].map(([, ...numbers]) => numbers.map(Number)),
    );
    expect(parts).toEqual([
      [
        [90, 165, 45],
        [114, 120, 90],
      ],
      [[90, 30, 135]],
    ]);
    expect(text).toBe("mon: 40 (a 10, b 30)\ntue: a 20\n");
    expectWellFormed(barChart(NASTY, [{ name: NASTY, amounts: { [NASTY]: 1 } }], () => NASTY).svg);
    expect(barChart("none", [], String).text).toBe("Nothing in this time.\n");
  });
});

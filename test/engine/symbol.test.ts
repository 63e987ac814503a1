import { describe, expect, test } from "vitest";
import { seeded } from "../../scripts/seeded.mjs";
import { Bytes, Complex, Datetime, type Datum, Duration, Float, StoredCollection, Subject } from "../../src/datum";
import { decodeDatum, encodeDatum, identityKey } from "../../src/engine/datum-code";
import { equalityRepresentative, equalScalars } from "../../src/engine/datum-equality";
import { SipKey, sipHash, sipResult } from "../../src/engine/siphash";
import { createTables } from "../../src/engine/store-schema";
import { addToSum, startSum, summedBlob, summedWords } from "../../src/engine/stored-sum";
import { SymbolTable } from "../../src/engine/symbol";
import { readChunk, stripeFirst, stripeOf, writeAllChunks } from "../../src/engine/symbol-chunk";
import { type HashedSymbol, SymbolIndex } from "../../src/engine/symbol-index";
import { SymbolPages } from "../../src/engine/symbol-page";
import { compareDatums, compareText } from "../../src/engine/value-order";
import { SYMBOLS_HELD_BYTES_MAX } from "../../src/limits";
import { CipherNode } from "./cipher-node";
import { SqlNode } from "./sql-node";

const list = (...items: Datum[]) => new StoredCollection("list", items);
const tuple = (...items: Datum[]) => new StoredCollection("tuple", items);
const set = (...items: Datum[]) => new StoredCollection("set", items);
const frozen = (...items: Datum[]) => new StoredCollection("frozenset", items);
const dict = (...items: Datum[]) => new StoredCollection("dict", items);
const range = (...items: Datum[]) => new StoredCollection("range", items);

/** In value order, every two different. */
const ORDERED: Datum[] = [
  null,
  false,
  true,
  new Float(Number.NEGATIVE_INFINITY),
  -(2n ** 70n),
  -1,
  new Float(-0.5),
  0,
  new Float(-0),
  new Float(0),
  new Complex(0, 0),
  new Complex(0, 1),
  1,
  new Float(1),
  new Float(1.5),
  2 ** 53 - 1,
  2n ** 53n,
  new Float(2 ** 53),
  2n ** 53n + 1n,
  new Float(1e300),
  new Float(Number.POSITIVE_INFINITY),
  new Float(Number.NaN),
  "",
  "A",
  "a",
  "a\u0000",
  "\uffff",
  "😀",
  "😁",
  new Bytes(new Uint8Array([])),
  new Bytes(new Uint8Array([0])),
  new Bytes(new Uint8Array([200])),
  new Datetime(-5),
  new Datetime(3),
  new Duration(-5),
  new Duration(3),
  new Subject("A", "z"),
  new Subject("B", "a"),
  new Subject("B", "b"),
  dict("a", 1, "b", 2),
  dict("b", 2, "a", 1),
  frozen(1),
  list(),
  list(1),
  range(0, 3, 1),
  set(1),
  tuple(1),
];

describe("value order", () => {
  test("[rulings, Value order] the table is in order, pair by pair", () => {
    for (const [i, a] of ORDERED.entries()) {
      for (const [j, b] of ORDERED.entries()) expect(Math.sign(compareDatums(a, b)), `${i} ${j}`).toBe(Math.sign(i - j));
    }
  });

  test("text goes by code points", () => {
    expect(["😀", "\ue000", "\ud7ff", "z"].sort(compareText)).toEqual(["z", "\ud7ff", "\ue000", "😀"]);
  });
});

describe("canonical code", () => {
  test("[rulings, Equality] bytes are one to one with stored values, and come back as the value", () => {
    expect(new Set(ORDERED.map(identityKey)).size).toBe(ORDERED.length);
    for (const datum of ORDERED) expect(decodeDatum(encodeDatum(datum))).toEqual(datum);
    const nan = new DataView(new ArrayBuffer(8));
    nan.setBigUint64(0, 0xfff8000000000001n);
    expect(identityKey(new Float(nan.getFloat64(0)))).toBe(identityKey(new Float(Number.NaN)));
    for (const big of [2n ** 53n, -(2n ** 64n) - 1n, 36n ** 500n - 1n, 10n ** 4000n]) expect(decodeDatum(encodeDatum(big))).toBe(big);
  });

  test.each<[string, Datum, Datum, boolean]>([
    ["1 and 1.0", 1, new Float(1), true],
    ["1 and True", 1, true, true],
    ["1 and 1+0j", 1, new Complex(1, 0), true],
    ["0.0 and -0.0", new Float(0), new Float(-0), true],
    ["2**60 and 2.0**60", 2n ** 60n, new Float(2 ** 60), true],
    ["2**53+1 and 2.0**53", 2n ** 53n + 1n, new Float(2 ** 53), false],
    ["text and int", "1", 1, false],
    ["[1, True] and [1.0, 1]", list(1, true), list(new Float(1), 1), true],
    ["list and tuple", list(1), tuple(1), false],
    ["set and frozenset", set(1, "a"), frozen(new Float(1), "a"), true],
    ["{True, 0} and {0, 1.0}", set(true, 0), set(0, new Float(1)), true],
    ["{False, 2} and {0, 2}", set(false, 2), frozen(0, 2), true],
    ["{True, 0} and {0, 2}", set(true, 0), set(0, 2), false],
    ["{(True,), (0,)} and {(0,), (1,)}", set(tuple(0), tuple(true)), set(tuple(0), tuple(1)), true],
    ["{0.5, 2} and {0.5, 2.0}", set(new Float(0.5), 2), set(new Float(0.5), new Float(2)), true],
    ["dicts of keys of two types in two orders", dict("a", 1, 2, 1), dict(new Float(2), 1, "a", 1), true],
    ["dicts in two orders", dict("a", 1, "b", 2), dict("b", 2, "a", true), true],
    ["dicts of other values", dict("a", 1, "b", 2), dict("a", 2, "b", 1), false],
    ["range(0, 3, 2) and range(0, 4, 2)", range(0, 3, 2), range(0, 4, 2), true],
    ["range(0) and range(2, 1)", range(0, 0, 1), range(2, 1, 1), true],
    ["range(1, 2) and range(1, 9, 10)", range(1, 2, 1), range(1, 9, 10), true],
    ["range(3) and [0, 1, 2]", range(0, 3, 1), list(0, 1, 2), false],
    ["datetime and duration", new Datetime(1), new Duration(1), false],
    ["subjects of two Kinds", new Subject("A", "x"), new Subject("m.A", "x"), false],
  ])("[rulings, Equality] %s", (_, a, b, equal) => {
    const [one, other] = [a, b].map((datum) => identityKey(equalityRepresentative(datum)!));
    expect(one === other).toBe(equal);
  });

  test("[rulings, Equality] the scalars that equal one are all of those that do", () => {
    const zeros = [0, false, new Float(0), new Float(-0), ...[0, -0].flatMap((re) => [new Complex(re, 0), new Complex(re, -0)])];
    const doubles = [0.5, -0.5, 2, 2 ** 53, 1e300, -1e300, Number.POSITIVE_INFINITY, Number.NaN];
    const numbers = doubles.flatMap((v) => [new Float(v), new Complex(v, 0), new Complex(v, -0), new Complex(0, v), new Complex(-0, v)]);
    const ints = [1, true, 2, 2n ** 53n, 2n ** 53n + 1n, BigInt(1e300), BigInt(1e300) + 1n, 10n ** 400n];
    const scalars = [...ORDERED.filter((one) => !(one instanceof StoredCollection)), ...zeros, ...numbers, ...ints];
    const form = (datum: Datum) =>
      identityKey(
        typeof datum === "bigint" && datum <= Number.MAX_SAFE_INTEGER && datum >= Number.MIN_SAFE_INTEGER ? Number(datum) : datum,
      );
    for (const a of scalars) {
      const same = equalityRepresentative(a);
      const equals = new Set(equalScalars(a)!.map(form));
      expect(same === undefined ? 0 : 1).toBe(equals.has(form(a)) ? 1 : 0);
      for (const b of scalars) {
        const other = equalityRepresentative(b);
        expect([a, b, equals.has(form(b))]).toEqual([
          a,
          b,
          same !== undefined && other !== undefined && identityKey(same) === identityKey(other),
        ]);
      }
    }
    expect(equalScalars(list(1))).toBeNull();
  });

  test("[rulings, Equality] NaN equals nothing, nor does what holds one", () => {
    expect(equalityRepresentative(new Float(Number.NaN))).toBeUndefined();
    expect(equalityRepresentative(list(1, new Float(Number.NaN)))).toBeUndefined();
    expect(equalityRepresentative(new Complex(Number.NaN, 1))).toBeUndefined();
  });
});

test("[SipHash-2-4] the vectors of its authors", () => {
  const key = new SipKey([0x0706050403020100n, 0x0f0e0d0c0b0a0908n]);
  const vectors: [number, bigint][] = [
    [0, 0x726fdb47dd0e0e31n],
    [1, 0x74f839c593dc67fdn],
    [7, 0xab0200f58b01d137n],
    [8, 0x93f5f5799a932462n],
    [15, 0xa129ca6149be45e5n],
    [63, 0x958a324ceb064572n],
  ];
  for (const [length, hash] of vectors) {
    sipHash(
      key,
      Uint8Array.from({ length }, (_, i) => i),
    );
    expect((BigInt(sipResult.high) << 32n) | BigInt(sipResult.low), String(length)).toBe(hash);
  }
});

describe("symbol table", () => {
  function fresh() {
    const sql = new SqlNode();
    const cipher = new CipherNode();
    createTables(sql);
    return { sql, cipher, open: () => new SymbolTable(sql, cipher) };
  }
  function stored(sql: SqlNode, cipher: CipherNode) {
    return new SymbolPages(sql, cipher)
      .read(1)
      .entries()
      .map(({ id, refs }) => ({ id, refs }));
  }
  function store(sql: SqlNode, table: SymbolTable, ids: readonly number[], change = 1) {
    for (const id of ids) table.count(id, change);
    sql.transaction(() => table.flush());
    table.settle();
  }

  test("a symbol is one id for one value, found again after reopening; find makes none", () => {
    const { sql, open } = fresh();
    const table = open();
    const ids = ORDERED.map((datum) => table.datumId(datum));
    expect(new Set(ids).size).toBe(ORDERED.length);
    store(sql, table, ids);
    const again = open();
    expect(ORDERED.map((datum) => again.findDatumId(datum))).toEqual(ids);
    expect(ids.map((id) => again.datumOf(id))).toEqual(ORDERED);
    expect(again.findDatumId("never seen")).toBe(0);
    expect(again.datumId("never seen")).toBeGreaterThan(Math.max(...ids));
  });

  test("ids in memory only are stored late, out of order, and lie where they are looked for", () => {
    const { sql, open } = fresh();
    const table = open();
    const ids = Array.from({ length: 9000 }, (_, i) => table.datumId(`value number ${i}`));
    const late = ids.filter((_, i) => i % 1000 === 7);
    store(
      sql,
      table,
      ids.filter((id) => !late.includes(id)),
    );
    store(sql, table, late);
    const again = open();
    for (const i of [0, 7, 8, 1007, 4321, 8007, 8999]) {
      expect(again.findDatumId(`value number ${i}`)).toBe(ids[i]);
      expect(again.datumOf(ids[i])).toBe(`value number ${i}`);
    }
  });

  test("counts go up and down over flushes and the last one erases; a rolled-back flush changes nothing", () => {
    const { sql, cipher, open } = fresh();
    const table = open();
    const id = table.datumId("v");
    store(sql, table, [id, id]);
    store(sql, table, [id], -1);
    expect(stored(sql, cipher)).toEqual([{ id, refs: 1 }]);
    const undone = new Error("undone");
    table.count(id, -1);
    expect(() =>
      sql.transaction(() => {
        table.flush();
        throw undone;
      }),
    ).toThrow(undone);
    table.abandon();
    expect(table.datumOf(id)).toBe("v");
    store(sql, table, [id], -1);
    expect(sql.exec("SELECT count(*) FROM symbol_page")).toEqual([[0]]);
    expect(table.datumOf(id)).toBe("v");
    expect(open().findDatumId("v")).toBe(0);
  });

  test("two values of one hash are told apart by comparing", () => {
    const { sql, open } = fresh();
    const table = open();
    const [x, y] = ["x", "y"].map((text) => table.datumId(text));
    store(sql, table, [x, y]);
    const keys = summedWords(sql.exec("SELECT keys FROM symbol_page")[0][0] as Uint8Array);
    keys.copyWithin(4, 1, 3);
    sql.exec("UPDATE symbol_page SET keys = ?", summedBlob(keys));
    expect(open().findDatumId("x")).toBe(x);
    expect(open().findDatumId("y")).toBe(0);
  });

  test("a look-up that finds nothing asks no more than it must, and one that should find does", () => {
    const { sql, open } = fresh();
    const table = open();
    const ids = Array.from({ length: 5000 }, (_, i) => table.datumId(`known ${i}`));
    store(sql, table, ids);
    const again = open();
    sql.calls = 0;
    for (let i = 0; i < 5000; i++) expect(again.findDatumId(`unknown ${i}`)).toBe(0);
    expect(sql.calls).toBeLessThan(20);
    for (let i = 0; i < 5000; i++) expect(again.findDatumId(`known ${i}`)).toBe(ids[i]);
    for (const id of ids.slice(0, 4000)) again.count(id, -1);
    store(sql, again, [again.datumId("fresh")]);
    expect([again, open()].map((one) => one.findDatumId("fresh") > 0 && one.findDatumId("known 4000") === ids[4000])).toEqual([true, true]);
    expect(open().findDatumId("known 3999")).toBe(0);
  });

  test("long texts are held until they weigh too much, then read again", () => {
    const { sql, open } = fresh();
    const table = open();
    const letters = 1 << 20;
    const held = Math.floor(SYMBOLS_HELD_BYTES_MAX / (3 * letters));
    const ids = Array.from({ length: 2 * held }, (_, i) => table.datumId(`${i} `.padEnd(letters, "x")));
    store(sql, table, ids);
    const again = open();
    const callsFor = (some: readonly number[]) => {
      sql.calls = 0;
      for (const id of some) expect((again.datumOf(id) as string).length).toBe(letters);
      return sql.calls;
    };
    callsFor(ids.slice(0, held - 2));
    expect(callsFor(ids.slice(0, held - 2))).toBe(0);
    callsFor(ids);
    expect(callsFor(ids.slice(0, held - 2))).toBe(held - 2);
  });

  test("what nothing stored names weighs what it has, until it is stored, and again once the last row that named it goes", () => {
    const { sql, open } = fresh();
    const table = open();
    const id = table.datumId("x".repeat(1000));
    expect(table.unstoredBytes).toBe(3000);
    store(sql, table, [id]);
    expect(table.unstoredBytes).toBe(0);
    const again = open();
    expect(again.datumOf(id)).toBe("x".repeat(1000));
    expect(again.unstoredBytes).toBe(0);
    sql.transaction(() => {
      again.count(id, -1);
      again.flush();
    });
    again.settle();
    expect(again.unstoredBytes).toBe(3000);
  });

  test("one id for what Python finds equal, none for NaN", () => {
    const table = fresh().open();
    const id = (datum: Datum) => table.equalityId(table.datumId(datum));
    expect(new Set([1, new Float(1), true, new Complex(1, 0)].map(id)).size).toBe(1);
    expect(id(new Float(Number.NaN))).toBe(-1);
    expect(id("1")).toBe(table.datumId("1"));
    expect(id(list(true))).toBe(id(list(1)));
  });

  test("fields are pairs of names with ids that last as long as something refers to them", () => {
    const { sql, open } = fresh();
    const table = open();
    const field = table.fieldId("m.K", "x");
    expect(table.fieldId("m.K", "x")).toBe(field);
    expect(table.findFieldId("m.K", "y")).toBe(0);
    table.countField(field, 1);
    store(sql, table, []);
    const again = open();
    expect(again.findFieldId("m.K", "x")).toBe(field);
    expect(again.fieldOf(field)).toMatchObject({ kind: "m.K", field: "x" });
    again.countField(field, -1);
    store(sql, again, []);
    expect(sql.exec("SELECT count(*) FROM field")).toEqual([[0]]);
    expect(sql.exec("SELECT count(*) FROM symbol_page")).toEqual([[0]]);
  });
});

test("a blob of numbers is read wherever it lies, and no bit of it may differ", () => {
  const words = Uint32Array.from([0, 1, 0x7fffffff, 0x80000000, 0xffffffff]);
  const blob = summedBlob(words);
  // The sum that stores have held from the first.
  expect(new Uint32Array(blob.buffer)[5]).toBe([...words].reduce(addToSum, startSum()) >>> 0);
  for (let offset = 0; offset < 4; offset++) {
    const lying = new Uint8Array(blob.length + 4).subarray(offset, offset + blob.length);
    lying.set(blob);
    expect(summedWords(lying)).toEqual(words);
    for (let bit = 0; bit < 8 * blob.length; bit++) {
      lying[bit >> 3] ^= 1 << (bit & 7);
      expect(() => summedWords(lying)).toThrow(/not what was written/);
      lying[bit >> 3] ^= 1 << (bit & 7);
    }
  }
});

describe("the index of hashes", () => {
  const PAGES = 150;
  const SYMBOLS_A_PAGE = 30;

  function fresh() {
    const sql = new SqlNode();
    createTables(sql);
    return sql;
  }
  /** What a page says of its symbols. */
  function writePage(sql: SqlNode, page: number, symbols: readonly HashedSymbol[]) {
    const keys = summedBlob(Uint32Array.from(symbols.flatMap(({ hash, id }) => [id, hash, 0])));
    sql.exec("INSERT OR REPLACE INTO symbol_page VALUES (?, 0, 0, ?, ?, ?, 0)", page, new Uint8Array(), keys, new Uint8Array());
  }
  /** Ids by page, as they lie in chunks. */
  function inChunks(sql: SqlNode): number[] {
    return sql.exec("SELECT first FROM symbol_hash").flatMap(([first]) => {
      const { pairs } = readChunk(sql, first as number)!;
      return [...pairs].filter((_, i) => i % 2 === 1);
    });
  }

  test.each<[string, (i: number) => number]>([
    ["spread over all stripes", (i) => Math.imul(i, 0x9e3779b1) >>> 0],
    ["all in one stripe", (i) => i],
    ["of few values, each of many", (i) => Math.imul(i % 7, 0x9e3779b1) >>> 0],
    ["in the last stripe", (i) => 0xffffffff - i],
  ])("finds what is stored and nothing that went, opened anew or not, and keeps each once: hashes %s", (_, hashOf) => {
    const chance = seeded(7);
    const sql = fresh();
    let index = new SymbolIndex(sql);
    const pages = new Map<number, HashedSymbol[]>();
    const page = (number: number) => pages.get(number) ?? [];
    let id = 0;
    for (let number = 1; number <= PAGES; number++) {
      index.beginPage(number);
      const fill = Array.from({ length: SYMBOLS_A_PAGE }, () => ({ hash: hashOf(++id), id }));
      for (const symbol of fill) index.add(symbol);
      pages.set(number, fill);
      writePage(sql, number, fill);
      const from = chance.below(number) + 1;
      const gone = page(from).filter(() => chance.below(3) === 0);
      pages.set(
        from,
        page(from).filter((symbol) => !gone.includes(symbol)),
      );
      writePage(sql, from, page(from));
      index.remove(gone);
      if (chance.below(20) === 0) index = new SymbolIndex(sql);
    }
    const stored = new Set([...pages.values()].flat().map((symbol) => symbol.id));
    for (const one of [index, new SymbolIndex(sql)]) {
      for (let i = 1; i <= id + 100; i++) expect(one.find(hashOf(i), (found) => found === i)).toBe(stored.has(i) ? i : 0);
    }
    const put = inChunks(sql);
    expect(new Set(put).size).toBe(put.length);
    expect(put.every((one) => stored.has(one))).toBe(true);
    index.remove([...pages.values()].flat());
    expect(inChunks(sql)).toEqual([]);
  });

  test("a stripe has as many chunks as it needs, fewer when symbols go", () => {
    const sql = fresh();
    const index = new SymbolIndex(sql);
    const symbols = Array.from({ length: 5000 }, (_, i) => ({ hash: i << 13, id: i + 1 }));
    const chunks = () => sql.exec("SELECT count(*) FROM symbol_hash WHERE first < ?", 2 ** 26)[0][0];
    for (const symbol of symbols) index.add(symbol);
    index.beginPage(65);
    expect(chunks()).toBe(8);
    index.remove(symbols.slice(0, 4500));
    index.beginPage(129);
    expect(chunks()).toBe(1);
    for (const one of [index, new SymbolIndex(sql)]) expect(one.find(4999 << 13, () => true)).toBe(5000);
  });

  test("symbols go from more chunks than are held at once, and none is left", () => {
    const sql = fresh();
    const count = 5000;
    const index = new SymbolIndex(sql, (count * 8) / 4);
    const symbols = Array.from({ length: count }, (_, i) => ({ hash: Math.imul(i, 0x9e3779b1) >>> 0, id: i + 1 }));
    for (const symbol of symbols) index.add(symbol);
    index.beginPage(65);
    expect(inChunks(sql).length).toBe(count);
    // Many times through all chunks: the first are let go before their second time.
    index.remove(symbols);
    expect(inChunks(sql)).toEqual([]);
  });

  test("a look-up reads the pages that are not put away yet and one chunk, however many there are", () => {
    const sql = fresh();
    const index = new SymbolIndex(sql);
    for (let number = 1; number <= 300; number++) {
      index.beginPage(number);
      const symbols = Array.from({ length: 50 }, (_, i) => ({ hash: Math.imul(50 * number + i, 0x9e3779b1) >>> 0, id: 50 * number + i }));
      for (const symbol of symbols) index.add(symbol);
      writePage(sql, number, symbols);
    }
    sql.exec("DELETE FROM symbol_page WHERE id < 236");
    const hash = Math.imul(77, 0x9e3779b1) >>> 0;
    const chunk = stripeFirst(stripeOf(hash));
    sql.exec("DELETE FROM symbol_hash WHERE first <> ?", chunk);
    expect(new SymbolIndex(sql).find(hash, (id) => id === 77)).toBe(77);
    sql.exec("DELETE FROM symbol_hash");
    expect(() => new SymbolIndex(sql).find(hash, () => true)).toThrow(/the index of names and values is not what was written/);
  });

  test("what an older store has is put away in one step as it would lie there by now, and a number once used for a full page is not used again", () => {
    const sql = fresh();
    const cipher = new CipherNode();
    const texts = Array.from({ length: 3000 }, (_, i) => `value number ${i} ${"x".repeat(700)}`);
    const table = new SymbolTable(sql, cipher);
    const ids = texts.map((text) => table.datumId(text));
    const store = (one: SymbolTable, some: readonly number[], change: number) => {
      for (const id of some) one.count(id, change);
      sql.transaction(() => one.flush());
      one.settle();
    };
    store(table, ids, 1);
    const [[pages]] = sql.exec("SELECT max(id) FROM symbol_page") as number[][];
    expect(pages).toBeGreaterThan(130);
    const chunks = () => sql.exec("SELECT first, words FROM symbol_hash ORDER BY first");
    const before = chunks();
    sql.exec("DELETE FROM symbol_hash");
    writeAllChunks(sql, pages - 1);
    expect(chunks()).toEqual(before);
    store(table, ids.slice(-200), -1);
    const [[left]] = sql.exec("SELECT max(id) FROM symbol_page") as number[][];
    expect(left).toBeLessThan(pages - 1);
    const again = new SymbolTable(sql, cipher);
    const late = again.datumId("late");
    store(again, [late], 1);
    expect(sql.exec("SELECT max(id) FROM symbol_page")).toEqual([[pages]]);
    const third = new SymbolTable(sql, cipher);
    expect([texts[0], texts[2799], texts[2800], "late"].map((text) => third.findDatumId(text))).toEqual([ids[0], ids[2799], 0, late]);
  });
});

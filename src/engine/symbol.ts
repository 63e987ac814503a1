/**
 * Names and values as small integers, and the pairs (kind, field) likewise.
 *
 * A symbol lives in memory from the moment somebody asks for its id; it is written only once a row that is
 * written refers to it, and erased with the last such row. Ids grow and are never reused while the store is
 * open, so rules may keep them; an id that nothing stored refers to is forgotten with this memory: store.ts, `rest`.
 * Look-up by value goes through a keyed 64-bit hash, collisions settled by comparing.
 *
 * Reads use `find…`, which never makes a symbol. Id 0 is nobody's.
 */
import { Complex, type Datum, Float, StoredCollection, Subject } from "../datum";
import { assert } from "../failure";
import { SYMBOL_PAGE_BYTES, SYMBOL_TAIL_BYTES, SYMBOLS_HELD_BYTES_MAX, SYMBOLS_HELD_MAX } from "../limits";
import { decodeDatum, encodeDatum, identityKey } from "./datum-code";
import { equalityRepresentative } from "./datum-equality";
import { datumBytes } from "./datum-size";
import { SipKey, sipHash, sipResult } from "./siphash";
import type { Cipher, Sql } from "./sql";
import { addToSum, damaged, startSum } from "./stored-sum";
import { type HashedSymbol, SymbolIndex } from "./symbol-index";
import { type PageEntry, SymbolPages } from "./symbol-page";

/** A kind and a field of it, as stored. */
export interface Field {
  readonly id: number;
  readonly kind: string;
  readonly field: string;
}

/** Canonical bytes of a value and the halves of their keyed hash. */
interface Coded {
  readonly bytes: Uint8Array;
  readonly low: number;
  readonly high: number;
}

class Entry {
  /** References that rows gained and lost since the last flush. */
  delta = 0;
  constructor(
    readonly id: number,
    readonly datum: Datum,
    /** The page it is stored in; 0 while only in memory. */
    public page: number,
    /** Kept from a look-up in vain until it is stored, so that nothing is hashed twice. */
    public coded: Coded | null,
  ) {}
}

class FieldEntry implements Field {
  delta = 0;
  /** What `stored` becomes when the transaction at work stands. */
  willBeStored: boolean;
  constructor(
    readonly id: number,
    readonly kind: string,
    readonly field: string,
    public stored: boolean,
  ) {
    this.willBeStored = stored;
  }
}

export class SymbolTable {
  readonly #sql: Sql;
  readonly #pages: SymbolPages;
  /** Null until a value is looked up that is not in memory, or one is stored. */
  #index: SymbolIndex | null = null;
  readonly #key: SipKey;
  readonly #entries = new Map<number, Entry>();
  readonly #texts = new Map<string, Entry>();
  readonly #ints = new Map<number, Entry>();
  readonly #subjects = new Map<string, Map<string, Entry>>();
  readonly #others = new Map<string, Entry>();
  readonly #equal = new Map<number, number>();
  readonly #fields = new Map<number, FieldEntry>();
  readonly #fieldIds = new Map<string, Map<string, FieldEntry>>();
  readonly #changed = new Set<Entry>();
  readonly #changedFields = new Set<FieldEntry>();
  #heldMax = SYMBOLS_HELD_MAX;
  /** Of the entries' values, about. */
  #heldBytes = 0;
  #heldBytesMax = SYMBOLS_HELD_BYTES_MAX;
  #unstoredBytes = 0;
  #nextId: number;
  #nextFieldId: number;
  /** Where symbols will lie when the transaction at work stands. */
  #moves: { readonly entry: Entry; readonly page: number }[] = [];
  /** What the last look-up among the stored did not find. */
  #lookedUp: Coded | null = null;
  /** True while every stored symbol is in memory: what is not there then is nowhere. */
  #whole: boolean;

  constructor(sql: Sql, cipher: Cipher) {
    this.#sql = sql;
    this.#pages = new SymbolPages(sql, cipher);
    this.#key = new SipKey(cipher.lookupKey);
    this.#nextId = this.#pages.lastId() + 1;
    this.#whole = this.#nextId === 1;
    this.#nextFieldId = 1;
    for (const [id, kind, field, sum] of sql.exec("SELECT id, kind, name, sum FROM field ORDER BY id") as number[][]) {
      if (sum !== sumOfField(id, kind, field)) throw damaged("a field");
      this.#addField(id, this.datumOf(kind) as string, this.datumOf(field) as string, true);
    }
  }

  /** The id of a value, made if need be. */
  datumId(datum: Datum): number {
    this.#lookedUp = null;
    const known = this.#look(datum);
    return (known ?? this.#add(this.#nextId++, datum, 0, this.#lookedUp)).id;
  }

  subjectId(kind: string, name: string): number {
    const known = this.#subjects.get(kind)?.get(name);
    if (known !== undefined) return known.id;
    const subject = new Subject(kind, name);
    this.#lookedUp = null;
    const stored = this.#whole ? undefined : this.#lookStored(subject);
    return (stored ?? this.#add(this.#nextId++, subject, 0, this.#lookedUp)).id;
  }

  /** 0 where no symbol stands for it. */
  findDatumId(datum: Datum): number {
    return this.#look(datum)?.id ?? 0;
  }

  findSubjectId(kind: string, name: string): number {
    const known = this.#subjects.get(kind)?.get(name) ?? (this.#whole ? undefined : this.#lookStored(new Subject(kind, name)));
    return known?.id ?? 0;
  }

  datumOf(id: number): Datum {
    return this.#entryOf(id).datum;
  }

  /** One id for all values that Python's `==` finds equal; -1 for what equals nothing. */
  equalityId(id: number): number {
    const datum = this.datumOf(id);
    if (typeof datum !== "boolean" && !(datum instanceof Float || datum instanceof Complex || datum instanceof StoredCollection)) return id;
    const known = this.#equal.get(id);
    if (known !== undefined) return known;
    const same = equalityRepresentative(datum);
    const result = same === undefined ? -1 : same === datum ? id : this.datumId(same);
    this.#equal.set(id, result);
    return result;
  }

  /** True where no stored row can refer to this symbol. */
  isOnlyInMemory(id: number): boolean {
    return this.#entries.get(id)?.page === 0;
  }

  /** Of the values held that no stored row refers to, about: SQL cannot give them back, so they stay as long as this does. */
  get unstoredBytes(): number {
    return this.#unstoredBytes;
  }

  /** The id of a pair (kind, field), made if need be. */
  fieldId(kind: string, field: string): number {
    return (this.#fieldIds.get(kind)?.get(field) ?? this.#addField(this.#nextFieldId, kind, field, false)).id;
  }

  /** 0 where nobody ever named that pair. */
  findFieldId(kind: string, field: string): number {
    return this.#fieldIds.get(kind)?.get(field)?.id ?? 0;
  }

  fieldOf(id: number): Field {
    const field = this.#fields.get(id);
    assert(field !== undefined, "a field's id is known");
    return field;
  }

  fieldsOf(kind: string): Iterable<Field> {
    return this.#fieldIds.get(kind)?.values() ?? [];
  }

  allFields(): Iterable<Field> {
    return this.#fields.values();
  }

  isFieldOnlyInMemory(id: number): boolean {
    return this.#fields.get(id)?.stored !== true;
  }

  /** A row that refers to the symbol is about to be written (+1) or removed (-1). */
  count(id: number, change: number): void {
    const entry = this.#entryOf(id);
    if (entry.delta === 0) this.#changed.add(entry);
    entry.delta += change;
  }

  countField(id: number, change: number): void {
    const field = this.#fields.get(id);
    assert(field !== undefined, "a field's id is known");
    field.delta += change;
    this.#changedFields.add(field);
  }

  /**
   * Writes what `count` gathered, inside the transaction that writes the rows themselves. Memory follows only with
   * `settle`, so that a transaction that fails is forgotten by `abandon`.
   */
  flush(): void {
    this.#flushFields();
    const fresh: Entry[] = [];
    const counted = new Map<number, Entry[]>();
    for (const entry of this.#changed) {
      if (entry.page === 0) {
        assert(entry.delta >= 0, "a symbol loses no reference it never had");
        if (entry.delta > 0) fresh.push(entry);
      } else if (entry.delta !== 0) {
        const others = counted.get(entry.page);
        if (others === undefined) counted.set(entry.page, [entry]);
        else others.push(entry);
      }
    }
    const gone: HashedSymbol[] = [];
    for (const [page, entries] of counted) this.#recount(page, entries, gone);
    if (gone.length > 0) this.#hashes().remove(gone);
    if (fresh.length > 0) this.#store(fresh);
  }

  /** The transaction of `flush` stands. */
  settle(): void {
    for (const { entry, page } of this.#moves) {
      if (page === 0) this.#unstoredBytes += datumBytes(entry.datum);
      else if (entry.page === 0) this.#unstoredBytes -= datumBytes(entry.datum);
      entry.page = page;
      entry.coded = null;
    }
    for (const field of this.#changedFields) field.stored = field.willBeStored;
    this.#clearCounts();
    this.#shed();
  }

  /** The transaction of `flush` was undone, or never came: `count` starts from nothing. */
  abandon(): void {
    for (const field of this.#changedFields) field.willBeStored = field.stored;
    this.#clearCounts();
    this.#pages.close();
    this.#index = null;
  }

  #clearCounts(): void {
    for (const entry of this.#changed) entry.delta = 0;
    for (const field of this.#changedFields) field.delta = 0;
    this.#changed.clear();
    this.#changedFields.clear();
    this.#moves = [];
  }

  /** New counts for symbols of one page; those that nothing refers to any longer leave it, and join `gone`. */
  #recount(id: number, entries: readonly Entry[], gone: HashedSymbol[]): void {
    const page = this.#pages.read(id);
    const refs = page.refs.slice();
    const before = gone.length;
    for (const entry of entries) {
      const place = page.place(entry.id);
      assert(place >= 0 && refs[place] + entry.delta >= 0, "a symbol loses no reference it never had");
      refs[place] += entry.delta;
      if (refs[place] !== 0) continue;
      gone.push({ hash: page.keys[3 * place + 1], id: entry.id });
      this.#moves.push({ entry, page: 0 });
    }
    if (gone.length === before) this.#pages.writeRefs(page, refs);
    else
      this.#pages.write(
        id,
        page.entries().flatMap((entry, i) => (refs[i] === 0 ? [] : [{ ...entry, refs: refs[i] }])),
      );
  }

  /** Packs new symbols into pages; the last page is filled up while it is small, so that single writes do not leave a page each. */
  #store(fresh: Entry[]): void {
    fresh.sort((a, b) => a.id - b.id);
    const index = this.#hashes();
    let page = this.#pages.lastPage();
    const last = page > index.fullPage ? this.#pages.read(page) : null;
    const filled = last !== null && last.bytes.length <= SYMBOL_TAIL_BYTES;
    if (!filled) index.beginPage((page = Math.max(page, index.fullPage) + 1));
    let entries: PageEntry[] = filled ? last.entries() : [];
    let size = filled ? last.bytes.length : 0;
    for (const entry of fresh) {
      const { bytes, low, high } = entry.coded ?? this.#code(entry.datum);
      if (size > 0 && size + bytes.length > SYMBOL_PAGE_BYTES) {
        this.#pages.write(page++, ascending(entries));
        index.beginPage(page);
        entries = [];
        size = 0;
      }
      entries.push({ id: entry.id, low, high, refs: entry.delta, bytes });
      size += bytes.length;
      this.#moves.push({ entry, page });
      index.add({ hash: low, id: entry.id });
    }
    this.#pages.write(page, ascending(entries));
  }

  #flushFields(): void {
    for (const field of this.#changedFields) {
      const { id, delta } = field;
      if (delta === 0) continue;
      if (!field.stored) {
        assert(delta > 0, "a field loses no reference it never had");
        const kind = this.datumId(field.kind);
        const name = this.datumId(field.field);
        const sum = sumOfField(id, kind, name);
        this.#sql.exec("INSERT INTO field (id, kind, name, refs, sum) VALUES (?, ?, ?, ?, ?)", id, kind, name, delta, sum);
        this.count(kind, 1);
        this.count(name, 1);
        field.willBeStored = true;
        continue;
      }
      const [[refs]] = this.#sql.exec("UPDATE field SET refs = refs + ? WHERE id = ? RETURNING refs", delta, id);
      assert((refs as number) >= 0, "a field loses no reference it never had");
      if (refs !== 0) continue;
      this.#sql.exec("DELETE FROM field WHERE id = ?", id);
      this.count(this.datumId(field.kind), -1);
      this.count(this.datumId(field.field), -1);
      field.willBeStored = false;
    }
  }

  /** Drops every symbol that SQL can give back, where too many are held. Not between `count` and `settle`. */
  #shed(): void {
    const isFull = this.#entries.size > this.#heldMax || this.#heldBytes > this.#heldBytesMax;
    if (!isFull || this.#changed.size > 0) return;
    const kept = [...this.#entries.values()].filter((entry) => entry.page === 0);
    for (const map of [this.#entries, this.#texts, this.#ints, this.#subjects, this.#others, this.#equal]) map.clear();
    this.#heldBytes = 0;
    this.#unstoredBytes = 0;
    for (const entry of kept) this.#hold(entry);
    // Where most are in memory only, dropping the rest again and again would only cost time.
    this.#heldMax = Math.max(SYMBOLS_HELD_MAX, kept.length * 2);
    this.#heldBytesMax = Math.max(SYMBOLS_HELD_BYTES_MAX, this.#heldBytes * 2);
    this.#whole = false;
  }

  #entryOf(id: number): Entry {
    return this.#entries.get(id) ?? this.#load(id);
  }

  #load(id: number): Entry {
    this.#shed();
    const { page, place } = this.#pages.find(id);
    return this.#add(id, decodeDatum(page.bytesAt(place)), page.id);
  }

  #look(datum: Datum): Entry | undefined {
    let known: Entry | undefined;
    if (typeof datum === "string") known = this.#texts.get(datum);
    else if (typeof datum === "number") known = this.#ints.get(datum);
    else if (datum instanceof Subject) known = this.#subjects.get(datum.kind)?.get(datum.name);
    else known = this.#others.get(identityKey(datum));
    return known ?? (this.#whole ? undefined : this.#lookStored(datum));
  }

  #lookStored(datum: Datum): Entry | undefined {
    const coded = this.#code(datum);
    let page = 0;
    const id = this.#hashes().find(coded.low, (candidate) => {
      const found = this.#pages.find(candidate);
      page = found.page.id;
      return found.page.holds(found.place, coded.bytes);
    });
    if (id === 0) {
      this.#lookedUp = coded;
      return undefined;
    }
    return this.#entries.get(id) ?? this.#add(id, datum, page);
  }

  #hashes(): SymbolIndex {
    this.#index ??= new SymbolIndex(this.#sql);
    return this.#index;
  }

  #code(datum: Datum): Coded {
    const bytes = encodeDatum(datum);
    sipHash(this.#key, bytes);
    return { bytes, low: sipResult.low, high: sipResult.high };
  }

  #add(id: number, datum: Datum, page: number, coded: Coded | null = null): Entry {
    const entry = new Entry(id, datum, page, coded);
    this.#hold(entry);
    return entry;
  }

  #hold(entry: Entry): void {
    const { id, datum } = entry;
    this.#entries.set(id, entry);
    const bytes = datumBytes(datum);
    this.#heldBytes += bytes;
    if (entry.page === 0) this.#unstoredBytes += bytes;
    if (typeof datum === "string") this.#texts.set(datum, entry);
    else if (typeof datum === "number") this.#ints.set(datum, entry);
    else if (datum instanceof Subject) {
      const names = this.#subjects.get(datum.kind);
      if (names === undefined) this.#subjects.set(datum.kind, new Map([[datum.name, entry]]));
      else names.set(datum.name, entry);
    } else this.#others.set(identityKey(datum), entry);
  }

  #addField(id: number, kind: string, field: string, stored: boolean): FieldEntry {
    const entry = new FieldEntry(id, kind, field, stored);
    this.#fields.set(id, entry);
    const named = this.#fieldIds.get(kind);
    if (named === undefined) this.#fieldIds.set(kind, new Map([[field, entry]]));
    else named.set(field, entry);
    this.#nextFieldId = Math.max(this.#nextFieldId, id + 1);
    return entry;
  }
}

function sumOfField(id: number, kind: number, name: number): number {
  return addToSum(addToSum(addToSum(startSum(), id), kind), name) >>> 0;
}

/** A symbol that was only in memory may be stored after later ones. */
function ascending(entries: PageEntry[]): PageEntry[] {
  return entries.sort((a, b) => a.id - b.id);
}

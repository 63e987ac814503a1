/**
 * The log of what the ops of this endpoint did, in the order of happening, never changed.
 *
 * An event is written with the slice of its op, so it is there when what it tells of is. It is no claim: no rule sees it,
 * no mark brings back what came before it and no removal takes it. The newest `EVENTS_MAX` are kept. The events of a slice are
 * one sealed row, beside which stand their places in the log and their instants. The first digits of an event's id are its
 * place, shuffled, and so lead to it.
 */
import { ByteReader, ByteWriter } from "../../engine/byte-writer";
import type { Cipher, Sql } from "../../engine/sql";
import { numberOf } from "../../lang/ops/json-literal";
import { instantText } from "../../lang/value/instant-text";
import { EVENTS_MAX } from "../../limits";
import { type IdText, recordId } from "../kg/record-id";
import { type JsonObject, jsonText, type RequestJson } from "../request-json";
import type { EventKind, EventOutcome, EventSaid } from "./event-kind";

/** An event as it is kept. */
export interface EventWish extends EventSaid {
  readonly kind: EventKind;
  readonly verb: string;
  readonly namespace: string;
  readonly actor: string;
  readonly outcome: EventOutcome;
  /** Digits of the label of its request. */
  readonly request: string;
  readonly micros: number;
}

export interface EventRef {
  readonly id: string;
  /** Its place in the log, from 1. */
  readonly seq: number;
  readonly said: EventWish;
}

const TABLE =
  "CREATE TABLE IF NOT EXISTS kg_event_page (first INTEGER PRIMARY KEY, last INTEGER NOT NULL, since INTEGER NOT NULL, until INTEGER NOT NULL, sealed BLOB NOT NULL)";

export class EventLog {
  readonly #sql: Sql;
  readonly #cipher: Cipher;
  readonly #bornAs: string;
  readonly #writer = new ByteWriter();
  /** Of the slice at work. */
  #unwritten: EventWish[] = [];
  /** Place of the last event that is written; null: not looked up. */
  #last: number | null = null;

  constructor(sql: Sql, cipher: Cipher, bornAs: string) {
    this.#sql = sql;
    this.#cipher = cipher;
    this.#bornAs = bornAs;
    sql.exec(TABLE);
  }

  append(wish: EventWish): void {
    this.#unwritten.push(wish);
  }

  /** At the end of a slice. `full`: the store has no room, so the oldest events make some. */
  flush(full = false): void {
    const events = this.#unwritten;
    if (events.length === 0) return;
    this.#unwritten = [];
    this.#last ??= (this.#sql.exec("SELECT max(last) FROM kg_event_page")[0][0] as number | null) ?? 0;
    const first = this.#last + 1;
    const last = this.#last + events.length;
    if (full) this.#sql.exec("DELETE FROM kg_event_page WHERE first = (SELECT min(first) FROM kg_event_page)");
    if (last > EVENTS_MAX) this.#sql.exec("DELETE FROM kg_event_page WHERE last <= ?", last - EVENTS_MAX);
    this.#writer.clear();
    this.#writer.utf8(jsonText(events as unknown as RequestJson));
    const sealed = this.#cipher.seal(this.#writer.take(), contextOf(first));
    const { micros: since } = events[0];
    this.#sql.exec("INSERT INTO kg_event_page VALUES (?, ?, ?, ?, ?)", first, last, since, events[events.length - 1].micros, sealed);
    this.#last = last;
  }

  /** A slice was undone. */
  forget(): void {
    this.#unwritten = [];
    this.#last = null;
  }

  /** The one whose id this can be. */
  candidates(id: IdText): EventRef[] {
    if (id.tag === "name") return [];
    const digits = id.tag === "prefix" ? id.digits : id.id.replaceAll("-", "");
    const seq = placeOf(Number.parseInt(digits.slice(0, 8), 16));
    if (seq === 0) return [];
    this.flush();
    const rows = this.#sql.exec("SELECT first, sealed FROM kg_event_page WHERE first <= ? AND last >= ? LIMIT 1", seq, seq);
    return rows.flatMap((row) => this.#events(row)).filter((event) => event.seq === seq && event.id.replaceAll("-", "").startsWith(digits));
  }

  /** What was done at an instant: an op has one of its own, and the ops of a unit share one. */
  at(micros: number): EventRef[] {
    this.flush();
    // Instants ascend with places: the last page that begins by then.
    let page: readonly unknown[] | undefined;
    let from = 1;
    let to = this.#sql.exec("SELECT coalesce(max(first), 0) FROM kg_event_page")[0][0] as number;
    while (from <= to) {
      const middle = Math.floor((from + to) / 2);
      const row = this.#sql.exec("SELECT first, sealed, since FROM kg_event_page WHERE first >= ? ORDER BY first LIMIT 1", middle)[0];
      if ((row[2] as number) > micros) to = middle - 1;
      else {
        page = row;
        from = (row[0] as number) + 1;
      }
    }
    return page === undefined ? [] : this.#events(page).filter(({ said }) => said.micros === micros);
  }

  /** Before a place in the log, newest first. `from`, `to`: microseconds, from on and up to. */
  *newest({ before, from, to }: { readonly before: number; readonly from: number; readonly to: number }): Iterable<EventRef> {
    this.flush();
    for (let upTo = before; ; ) {
      const rows = this.#sql.exec(
        `SELECT first, sealed FROM kg_event_page WHERE first < ? AND until >= ? AND since < ? ORDER BY first DESC LIMIT ${BATCH_ROWS}`,
        upTo,
        from,
        to,
      );
      if (rows.length === 0) return;
      for (const row of rows) {
        for (const event of this.#events(row).reverse()) {
          if (event.seq < before && event.said.micros >= from && event.said.micros < to) yield event;
        }
        upTo = row[0] as number;
      }
    }
  }

  #events([first, sealed]: readonly unknown[]): EventRef[] {
    const bytes = this.#cipher.open(sealed as Uint8Array, contextOf(first as number));
    const said = JSON.parse(new ByteReader(bytes).utf8(bytes.length)) as EventWish[];
    return said.map((one, index) => {
      const seq = (first as number) + index;
      return { seq, id: `${headOfPlace(seq)}${recordId(`${this.#bornAs}/event`, seq, one.micros).slice(8)}`, said: one };
    });
  }
}

const BATCH_ROWS = 64;

function contextOf(first: number): string {
  return `events/${first}`;
}

/** Odd, so that it can be undone: places one after the other get digits far apart. */
const SHUFFLE = 0x9e3779b1;
/** SHUFFLE × UNSHUFFLE = 1, modulo 2^32. */
const UNSHUFFLE = inverseOf(SHUFFLE);

function headOfPlace(seq: number): string {
  return (Math.imul(seq, SHUFFLE) >>> 0).toString(16).padStart(8, "0");
}

function placeOf(head: number): number {
  return Math.imul(head, UNSHUFFLE) >>> 0;
}

/** Of an odd number, modulo 2^32: each step doubles the bits that are right. */
function inverseOf(odd: number): number {
  let inverse = odd;
  for (let i = 0; i < 5; i++) inverse = Math.imul(inverse, 2 - Math.imul(odd, inverse));
  return inverse;
}

/** The event as a row (request facts §8). */
export function eventRow({ id, said }: EventRef): JsonObject {
  const { namespace, verb, substrate, actor, kind, outcome, observed, selected, payload } = said;
  return {
    id,
    namespace,
    verb,
    substrate: substrate ?? null,
    actor,
    kind,
    outcome,
    payload: {
      request_id: numberOf(said.request),
      ...payload,
      ...(observed === undefined ? {} : { observed }),
      ...(selected === undefined ? {} : { selected }),
    },
    payload_schema_version: 1,
    profile_state_version: null,
    // A deployed worker's clock stands still while it computes, so there is nothing to tell.
    duration_us: null,
    target_id: said.target ?? null,
    session_id: said.session ?? null,
    aggregate_kind: said.aggregate?.kind ?? null,
    aggregate_id: said.aggregate?.id ?? null,
    created_at: instantText(said.micros),
  };
}

/**
 * The log of what the ops of this endpoint did: a row an event, in the order of happening, never changed.
 *
 * An event is written inside the slice of its op, so it is there when what it tells of is. It is no claim: no rule sees it,
 * no mark brings back what came before it and no removal takes it. The newest `EVENTS_MAX` are kept. A row has its instant,
 * the first digits of its id, which is a hash, and the rest sealed.
 */
import { ByteReader, ByteWriter } from "../../engine/byte-writer";
import type { Cipher, Sql } from "../../engine/sql";
import { numberOf } from "../../lang/ops/json-literal";
import { instantText } from "../../lang/value/instant-text";
import { EVENTS_MAX } from "../../limits";
import { headOf, type IdText, recordId } from "../kg/record-id";
import { type JsonObject, jsonText } from "../request-json";
import type { EventKind, EventOutcome, EventSaid } from "./event-kind";

/** An event as it is to be kept. */
export interface EventWish extends EventSaid {
  readonly kind: EventKind;
  readonly verb: string;
  readonly namespace: string;
  readonly actor: string;
  readonly outcome: EventOutcome;
  /** Digits of the label of its request. */
  readonly request: string;
}

export interface EventRef {
  readonly id: string;
  /** Its place in the log. */
  readonly seq: number;
  readonly micros: number;
  readonly said: EventWish;
}

export class EventLog {
  readonly #sql: Sql;
  readonly #cipher: Cipher;
  readonly #bornAs: string;
  readonly #writer = new ByteWriter();

  constructor(sql: Sql, cipher: Cipher, bornAs: string) {
    this.#sql = sql;
    this.#cipher = cipher;
    this.#bornAs = bornAs;
    sql.exec(
      "CREATE TABLE IF NOT EXISTS kg_event (seq INTEGER PRIMARY KEY, micros INTEGER NOT NULL, head INTEGER NOT NULL, sealed BLOB NOT NULL)",
    );
    sql.exec("CREATE INDEX IF NOT EXISTS kg_event_by_head ON kg_event (head)");
  }

  /** `full`: the store has no room, so the oldest event makes some. */
  append(wish: EventWish, micros: number, full: boolean): void {
    const [[first, last]] = this.#sql.exec("SELECT min(seq), max(seq) FROM kg_event") as (number | null)[][];
    const seq = (last ?? 0) + 1;
    if (first !== null && (full || seq - first >= EVENTS_MAX))
      this.#sql.exec("DELETE FROM kg_event WHERE seq <= ?", Math.max(first, seq - EVENTS_MAX));
    this.#writer.clear();
    this.#writer.utf8(jsonText({ ...wish }));
    const sealed = this.#cipher.seal(this.#writer.take(), contextOf(seq));
    this.#sql.exec("INSERT INTO kg_event VALUES (?, ?, ?, ?)", seq, micros, headOf(this.#idOf(seq, micros)), sealed);
  }

  /** Those whose id this can be. */
  candidates(id: IdText): EventRef[] {
    if (id.tag === "name") return [];
    const head = id.tag === "prefix" ? Number.parseInt(id.digits.slice(0, 8), 16) : headOf(id.id);
    const found = this.#sql.exec("SELECT seq, micros, sealed FROM kg_event WHERE head = ?", head).map((row) => this.#event(row));
    return found.filter((event) => (id.tag === "prefix" ? event.id.replaceAll("-", "").startsWith(id.digits) : event.id === id.id));
  }

  /** Before a place in the log, newest first. `from`, `to`: microseconds, from on and up to. */
  *newest({ before, from, to }: { readonly before: number; readonly from: number; readonly to: number }): Iterable<EventRef> {
    for (let upTo = before; ; ) {
      const rows = this.#sql.exec(
        `SELECT seq, micros, sealed FROM kg_event WHERE seq < ? AND micros >= ? AND micros < ? ORDER BY seq DESC LIMIT ${BATCH_ROWS}`,
        upTo,
        from,
        to,
      );
      if (rows.length === 0) return;
      for (const row of rows) yield this.#event(row);
      upTo = rows[rows.length - 1][0] as number;
    }
  }

  #event([seq, micros, sealed]: readonly unknown[]): EventRef {
    const bytes = this.#cipher.open(sealed as Uint8Array, contextOf(seq as number));
    const said = JSON.parse(new ByteReader(bytes).utf8(bytes.length)) as EventWish;
    return { id: this.#idOf(seq as number, micros as number), seq: seq as number, micros: micros as number, said };
  }

  #idOf(seq: number, micros: number): string {
    return recordId(`${this.#bornAs}/event`, seq, micros);
  }
}

const BATCH_ROWS = 256;

function contextOf(seq: number): string {
  return `event/${seq}`;
}

/** The event as a row (request facts §8). */
export function eventRow({ id, micros, said }: EventRef): JsonObject {
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
    created_at: instantText(micros),
  };
}

/**
 * The face of the engine: one store, over one SQL database, worked on call by call.
 *
 * `beginCall` gives a session at one instant. Its driver calls `flush` at the end of each slice and of the call,
 * before anything is acknowledged. Calls that write come one at a time; sessions that only read may overlap.
 * After a failed save the memory is thrown away and the next call begins from what SQL holds.
 */
import { assert } from "../failure";
import { STORE_BYTES_MAX, UNSTORED_HELD_BYTES_MAX } from "../limits";
import type { Level } from "./claim";
import { InstantClock } from "./instant-clock";
import { Ledger, type ReasonerFactory } from "./ledger";
import type { ProjectionFactory } from "./projection";
import { Session } from "./session";
import type { Cipher, Sql } from "./sql";

export interface StoreOptions {
  /** Size limit in bytes (contract §9.5). */
  readonly bytesMax?: number;
  /** Makes the rules' half of the engine over this store's symbols and claims. */
  readonly reasoner?: ReasonerFactory;
  readonly projections?: readonly ProjectionFactory[];
}

export interface CallStart {
  readonly keyId: string;
  readonly level: Level;
  /** The wall clock when the call left the turn queue. */
  readonly wallMicros: number;
  /** Whether the call may change state: it then gets an instant of its own. */
  readonly writes: boolean;
}

export class Store {
  readonly #sql: Sql;
  readonly #cipher: Cipher;
  readonly #options: StoreOptions;
  readonly #clock: InstantClock;
  /** Null until the next call asks: SQL may be inside a transaction that is about to be undone. */
  #ledger: Ledger | null;

  private constructor(sql: Sql, cipher: Cipher, options: StoreOptions) {
    this.#sql = sql;
    this.#cipher = cipher;
    this.#options = options;
    this.#ledger = this.#openLedger();
    this.#clock = new InstantClock(sql);
  }

  /** Makes the tables where there are none yet. */
  static open(sql: Sql, cipher: Cipher, options: StoreOptions = {}): Store {
    return new Store(sql, cipher, options);
  }

  beginCall(call: CallStart): Session {
    // A call that died inside a layer left memory that never landed; only a call that runs alone can tell.
    const known = this.#ledger;
    if (known === null || known.isBroken || (call.writes && known.layers.length > 0)) this.#ledger = this.#openLedger();
    const ledger = this.#ledger!;
    const instant = this.#clock.take(call.wallMicros, call.writes);
    const key = {
      keyId: call.keyId,
      get level() {
        return call.level;
      },
      instant,
    };
    return new Session(ledger, key, () => {
      assert(!ledger.isBroken, "nothing is saved after a save has failed");
      ledger.flush();
    });
  }

  /** Throws away what is in memory: the next call begins from what SQL holds. */
  forgetMemory(): void {
    this.#ledger = null;
  }

  /** No call is at work: memory goes where much of it stands for nothing stored, forgotten values above all. */
  rest(): void {
    if (this.#ledger !== null && this.#ledger.symbols.unstoredBytes > UNSTORED_HELD_BYTES_MAX) this.#ledger = null;
  }

  /** Another number once a call has written; one that was taken back may count too. */
  get changes(): number {
    return this.#ledger?.changes ?? -1;
  }

  /** Size of the database in bytes, by the pages in use. */
  bytes(): number {
    return this.#sql.databaseBytes();
  }

  get bytesMax(): number {
    return this.#options.bytesMax ?? STORE_BYTES_MAX;
  }

  #openLedger(): Ledger {
    const { reasoner = null, projections = [] } = this.#options;
    return new Ledger(this.#sql, this.#cipher, this.bytesMax, reasoner, projections);
  }
}

/** A fresh store in memory, and short ways to say what tests say often. */
import { expect } from "vitest";
import type { Datum } from "../../src/datum";
import type { Cell, Claim, Level, Qualifiers, Target, Window } from "../../src/engine/claim";
import type { Session } from "../../src/engine/session";
import { Store, type StoreOptions } from "../../src/engine/store";
import { Refusal, type RefuseReason } from "../../src/failure";
import { CipherNode } from "./cipher-node";
import { SqlNode } from "./sql-node";

export const ALWAYS: Window = { from: null, to: null };
export const PLAIN: Qualifiers = new Map();

export function cell(text: string): Cell {
  const [kind, subject, field] = text.split(".");
  return { kind, subject, field };
}

export function at(text: string): Target {
  return { tag: "cell", cell: cell(text) };
}

export function window(from: number | null, to: number | null): Window {
  return { from, to };
}

/** A store with a wall clock that the test sets. */
export class World {
  readonly sql = new SqlNode();
  readonly cipher = new CipherNode();
  readonly options: StoreOptions;
  store: Store;
  wall = 1_000_000;

  constructor(options: StoreOptions = {}) {
    this.options = options;
    this.store = Store.open(this.sql, this.cipher, options);
  }

  /** One call at the next instant of a clock in steps of a thousand. */
  call(level: Level = "read-write-delete", keyId = "key-1"): Session {
    this.wall += 1000;
    return this.store.beginCall({ keyId, level, wallMicros: this.wall, writes: true });
  }

  /** As after the object lost its memory. */
  reopen(): Session {
    this.store = Store.open(this.sql, this.cipher, this.options);
    return this.call();
  }
}

export function remember(session: Session, where: string, value: Datum, source = "a", span: Window = ALWAYS, qualifiers = PLAIN) {
  return session.remember(cell(where), value, source, span, qualifiers);
}

export function update(session: Session, where: string, value: Datum, source = "a", span: Window = ALWAYS, qualifiers = PLAIN) {
  return session.update(cell(where), value, source, span, qualifiers);
}

export function valueAt(session: Session, where: string, instant?: number, knownAt?: number): Datum | undefined {
  const { found, value } = session.value(cell(where), { at: instant, knownAt });
  return found ? value : undefined;
}

/** `value source [from,to)` and `*` for a superseded version. */
export function shown(claims: readonly Claim[]): string[] {
  return claims.map(({ value, source, window: { from, to }, superseded }) => {
    const text = typeof value === "bigint" ? String(value) : JSON.stringify(value);
    return `${text} ${source} [${from ?? "-"},${to ?? "-"})${superseded ? "*" : ""}`;
  });
}

export function refuses(body: () => unknown, reason: RefuseReason, hint?: string): Refusal {
  let caught: unknown;
  try {
    body();
  } catch (error) {
    caught = error;
  }
  expect(caught).toBeInstanceOf(Refusal);
  const refusal = caught as Refusal;
  expect(refusal.reason).toBe(reason);
  if (hint !== undefined) expect(refusal.hint).toBe(hint);
  return refusal;
}

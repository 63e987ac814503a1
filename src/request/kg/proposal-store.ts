/**
 * Proposals: a change that somebody asks for and somebody else decides about (request facts §7.1, `propose`).
 *
 * A proposal is a subject of `kg.Proposal`; each decision is a value of its own, so that what was decided, by which key and
 * when, is never written over. What it would change is kept as the calls that would be made.
 */
import type { Subject } from "../../datum";
import { ALWAYS } from "../../engine/claim";
import { setValues } from "../../engine/claim-revise";
import { readJson } from "../../lang/ops/exact-json";
import { instantText } from "../../lang/value/instant-text";
import { type JsonObject, jsonText, type RequestJson } from "../request-json";
import { conflict, invalidInput, notFound } from "../verb-failure";
import { jsonFromDatum } from "./datum-json";
import { requireKgModules } from "./kg-module";
import { clamp } from "./kg-params";
import type { ListArguments } from "./list-arguments";
import { hasPrefix, headOf, type IdText, idMicros, readId } from "./record-id";
import { PROPOSAL_KIND } from "./record-kind";
import { ambiguousId, type RecordStore } from "./record-store";

const STATUSES = ["open", "changes_requested", "approved", "rejected", "applying", "applied", "withdrawn"] as const;
export type ProposalStatus = (typeof STATUSES)[number];

const PAGE_MAX = 500;

export interface Decision {
  readonly reviewer: string;
  readonly decision: string;
  readonly comment: string | null;
  readonly at: string;
}

export class ProposalStore {
  readonly #records: RecordStore;

  constructor(records: RecordStore) {
    this.#records = records;
  }

  open(wish: {
    readonly title: string;
    readonly description: string;
    readonly changeset: JsonObject;
    readonly reviewers: readonly string[];
    readonly expiry?: number;
    readonly parent?: string;
  }): string {
    const { session, site } = this.#records;
    requireKgModules(session);
    this.#records.unsaved.records = true;
    const id = this.#records.newId();
    const fields: readonly (readonly [string, string | number | undefined])[] = [
      ["title", wish.title],
      ["description", wish.description],
      ["changeset", jsonText(wish.changeset)],
      ["status", "open"],
      ["proposer", site.actor],
      ...wish.reviewers.map((reviewer) => ["reviewers", reviewer] as const),
      ["expiry", wish.expiry],
      ["parent", wish.parent],
    ];
    for (const [field, value] of fields) {
      if (value === undefined) continue;
      session.remember({ kind: PROPOSAL_KIND, subject: id, field }, value, site.namespace, ALWAYS, new Map());
      site.meter.count(1);
    }
    return id;
  }

  candidates(id: IdText): string[] {
    const { symbols } = this.#records.session.ledger;
    const field = symbols.findFieldId(PROPOSAL_KIND, "title");
    if (field === 0) return [];
    const head = id.tag === "prefix" ? Number.parseInt(id.digits.slice(0, 8), 16) : headOf(id.id);
    return this.#records.sql
      .exec("SELECT subject FROM kg_record WHERE head = ? AND field = ?", head, field)
      .map(([subject]) => symbols.datumOf(subject as number) as Subject)
      .filter((subject) => (id.tag === "prefix" ? hasPrefix(subject, id.digits) : subject.name === id.id))
      .map((subject) => subject.name);
  }

  find(text: string): string {
    const found = this.candidates(readId(text));
    if (found.length === 1) return found[0];
    if (found.length === 0) throw notFound(`no proposal has the id ${JSON.stringify(text.slice(0, 64))}`);
    throw ambiguousId(text, found);
  }

  json(id: string, field: string): RequestJson {
    return jsonFromDatum(this.#records.session.value({ kind: PROPOSAL_KIND, subject: id, field }).value);
  }

  status(id: string): ProposalStatus {
    return this.json(id, "status") as ProposalStatus;
  }

  decisions(id: string): Decision[] {
    const claims = this.#records.session.get({ kind: PROPOSAL_KIND, subject: id, field: "decisions" });
    return claims.map((claim) => JSON.parse(claim.value as string) as Decision);
  }

  changeset(id: string): JsonObject {
    return readJson(this.json(id, "changeset") as string) as JsonObject;
  }

  /** Past these nobody decides any more. */
  requireUndecided(id: string, verb: string): void {
    const status = this.status(id);
    const expiry = this.json(id, "expiry");
    if (status !== "open" && status !== "changes_requested") {
      throw conflict(`the proposal is ${status}, so there is nothing to ${verb}`, { reason: "proposal_closed", status });
    }
    if (typeof expiry === "number" && expiry <= this.#records.session.instant) {
      throw conflict(`the proposal expired at ${instantText(expiry)}`, { reason: "proposal_expired" });
    }
  }

  decide(id: string, decision: string, comment: string | null, status: ProposalStatus): void {
    const { session, site } = this.#records;
    const said: Decision = { reviewer: site.actor, decision, comment, at: instantText(session.instant) };
    const cell = { kind: PROPOSAL_KIND, subject: id, field: "decisions" };
    session.remember(cell, JSON.stringify(said), site.namespace, ALWAYS, new Map());
    this.#become(id, status);
  }

  withdraw(id: string, rationale: string | null): void {
    this.#become(id, "withdrawn");
    if (rationale !== null) this.#set(id, "rationale", rationale);
  }

  #become(id: string, status: ProposalStatus): void {
    if (this.status(id) !== status) this.#set(id, "status", status);
  }

  #set(id: string, field: string, value: string): void {
    const { session, site } = this.#records;
    // As the source that holds it: whoever decides, there is one status.
    const source = session.current({ kind: PROPOSAL_KIND, subject: id, field: "title" })!.source;
    setValues(session, { kind: PROPOSAL_KIND, subject: id, field }, [value], source);
    site.meter.count(1);
  }

  row(id: string): JsonObject {
    this.#records.site.meter.count(1);
    const decisions = this.decisions(id);
    const count = (decision: string) => decisions.filter((one) => one.decision === decision).length;
    const made = idMicros(id)!;
    return {
      id,
      proposer: this.json(id, "proposer"),
      title: this.json(id, "title"),
      status: this.status(id),
      created_at: instantText(made),
      updated_at: instantText(this.#changedAt(id, made)),
      expiry: this.json(id, "expiry"),
      last_decision: decisions.at(-1)?.decision ?? null,
      review_count: decisions.length,
      approve_count: count("approve"),
      reject_count: count("reject"),
    };
  }

  /** When somebody last said something of it, or it came to stand where it does. */
  #changedAt(id: string, made: number): number {
    const claims = ["decisions", "status"].flatMap((field) => this.#records.session.get({ kind: PROPOSAL_KIND, subject: id, field }));
    return Math.max(made, ...claims.map((claim) => claim.recordedAt ?? made));
  }

  /** All of it. */
  whole(id: string): JsonObject {
    return {
      ...this.row(id),
      kind: "proposal",
      description: this.json(id, "description"),
      changeset: this.changeset(id),
      reviewers: this.#records.session.values({ kind: PROPOSAL_KIND, subject: id, field: "reviewers" }).map(jsonFromDatum),
      reviews: this.decisions(id).map((one) => ({ ...one })),
      parent_id: this.json(id, "parent"),
      rationale: this.json(id, "rationale"),
    };
  }

  list(args: ListArguments): JsonObject {
    const { session, site } = this.#records;
    const limits = clamp(args.limit, PAGE_MAX);
    if (args.after !== undefined) throw invalidInput("proposals are paged by `offset`");
    if (args.status !== undefined && !STATUSES.some((status) => status === args.status))
      throw invalidInput(`\`status\` is one of ${STATUSES.join(", ")}; got ${JSON.stringify(args.status.slice(0, 64))}`);
    const wanted = (id: string): boolean => {
      if (args.status !== undefined && this.status(id) !== args.status) return false;
      if (args.proposer !== undefined && this.json(id, "proposer") !== args.proposer) return false;
      return (
        site.namespaceAsked === null ||
        session.current({ kind: PROPOSAL_KIND, subject: id, field: "title" })?.source === site.namespaceAsked
      );
    };
    const newestFirst = [...session.subjects(PROPOSAL_KIND)].sort((a, b) => (idMicros(b) ?? 0) - (idMicros(a) ?? 0) || (a < b ? -1 : 1));
    const skipped = args.offset ?? 0;
    return {
      items: newestFirst
        .filter(wanted)
        .slice(skipped, skipped + limits.effective_limit)
        .map((id) => this.row(id)),
      ...limits,
    };
  }
}

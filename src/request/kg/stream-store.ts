/**
 * Streams: records in an order that has no gaps, and documents with a key and a version beside them (request facts §7.1).
 *
 * An entry is a note; its place is `seq`, one more than the last of that stream in that namespace. Both are held against
 * what a caller expects, so that two writers who saw the same state cannot both go on from it. What this op has written
 * but not landed is kept here.
 */
import { exactJson } from "../../lang/ops/exact-json";
import { EMBED_CHARS, EMBEDDED_CHARS_MAX } from "../meaning/embedder";
import { type JsonObject, jsonText, type RequestJson } from "../request-json";
import { conflict, invalidInput, type VerbFailure } from "../verb-failure";
import { keyedSubjects } from "./kg-index";
import { type RecordKind, recordKind, storeKind } from "./record-kind";
import type { RecordRef, RecordStore } from "./record-store";

export interface Fence {
  readonly key: string;
  readonly kind: string;
  /** Null: there is no such document. */
  readonly expected_version: number | null;
}

export interface AppendWish {
  readonly stream: string;
  readonly record: RequestJson;
  readonly expected_seq?: number;
  readonly embed?: boolean;
  readonly note_kind?: string;
  readonly tags?: readonly string[];
}

export interface WriteWish {
  readonly key: string;
  readonly kind: string;
  readonly doc: RequestJson;
  readonly tags?: readonly string[];
  readonly expected_version?: number | null;
  readonly embed?: boolean;
}

export class StreamStore {
  readonly #records: RecordStore;
  readonly #heads = new Map<string, number>();
  readonly #documents = new Map<string, RecordRef>();

  constructor(records: RecordStore) {
    this.#records = records;
  }

  // ---- entries

  head(stream: string): number {
    const known = this.#heads.get(stream);
    if (known !== undefined) return known;
    const place = this.#place(stream);
    if (place === null) return 0;
    const [[head]] = this.#records.sql.exec("SELECT max(seq) FROM kg_entry WHERE space = ? AND stream = ?", place.space, place.stream);
    return (head as number | null) ?? 0;
  }

  append(wish: AppendWish): JsonObject {
    const kind = requireNoteKind(wish.note_kind ?? "observation");
    const next = this.head(wish.stream) + 1;
    if (wish.expected_seq !== undefined && wish.expected_seq !== next) {
      throw conflict(`the next entry of the stream is ${next}, not ${wish.expected_seq}`, {
        reason: "seq_conflict",
        stream: wish.stream,
        expected_seq: String(wish.expected_seq),
        next_seq: String(next),
      });
    }
    const ref = this.#records.create(kind, {
      content: jsonText(wish.record),
      stream: wish.stream,
      seq: next,
      tags: wish.tags,
      [EMBED_CHARS]: wish.embed === true ? EMBEDDED_CHARS_MAX : undefined,
    });
    this.#heads.set(wish.stream, next);
    return { seq: next, id: ref.id, created_at: this.#records.createdAt(ref) };
  }

  read(stream: string, after: number, limit: number): JsonObject {
    const place = this.#place(stream);
    const rows =
      place === null
        ? []
        : (this.#records.sql.exec(
            "SELECT seq, subject FROM kg_entry WHERE space = ? AND stream = ? AND seq > ? ORDER BY seq LIMIT ?",
            place.space,
            place.stream,
            after,
            limit + 1,
          ) as number[][]);
    const shown = rows.slice(0, limit);
    const { symbols } = this.#records.session.ledger;
    const entries = shown.flatMap(([seq, subject]) => {
      const ref = this.#records.refOfSymbol(symbols.datumOf(subject));
      if (ref === null) return [];
      this.#records.site.meter.count(1);
      return [{ seq, id: ref.id, record: recordOf(this.#records.json(ref, "content")), created_at: this.#records.createdAt(ref) }];
    });
    return { entries, head_seq: this.head(stream), next_after: rows.length > limit ? shown[limit - 1][0] : null };
  }

  #place(stream: string): { readonly space: number; readonly stream: number } | null {
    const { symbols } = this.#records.session.ledger;
    const place = { space: symbols.findDatumId(this.#records.site.namespace), stream: symbols.findDatumId(stream) };
    return place.space === 0 || place.stream === 0 ? null : place;
  }

  // ---- documents

  document(key: string, kindName: string, namespace = this.#records.site.namespace): RecordRef | null {
    const kind = requireNoteKind(kindName);
    const known = namespace === this.#records.site.namespace ? this.#documents.get(`${kindName}\u0000${key}`) : undefined;
    if (known !== undefined) return known;
    const { symbols } = this.#records.session.ledger;
    const place = [symbols.findFieldId(storeKind(kind), "key"), symbols.findDatumId(key), symbols.findDatumId(namespace)] as const;
    if (place.includes(0)) return null;
    for (const subject of keyedSubjects(this.#records.sql, ...place)) {
      const ref = this.#records.refOfSymbol(symbols.datumOf(subject));
      if (ref !== null) return ref;
    }
    return null;
  }

  version(key: string, kind: string): number | null {
    const ref = this.document(key, kind);
    return ref === null ? null : ((this.#records.json(ref, "version") as number | null) ?? 1);
  }

  write(wish: WriteWish): JsonObject {
    const version = this.version(wish.key, wish.kind);
    if (wish.expected_version !== undefined && wish.expected_version !== version) {
      throw versionConflict("version_conflict", { key: wish.key, kind: wish.kind, expected_version: wish.expected_version }, version);
    }
    const content = typeof wish.doc === "string" && wish.doc !== "" ? wish.doc : jsonText(wish.doc);
    const known = this.document(wish.key, wish.kind);
    let ref = known;
    if (ref === null) {
      ref = this.#records.create(requireNoteKind(wish.kind), {
        content,
        key: wish.key,
        version: 1,
        tags: wish.tags,
        [EMBED_CHARS]: embedded(wish),
      });
      this.#documents.set(`${wish.kind}\u0000${wish.key}`, ref);
    } else this.#records.update(ref, { content, version: version! + 1, tags: wish.tags, [EMBED_CHARS]: embedded(wish) });
    const { created_at: createdAt, updated_at: updatedAt } = this.#records.row(ref);
    return {
      key: wish.key,
      kind: wish.kind,
      version: version === null ? 1 : version + 1,
      id: ref.id,
      created_at: createdAt,
      updated_at: updatedAt,
    };
  }

  /** Throws `fence_conflict` where a document is not at the version that the caller saw. */
  hold(fences: readonly Fence[], reason: "fence_conflict" | "observed_conflict" = "fence_conflict"): void {
    for (const fence of fences) {
      const version = this.version(fence.key, fence.kind);
      if (version !== fence.expected_version) throw versionConflict(reason, fence, version);
    }
  }
}

export function requireNoteKind(name: string): RecordKind {
  const kind = recordKind(name);
  if (kind?.substrate !== "note") throw invalidInput(`${JSON.stringify(name)} is no kind of note`);
  return kind;
}

/** A document is embedded unless that is not wanted; unsaid, it stays as it was. */
function embedded({ embed }: WriteWish): number | null | undefined {
  return embed === undefined ? undefined : embed ? null : 0;
}

/** As JSON it went in, as JSON it comes out. */
function recordOf(content: RequestJson): RequestJson {
  return typeof content === "string" ? exactJson(content) : content;
}

function versionConflict(reason: string, fence: Fence, version: number | null): VerbFailure {
  const shown = (value: number | null) => (value === null ? "absent" : String(value));
  return conflict(`${fence.kind} ${JSON.stringify(fence.key)} is at version ${shown(version)}, not ${shown(fence.expected_version)}`, {
    reason,
    key: fence.key,
    kind: fence.kind,
    expected_version: shown(fence.expected_version),
    actual_version: shown(version),
  });
}

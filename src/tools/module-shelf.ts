/**
 * The stored modules as the language sees them: what a source is compiled against, and what a call links.
 *
 * Decoded forms are kept while the store is open, one for each module record; a record is replaced whole when its
 * module changes, so an old entry is never asked for again.
 */
import type { KindDeclaration } from "../engine/claim";
import type { ModuleRecord } from "../engine/module-record";
import type { Rule } from "../engine/rule";
import type { Session } from "../engine/session";
import type { Environment, StoredModule } from "../lang/check/environment";
import type { LinkedModule } from "../lang/machine/module";
import { formFromText, formName, type ModuleForm } from "./module-form";

interface Decoded {
  readonly stored: StoredModule | null;
  readonly form: ModuleForm | null;
}

export class ModuleShelf {
  readonly #decoded = new WeakMap<ModuleRecord, Decoded>();

  /** The modules as they stand in a session. */
  view(session: Session): ShelfView {
    return new ShelfView(session, (record) => this.#decode(session, record));
  }
  #decode(session: Session, record: ModuleRecord): Decoded {
    let d = this.#decoded.get(record);
    if (!d) this.#decoded.set(record, (d = decode(record, session.module(record.name)!.form)));
    return d;
  }
}

function decode(record: ModuleRecord, text: string): Decoded {
  const form = formFromText(text);
  if (!form) return { stored: null, form: null };
  const links = new Map<string, string>();
  for (const [id, part] of Object.entries(form.bound)) links.set(part.name, id);
  const scripts = new Map(record.scripts.flatMap((s) => (form.scripts[s.name] ? [[s.name, form.scripts[s.name]!] as const] : [])));
  return { form, stored: { name: record.name, form: formName(text), unit: form.unit, kinds: record.kinds, scripts, links } };
}

export class ShelfView implements Environment {
  readonly #session: Session;
  readonly #decode: (record: ModuleRecord) => Decoded;
  #records: readonly ModuleRecord[] | null = null;

  constructor(session: Session, decode: (record: ModuleRecord) => Decoded) {
    this.#session = session;
    this.#decode = decode;
  }

  records(): readonly ModuleRecord[] {
    return (this.#records ??= this.#session.modules());
  }
  record(name: string): ModuleRecord | undefined {
    return this.records().find((r) => r.name === name);
  }
  /** The decoded form of a stored module; null where this version cannot read it, undefined where there is no such module. */
  form(name: string): ModuleForm | null | undefined {
    const r = this.record(name);
    return r && this.#decode(r).form;
  }

  // ---- Environment ----
  module(name: string): StoredModule | undefined {
    const r = this.record(name);
    return (r && this.#decode(r).stored) ?? undefined;
  }
  concluded(kind: string, field: string): boolean {
    return this.records().some((r) => r.rules.some((x) => x.conclusion.cell.kind === kind && x.conclusion.cell.field === field));
  }
  /** As a program sees it: a field stays one of its Kind while a rule reads it, or one that concluded it is remembered (rulings, "Fields that lost their rule"). */
  forProgram(): Environment {
    return {
      module: (name) => this.module(name),
      concluded: (kind, field) => this.concluded(kind, field) || this.#session.hasField(kind, field),
      isLeft: (kind) => this.isLeft(kind),
      kind: (name) => this.kind(name),
      standingRules: (except) => this.standingRules(except),
      declarers: (bareName) => this.declarers(bareName),
    };
  }
  isLeft(kind: string): boolean {
    return this.kind(kind) === undefined && this.#session.kinds().includes(kind);
  }
  kind(name: string): KindDeclaration | undefined {
    for (const r of this.records()) for (const k of r.kinds) if (k.name === name) return k;
    return undefined;
  }
  standingRules(except: string): readonly Rule[] {
    return this.records().flatMap((r) => (r.name === except ? [] : r.rules));
  }
  declarers(bareName: string): readonly string[] {
    return this.records().flatMap((r) => (r.kinds.some((k) => k.name === `${r.name}.${bareName}`) ? [r.name] : []));
  }

  /** What a form name stands for: a stored module as it is, or one that a stored module was bound to. */
  link(form: string): LinkedModule | undefined {
    for (const r of this.records()) {
      const d = this.#decode(r);
      if (d.stored?.form === form) return { name: r.name, unit: d.stored.unit };
      const part = d.form?.bound[form];
      if (part) return part;
    }
    return undefined;
  }
}

/** The tools that compute nothing: what is stored, what it lacks, and taking it away (contract §9.2–§9.6). */
import { Datetime } from "../datum";
import { inLine } from "../engine/address";
import { checkupLines } from "../engine/checkup";
import type { Level } from "../engine/claim";
import { requireLevel } from "../engine/level";
import type { ModuleRecord } from "../engine/module-record";
import type { Sliced } from "../engine/rule-work";
import type { Session } from "../engine/session";
import { EngineError, Refusal } from "../failure";
import { datetimeText } from "../lang/value/datetime";
import { InvalidParams, type Json, type ToolAnswer, type ToolCall } from "./answer";
import { failingFrom, hintText } from "./compute-answer";
import { MARK_TOOLS } from "./mark-tools";
import { count } from "./render-effect";

export interface ManagementSite {
  readonly session: Session;
  readonly storeId: string;
  readonly createdAtMicros: number;
  /** Size of the database, and its limit, in bytes. */
  readonly bytes: number;
  readonly bytesMax: number;
}
export interface Told {
  readonly text: string;
  readonly meta?: { readonly [key: string]: Json };
  /** What it is metered at; a tool that only looks up or takes away what was compiled is free. */
  readonly ops?: number;
}
export interface ManagementTool {
  readonly level: Level;
  /** Throws `InvalidParams`. Asked before the level: -32602 comes first (rulings, "Levels"). */
  readonly check?: (args: ToolCall["args"]) => void;
  /** Work that may be long yields a step after another. */
  readonly run: (site: ManagementSite, args: ToolCall["args"]) => Told | Sliced<Told>;
}

export const MANAGEMENT_TOOLS: ReadonlyMap<string, ManagementTool> = new Map<string, ManagementTool>([
  ["list", { level: "read", run: (s, a) => list(s.session, a["target"] as string) }],
  ["info", { level: "read", check: (a) => qualified(a["name"] as string, "script"), run: (s, a) => info(s.session, a["name"] as string) }],
  ["list_modules", { level: "read", run: (s) => listModules(s.session) }],
  ["info_module", { level: "read", check: bareModule, run: (s, a) => infoModule(s.session, a["name"] as string) }],
  ["stores", { level: "read", run: stores }],
  ["checkup", { level: "read", run: (s) => diagnose(s.session) }],
  [
    "forget",
    {
      level: "read-write-delete",
      check: (a) => qualified(a["name"] as string, "script"),
      run: (s, a) => forget(a["name"] as string, "script", (n) => s.session.forgetScript(n)),
    },
  ],
  [
    "forget_rule",
    {
      level: "read-write-delete",
      check: (a) => qualified(a["name"] as string, "rule"),
      run: (s, a) => forget(a["name"] as string, "rule", (n) => s.session.forgetRule(n)),
    },
  ],
  [
    "forget_constraint",
    {
      level: "read-write-delete",
      check: (a) => qualified(a["name"] as string, "constraint"),
      run: (s, a) => forget(a["name"] as string, "constraint", (n) => s.session.forgetConstraint(n)),
    },
  ],
  ["forget_module", { level: "read-write-delete", check: confirmedModule, run: (s, a) => forgetModule(s.session, a) }],
  ...MARK_TOOLS,
]);

/** The level, then the tool. Refusals become answers; `InvalidParams` goes up. */
export function* manage(tool: string, site: ManagementSite, args: ToolCall["args"]): Sliced<ToolAnswer> {
  const t = MANAGEMENT_TOOLS.get(tool)!;
  t.check?.(args);
  try {
    requireLevel(site.session.level, t.level);
    const work = t.run(site, args);
    const told = "text" in work ? work : yield* work;
    return { status: "success", text: told.text, meta: told.meta ?? {}, mirror: null, ops: told.ops ?? 0 };
  } catch (thrown) {
    return refusedTool(tool, thrown);
  }
}

export function refusedTool(tool: string, thrown: unknown): ToolAnswer {
  if (thrown instanceof InvalidParams) throw thrown;
  if (!(thrown instanceof Refusal) && !(thrown instanceof EngineError)) throw thrown;
  const f = failingFrom(thrown);
  return {
    status: f.status,
    text: `error: ${tool} failed — ${f.text}${hintText(f)}`,
    meta: { ...(f.refuseReason ? { refuse_reason: f.refuseReason } : {}), reason: f.text, ...(f.hint ? { teaching_hint: f.hint } : {}) },
    mirror: null,
    ops: 0,
  };
}

function listed(head: string, lines: readonly string[]): Told {
  return { text: [head, ...lines].join("\n"), meta: { names: [...lines] } };
}

function list(session: Session, target: string): Told {
  switch (target) {
    case "scripts": {
      const lines = session.modules().flatMap((m) => m.scripts.map((s) => [`${m.name}.${s.name}`, s.signature] as const));
      lines.sort((a, b) => order(a[0], b[0]));
      return listed(
        `OK list: ${count(lines.length, "script")}`,
        lines.map((l) => l[1]),
      );
    }
    case "rules": {
      const names = session
        .modules()
        .flatMap((m) => [...m.rules, ...(m.unreadable?.rules ?? [])].filter((r) => !r.computed).map((r) => r.name))
        .sort(order);
      return listed(`OK list: ${count(names.length, "rule")}`, names);
    }
    case "kinds": {
      const names = session.kinds();
      return listed(`OK list: ${count(names.length, "kind")}`, names);
    }
    case "checkpoints": {
      const names = session.checkpoints();
      return listed(`OK list: ${count(names.length, "checkpoint")}`, names);
    }
    default:
      throw new InvalidParams(`\`target\` is one of scripts, rules, kinds, checkpoints: got ${JSON.stringify(target)}`);
  }
}

/** Code points, as `sorted()` orders texts. */
function order(a: string, b: string): number {
  const x = [...a];
  const y = [...b];
  for (let i = 0; i < Math.min(x.length, y.length); i++) {
    const d = x[i]!.codePointAt(0)! - y[i]!.codePointAt(0)!;
    if (d !== 0) return d;
  }
  return x.length - y.length;
}

function qualified(name: string, what: string): readonly [string, string] {
  const dot = name.indexOf(".");
  if (dot <= 0 || dot === name.length - 1 || name.indexOf(".", dot + 1) >= 0)
    throw new InvalidParams(`\`name\` is a ${what} qualified by its module, as \`module.${what}\`: got ${JSON.stringify(name)}`);
  return [name.slice(0, dot), name.slice(dot + 1)];
}

function bareModule(args: ToolCall["args"]): void {
  const name = args["name"] as string;
  if (name.includes(".")) throw new InvalidParams(`\`name\` is a bare module name, without a dot: got ${JSON.stringify(name)}`);
}

function confirmedModule(args: ToolCall["args"]): void {
  bareModule(args);
  if (args["confirm"] !== true)
    throw new InvalidParams("`confirm` must be true: forget_module removes the module with its scripts, rules, kinds and their data");
}

function info(session: Session, name: string): Told {
  const [module, script] = qualified(name, "script");
  const record = session.modules().find((m) => m.name === module);
  const found = record?.scripts.find((s) => s.name === script);
  if (!record || !found) throw new EngineError(`no script named \`${name}\` is stored: \`list\` with target scripts gives the names`);
  const lines = [
    `OK info: ${name}`,
    `signature: ${found.signature}`,
    `compiled by: ${record.compiledBy}`,
    `language: ${record.language}`,
    `manifest: ${MANIFEST_VERSION}`,
    `compiled at: ${instant(record.updatedAt)}`,
  ];
  return {
    text: lines.join("\n"),
    meta: {
      name,
      signature: found.signature,
      compiled_by: record.compiledBy,
      language: record.language,
      manifest: MANIFEST_VERSION,
      compiled_at: instant(record.updatedAt),
    },
  };
}
/** Version of the tables (builtins, verbs, op prices) a form is produced against: the edition's. */
const MANIFEST_VERSION = "python.1";

function instant(micros: number): string {
  return datetimeText(new Datetime(micros));
}

function listModules(session: Session): Told {
  const modules = session.modules();
  return {
    text: [
      `OK list_modules: ${count(modules.length, "module")}`,
      ...modules.map((m) => `${m.name} (${count(m.scripts.length, "script")}, created ${instant(m.createdAt)})`),
    ].join("\n"),
    meta: { modules: modules.map((m) => ({ name: m.name, scripts: m.scripts.length, created_at: instant(m.createdAt) })) },
  };
}

function infoModule(session: Session, name: string): Told {
  const m = session.modules().find((r) => r.name === name);
  if (!m) throw new EngineError(`no module named \`${name}\` is stored: \`list_modules\` gives the names`);
  const names = moduleNames(m);
  const line = (label: string, values: readonly string[]): string[] => (values.length > 0 ? [`${label}: ${values.join(", ")}`] : []);
  const lines = [
    `OK info_module: ${name}`,
    `init language: ${m.language}`,
    `scripts: ${names.scripts.join(", ")}`,
    ...line("classes", names.classes),
    ...line("rules", names.rules),
    ...line("constraints", names.constraints),
    ...(m.version === null ? [] : [`version: ${inLine(m.version)}`]),
    `updated: ${instant(m.updatedAt)}`,
    `created: ${instant(m.createdAt)}`,
  ];
  return {
    text: lines.join("\n"),
    meta: {
      module: name,
      language: m.language,
      ...names,
      ...(m.version === null ? {} : { version: m.version }),
      updated_at: instant(m.updatedAt),
      created_at: instant(m.createdAt),
    },
  };
}
function moduleNames(m: ModuleRecord) {
  return {
    scripts: m.scripts.map((s) => `${m.name}.${s.name}`).sort(order),
    classes: m.kinds.map((k) => k.name).sort(order),
    rules: [...m.rules, ...(m.unreadable?.rules ?? [])]
      .filter((r) => !r.computed)
      .map((r) => r.name)
      .sort(order),
    constraints: [...m.constraints, ...(m.unreadable?.constraints ?? [])].map((c) => c.name).sort(order),
  };
}

/** Contract §9.6: the counts, then the findings, and nothing else. */
function* diagnose(session: Session): Sliced<Told> {
  const found = yield* session.checkingUp();
  const lines = checkupLines(found);
  return { text: lines.join("\n"), meta: { counts: { ...found.counts }, findings: lines.slice(1) } };
}

function stores(site: ManagementSite): Told {
  const created = instant(site.createdAtMicros);
  return {
    text: [`OK stores: 1 store`, `${site.storeId} size ${site.bytes} of ${site.bytesMax} bytes, created ${created}`].join("\n"),
    meta: { stores: [{ id: site.storeId, size_bytes: site.bytes, size_limit_bytes: site.bytesMax, created_at: created }] },
  };
}

function forget(name: string, what: "script" | "rule" | "constraint", remove: (name: string) => boolean): Told {
  const was = remove(name);
  return {
    text: was ? `OK forgot ${what} ${name}.` : `OK forget: no ${what} named ${name} is stored; nothing to remove.`,
    meta: { removed: was },
  };
}

function* forgetModule(session: Session, args: ToolCall["args"]): Sliced<Told> {
  const name = args["name"] as string;
  const { removed } = yield* session.forgettingModule(name);
  return { text: `OK forgot module ${name} (${count(removed, "claim")} removed with it).`, meta: { module: name, removed } };
}

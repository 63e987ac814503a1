/** `whoami`, `verbs`, `db_diagnostics`: the caller, the catalogue, the store. */
import * as z from "zod";
import { describeVerb, type Verb } from "../verb";
import { invalidInput } from "../verb-failure";
import { RecordStore } from "./record-store";

/** As the rest of the service says of itself (worker/mcp/release.ts). */
const VERSION = "1.3";
const REVISION = 159;
const CLASSES = ["Assertive", "Commissive", "Declaration", "Directive"] as const;

const WHOAMI: Verb = describeVerb({
  name: "whoami",
  pack: "kg",
  class: "Assertive",
  description: "Who this key is: the id its writes are recorded under, and the namespace they go to.",
  params: z.strictObject({}),
  result: "`{actor_id, actor_kind, unattributed, level, namespace, visible_namespaces, build}`.",
  example: "whoami()",
  level: "none",
  run: ({ session, actor, namespace, namespaceAsked }) => ({
    actor_id: actor,
    actor_kind: "key",
    unattributed: false,
    level: session.level,
    namespace,
    visible_namespaces: namespaceAsked === null ? ["*"] : [namespaceAsked],
    build: { version: VERSION, revision: REVISION },
  }),
});

const VERBS: Verb = describeVerb({
  name: "verbs",
  pack: "kg",
  class: "Assertive",
  description: "The catalogue: every verb that is loaded, or those of one pack or one class. `help=true` on a verb tells all of that one.",
  params: z.strictObject({
    category: z.enum(CLASSES).optional().describe("Only verbs of this class."),
    pack: z.string().optional().describe("Only verbs of this pack."),
  }),
  result: "`{verbs[{name, pack, category, description}], total, pack_counts{}}`; the counts are of everything loaded.",
  example: 'verbs(pack="kg")',
  level: "none",
  run: ({ registry }, { category, pack }) => {
    if (pack !== undefined && !registry.packs.includes(pack))
      throw invalidInput(`there is no pack ${JSON.stringify(pack)}: ${registry.packs.join(", ")}`);
    const all = registry.all();
    const shown = all.filter((verb) => (category === undefined || verb.class === category) && (pack === undefined || verb.pack === pack));
    return {
      verbs: shown.map(({ name, pack: of, class: category, description }) => ({ name, pack: of, category, description })),
      total: shown.length,
      pack_counts: Object.fromEntries(registry.packs.map((name) => [name, all.filter((verb) => verb.pack === name).length])),
    };
  },
});

const DIAGNOSTICS: Verb = describeVerb({
  name: "db_diagnostics",
  pack: "kg",
  class: "Assertive",
  description: "How full the store is and what lies in it, in numbers.",
  params: z.strictObject({}),
  result: "`{store_id, size_bytes, size_limit_bytes, tables{}, modules, rules, marks}`.",
  example: "db_diagnostics()",
  level: "read",
  run: (site) => {
    const { sql } = new RecordStore(site);
    const count = (table: string) => sql.exec(`SELECT count(*) FROM ${table}`)[0][0] as number;
    const modules = site.session.modules();
    return {
      store_id: site.storeId,
      size_bytes: site.bytes(),
      size_limit_bytes: site.bytesMax,
      tables: Object.fromEntries(
        ["claim", "symbol_page", "change", "grave_claim", "kg_record", "kg_edge", "kg_entry", "kg_event_page"].map((table) => [
          table,
          count(table),
        ]),
      ),
      modules: modules.length,
      rules: modules.reduce((sum, module) => sum + module.rules.length, 0),
      marks: site.session.checkpoints().length,
    };
  },
});

export const META_VERBS: readonly Verb[] = [WHOAMI, VERBS, DIAGNOSTICS];

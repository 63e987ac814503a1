/**
 * The modules `kg` and `kg_deleted` as DKE Python: what declares the Kinds that records are, so that any program can
 * `import kg` and reason over them.
 *
 * They are stored at the first write that needs them, whatever level the key has: a key that may add facts may add them
 * under a declared Kind. They are compiled here and nowhere else; their names are refused to `compile`.
 */
import { installModule } from "../../engine/module-write";
import type { Session } from "../../engine/session";
import { assert } from "../../failure";
import { compileSource } from "../../lang/compile/compile";
import { KG_DELETED_MODULE, KG_MODULE } from "../../tools/kept-modules";
import { formText } from "../../tools/module-form";
import { ModuleShelf } from "../../tools/module-shelf";
import { fingerprint } from "./fingerprint";
import { DELETED_FIELDS, PROPOSAL_FIELDS, RECORD_KINDS, type RecordKind } from "./record-kind";

function kgModuleText(deleted: boolean): string {
  const classOf = (kind: RecordKind): string => {
    // The other end of a deleted edge may stand, or be deleted itself.
    const typeOf = (name: string, type: string) => (deleted && kind.relations.includes(name) ? "many[any]" : type);
    const fields = [...kind.fields, ...(deleted ? DELETED_FIELDS : [])].map(([name, type]) => `    ${name}: ${typeOf(name, type)}`);
    return [`class ${kind.className}:`, ...fields].join("\n");
  };
  const proposal = ["class Proposal:", ...[...PROPOSAL_FIELDS].map(([name, type]) => `    ${name}: ${type}`)].join("\n");
  return `${[...RECORD_KINDS.map(classOf), ...(deleted ? [] : [proposal])].join("\n\n")}\n`;
}

const SOURCES = [
  { name: KG_MODULE, source: kgModuleText(false) },
  { name: KG_DELETED_MODULE, source: kgModuleText(true) },
].map((one) => ({ ...one, version: fingerprint(one.source).toString(16) }));

/** Stores the two modules where they are not, or are of another version. Inside the layer at work. */
export function requireKgModules(session: Session): void {
  for (const module of SOURCES) {
    if (session.ledger.modules.get(module.name)?.record.version !== module.version) install(session, module);
  }
}

function install(session: Session, { name, source, version }: (typeof SOURCES)[number]): void {
  const result = compileSource(source, { mode: "compile", module: name, environment: new ModuleShelf().view(session) });
  assert(result.ok, `the module ${name} compiles: ${result.ok ? "" : JSON.stringify(result)}`);
  const { compiled } = result;
  installModule(
    { ledger: session.ledger, keyId: session.keyId, level: "read-write", instant: session.instant },
    {
      name,
      version,
      form: formText({ unit: compiled.unit, scripts: {}, bound: {} }),
      language: "eng",
      kinds: compiled.kinds,
      scripts: [],
      rules: [],
      constraints: [],
      imports: [],
      uses: [],
    },
  );
}

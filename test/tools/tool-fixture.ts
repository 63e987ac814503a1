/** A store over the WebAssembly SQLite with every tool on it, driven to the end: the service without its platform. */
import type { Level } from "../../src/engine/claim";
import type { ToolAnswer, ToolTask } from "../../src/tools/answer";
import { OpenStore } from "../../src/tools/start-tool";
import { CipherNode } from "../engine/cipher-node";
import { SqlNode } from "../engine/sql-node";

const IDENTITY = { storeId: "store1", createdAtMicros: 1_700_000_000_000_000 };

export class ToolFixture {
  readonly sql: SqlNode;
  readonly #cipher: CipherNode;
  readonly #options: { readonly bytesMax?: number };
  store: OpenStore;
  /** The wall clock of the next call is a step later. */
  clock = 1_767_225_600_000_000;
  clockStep = 1_000_000;

  /** `at`: a database that is there already, with its cipher. */
  constructor(options: { readonly bytesMax?: number } = {}, at = { sql: new SqlNode(), cipher: new CipherNode() }) {
    this.sql = at.sql;
    this.#cipher = at.cipher;
    this.#options = options;
    this.store = new OpenStore(this.sql, this.#cipher, IDENTITY, options);
  }

  call(tool: string, args: { [name: string]: unknown }, more: { level?: Level; slice?: number; opsMax?: number } = {}): ToolAnswer {
    const task = this.start(tool, args, more);
    while (!task.advance(more.slice ?? 50_000));
    return task.answer();
  }
  /** A call that the test drives. */
  start(tool: string, args: { [name: string]: unknown }, more: { level?: Level; opsMax?: number } = {}): ToolTask {
    return this.store.startTool({
      tool,
      args,
      caller: { keyId: "key_1", level: more.level ?? "read-write-delete" },
      wallMicros: (this.clock += this.clockStep),
      opsMax: more.opsMax ?? 50_000_000,
      opsMaxIsCredit: false,
    });
  }
  run(source: string, more: Parameters<ToolFixture["call"]>[2] = {}): ToolAnswer {
    return this.call("run", { source }, more);
  }
  compile(name: string, source: string, more: Parameters<ToolFixture["call"]>[2] = {}): ToolAnswer {
    return this.call("compile", { name, source }, more);
  }
  /** Another object over the same database. */
  reopen(): void {
    this.store = new OpenStore(this.sql, this.#cipher, IDENTITY, this.#options);
  }
}

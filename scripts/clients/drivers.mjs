/**
 * How each client is driven: connect, list, call, give up, close. `folder/node_modules` holds its packages.
 *
 * A client that cannot give a call up from outside has no `giveUp`.
 */

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire, register } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const bearer = (key) => ({ Authorization: `Bearer ${key}` });
const versionOf = (folder, name) => JSON.parse(readFileSync(join(folder, "node_modules", name, "package.json"), "utf8")).version;
/** A package as an ES module where it is one. */
async function load(folder, name) {
  const require = createRequire(join(folder, "package.json"));
  const found = import.meta.resolve === undefined ? require.resolve(name) : resolveFrom(folder, name, require);
  return import(pathToFileURL(found).href);
}
function resolveFrom(folder, name, require) {
  const parts = name.startsWith("@") ? name.split("/").slice(0, 2) : name.split("/").slice(0, 1);
  const root = join(folder, "node_modules", ...parts);
  const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const entry = exports?.[`.${name.slice(parts.join("/").length)}`];
  const file = importOf(entry);
  return file === undefined ? require.resolve(name) : join(root, file);
}
function importOf(entry) {
  if (typeof entry === "string") return entry;
  if (typeof entry !== "object" || entry === null) return undefined;
  return importOf(entry.import ?? entry.node ?? entry.default);
}

/** Waits for `work`, gives it up after `ms` by the signal, and says what the client then told its user. */
async function abandoned(work, ms) {
  const controller = new AbortController();
  const running = work(controller.signal).then(
    () => "answered",
    (error) => `the client says: ${String(error?.message ?? error).slice(0, 80)}`,
  );
  await new Promise((r) => setTimeout(r, ms));
  controller.abort("enough");
  return running;
}

/** Loader hooks: modules of the platform as names alone. */
const PLATFORM_MODULES = `
  export const resolve = (name, context, next) =>
    name.startsWith("cloudflare:") ? { url: name, shortCircuit: true } : next(name, context);
  export const load = (url, context, next) =>
    url.startsWith("cloudflare:")
      ? {
          format: "module",
          shortCircuit: true,
          source: ["DurableObject", "WorkerEntrypoint", "WorkflowEntrypoint", "RpcTarget", "EmailMessage"].map((n) => "export class " + n + " {}").join(";")
            + "; export const env = {}, exports = {}, waitUntil = () => {};",
        }
      : next(url, context);`;

export const DRIVERS = {
  async vercel(folder) {
    const { createMCPClient, experimental_createMCPClient } = await load(folder, "@ai-sdk/mcp");
    return {
      version: `(@ai-sdk/mcp) ${versionOf(folder, "@ai-sdk/mcp")}`,
      async connect(url, key) {
        const client = await (createMCPClient ?? experimental_createMCPClient)({ transport: { type: "http", url, headers: bearer(key) } });
        const tools = await client.tools();
        const call = (name, args, more) => tools[name].execute(args, { toolCallId: "1", messages: [], ...more });
        return {
          list: async () => Object.keys(tools),
          call,
          giveUp: (name, args, ms) => abandoned((abortSignal) => call(name, args, { abortSignal }), ms),
          close: () => client.close(),
        };
      },
    };
  },
  async langchain(folder) {
    const { MultiServerMCPClient } = await load(folder, "@langchain/mcp-adapters");
    return {
      version: `(@langchain/mcp-adapters) ${versionOf(folder, "@langchain/mcp-adapters")}`,
      async connect(url, key) {
        const client = new MultiServerMCPClient({ mcpServers: { dke: { transport: "http", url, headers: bearer(key) } } });
        const tools = await client.getTools();
        const call = (name, args, more) => tools.find((tool) => tool.name === name).invoke(args, more);
        return {
          list: async () => tools,
          call,
          giveUp: (name, args, ms) => abandoned((signal) => call(name, args, { signal }), ms),
          close: () => client.close(),
        };
      },
    };
  },
  async openai(folder) {
    const { MCPServerStreamableHttp } = await load(folder, "@openai/agents");
    return {
      version: `(@openai/agents) ${versionOf(folder, "@openai/agents")}`,
      async connect(url, key) {
        const client = new MCPServerStreamableHttp({ url, name: "dke", requestInit: { headers: bearer(key) } });
        await client.connect();
        return { list: () => client.listTools(), call: (name, args) => client.callTool(name, args), close: () => client.close() };
      },
    };
  },
  async mastra(folder) {
    const { MCPClient } = await load(folder, "@mastra/mcp");
    let count = 0;
    return {
      version: `(@mastra/mcp) ${versionOf(folder, "@mastra/mcp")}`,
      async connect(url, key) {
        const client = new MCPClient({ id: `${count++}`, servers: { dke: { url: new URL(url), requestInit: { headers: bearer(key) } } } });
        const tools = await client.getTools();
        if (Object.keys(tools).length === 0) throw new Error("no tools: the server was not reached");
        const call = (name, args, more) => tools[`dke_${name}`].execute({ context: args }, more);
        return {
          list: async () => Object.keys(tools),
          call,
          giveUp: (name, args, ms) => abandoned((abortSignal) => call(name, args, { abortSignal }), ms),
          close: () => client.disconnect(),
        };
      },
    };
  },
  /** Cloudflare's, which lives in a Durable Object: here one whose storage forgets everything, since nothing of it shows on the wire. */
  async agents(folder) {
    register(`data:text/javascript,${encodeURIComponent(PLATFORM_MODULES)}`);
    const { MCPClientManager } = await load(folder, "agents/mcp/client");
    const { Lifecycle } = await load(folder, "agents/lifecycle");
    const none = { toArray: () => [], raw: () => [], one: () => ({}), [Symbol.iterator]: () => [].values() };
    const storage = { sql: { exec: () => none }, kv: { get: () => undefined, put() {}, list: () => [] } };
    for (const name of ["get", "put", "delete", "getAlarm", "setAlarm", "deleteAlarm"]) storage[name] = async () => undefined;
    return {
      version: versionOf(folder, "agents"),
      async connect(url, key) {
        const manager = new MCPClientManager("dke-agent", "1.0.0");
        new Lifecycle({ ctx: { storage, id: { toString: () => "agent", name: "agent" } } }).use(manager);
        const { id: serverId } = await manager.connect(url, {
          transport: { type: "streamable-http", requestInit: { headers: bearer(key) } },
        });
        const connection = manager.mcpConnections[serverId];
        if (connection.connectionState !== "ready") throw new Error(connection.connectionError ?? connection.connectionState);
        return {
          list: async () => manager.listTools(),
          call: (name, args, more) => manager.callTool({ serverId, name, arguments: args }, more),
          giveUp: (name, args, ms) => abandoned((signal) => manager.callTool({ serverId, name, arguments: args }, { signal }), ms),
          close: () => manager.closeConnection(serverId),
        };
      },
    };
  },
  async "mcp-remote"(folder) {
    const { Client } = await import("@modelcontextprotocol/sdk/client/index.js");
    const { StdioClientTransport } = await import("@modelcontextprotocol/sdk/client/stdio.js");
    return {
      version: versionOf(folder, "mcp-remote"),
      async connect(url, key) {
        const client = new Client({ name: "Claude", version: "0.1.0" });
        const transport = new StdioClientTransport({
          command: process.execPath,
          args: [join(folder, "node_modules/mcp-remote/dist/proxy.js"), url, "--allow-http", "--header", `Authorization:${"$"}{DKE_AUTH}`],
          env: { ...process.env, DKE_AUTH: `Bearer ${key}`, MCP_REMOTE_CONFIG_DIR: join(folder, "config"), BROWSER: "true" },
          stderr: "ignore",
        });
        await Promise.race([
          client.connect(transport, { timeout: 8000 }),
          new Promise((_, reject) => transport.onclose === undefined && setTimeout(() => reject(new Error("no answer in 10 s")), 10_000)),
        ]).catch(async (error) => {
          await transport.close();
          throw error;
        });
        return {
          list: async () => (await client.listTools()).tools,
          call: (name, args, more) => client.callTool({ name, arguments: args }, undefined, more),
          giveUp: (name, args, ms) => abandoned((signal) => client.callTool({ name, arguments: args }, undefined, { signal }), ms),
          close: () => client.close(),
        };
      },
    };
  },
  async inspector(folder) {
    const cli = join(folder, "node_modules/@modelcontextprotocol/inspector/cli/build/index.js");
    const run = (url, key, args, giveUpMs) =>
      new Promise((resolve, reject) => {
        const all = [cli, url, "--transport", "http", "--header", `Authorization: Bearer ${key}`, ...args];
        const child = spawn(process.execPath, all, { stdio: ["ignore", "pipe", "pipe"] });
        const timer = giveUpMs === undefined ? undefined : setTimeout(() => child.kill("SIGINT"), giveUpMs);
        let out = "";
        child.stdout.on("data", (chunk) => (out += chunk));
        child.stderr.on("data", (chunk) => (out += chunk));
        child.on("exit", (code) => {
          clearTimeout(timer);
          if (code === 0) resolve(JSON.parse(out));
          else if (giveUpMs !== undefined) resolve("ended by its user");
          else reject(new Error(out.slice(0, 300)));
        });
      });
    const argumentsOf = (name, args) => [
      "--method",
      "tools/call",
      "--tool-name",
      name,
      ...Object.entries(args).flatMap(([key, value]) => ["--tool-arg", `${key}=${value}`]),
    ];
    return {
      version: `(CLI) ${versionOf(folder, "@modelcontextprotocol/inspector")}`,
      // Each command connects, asks and closes.
      connect: async (url, key) => ({
        list: async () => (await run(url, key, ["--method", "tools/list"])).tools,
        call: (name, args) => run(url, key, argumentsOf(name, args)),
        giveUp: (name, args, ms) => run(url, key, argumentsOf(name, args), ms),
        close: async () => {},
      }),
    };
  },
};

/**
 * `npm run demo`: the main job on real input, from outside.
 *
 * Starts the service on a fresh state, connects the official MCP client with a URL and a header, turns this project's
 * own package-lock.json into claims, lets a module's rules conclude what follows, asks why, checks the conclusions
 * against a computation of its own, and ends: exit 0 if everything agreed.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { installedPackages, lockfilePrograms } from "../examples/dependencies/lockfile-program.mjs";

const ROOT = join(import.meta.dirname, "..");
const state = mkdtempSync(join(tmpdir(), "dke-demo-"));
let service;
let failures = 0;

try {
  const started = await start();
  const client = new Client({ name: "dke-demo", version: "1.0.0" });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(started.url), { requestInit: { headers: { Authorization: `Bearer ${started.key}` } } }),
  );
  const call = async (name, args) => {
    const r = await client.callTool({ name, arguments: args });
    if (r.isError) throw new Error(`${name} was refused:\n${r.content[0].text}`);
    return r;
  };
  const { version } = client.getServerVersion();
  const { tools } = await client.listTools();
  say(`connected to dke ${version} at ${started.url}: ${tools.length} tools`);

  title("1. A module: what a lockfile says, and what follows");
  const compiled = await call("compile", {
    name: "dependencies",
    source: readFileSync(join(ROOT, "examples/dependencies/dependencies.dpy"), "utf8"),
  });
  say(compiled.content[0].text);

  title("2. This project's own package-lock.json as claims");
  const packages = installedPackages(JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")));
  let claims = 0;
  let ops = 0;
  const began = performance.now();
  for (const source of lockfilePrograms(packages)) {
    const r = await call("run", { source });
    claims += Number(/(\d+) claims? added/.exec(r.content[0].text)?.[1] ?? 0);
    ops += r._meta.ops;
  }
  say(
    `${packages.length} packages, ${claims} claims recorded, ${ops} ops, ${Math.round(performance.now() - began)} ms; every conclusion is current`,
  );

  title("3. What follows, checked against a search written in JavaScript");
  const reached = await printed(call, `import dependencies\nfor p in subjects(Package):\n    print(p, len(values(p.reaches)))`);
  const closure = closureOf(packages);
  const want = new Map([...closure].map(([id, set]) => [id, set.size]));
  const got = new Map(reached.map((line) => [nameOf(line.slice(0, line.lastIndexOf(" "))), Number(line.slice(line.lastIndexOf(" ") + 1))]));
  const total = [...want.values()].reduce((a, b) => a + b, 0);
  check(
    `the transitive closure: ${total} conclusions over ${want.size} packages`,
    [...want].every(([id, n]) => got.get(id) === n) && got.size === want.size,
  );
  const inRoot = (await printed(call, `import dependencies\nfor q in values(Package["."].reaches):\n    print(q)`)).map(nameOf);
  check(`everything the root reaches, name by name: ${inRoot.length} packages`, same(inRoot, [...closure.get(".")]));

  const versions = new Map();
  for (const p of packages) versions.set(p.name, (versions.get(p.name) ?? new Set()).add(p.version));
  const doubled = await printed(
    call,
    `import dependencies\nfor p in subjects(Package):\n    if len(values(p.beside)) > 0:\n        print(p, p.label)`,
  );
  check(
    `installed in more than one version: ${doubled.length} packages`,
    doubled.length === packages.filter((p) => versions.get(p.name).size > 1).length,
  );
  for (const line of doubled.slice(0, 6)) say(`   ${line}`);

  title("4. A policy: which licences are accepted, and what breaches it");
  const accepted = ["MIT", "ISC", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "0BSD", "MIT OR Apache-2.0", "CC0-1.0", "BlueOak-1.0.0"];
  await call("run", { source: `import dependencies\nfor name in ${JSON.stringify(accepted)}:\n    dependencies.accept(name)` });
  const breaches = await printed(
    call,
    `import dependencies\nfor p in subjects(Package):\n    for l in values(p.breach):\n        print(p.label, l)`,
  );
  check(
    `packages under a licence nobody accepted: ${breaches.length}`,
    breaches.length === packages.filter((p) => p.license !== null && !accepted.includes(p.license)).length,
  );
  for (const line of breaches.slice(0, 6)) say(`   ${line}`);

  title("5. Why is it installed?");
  const deepest = deepestOf(packages);
  const why = await printed(call, `import dependencies\nprint(why(Package["."].reaches, Package[${JSON.stringify(deepest.id)}]))`);
  say(why.join("\n"));
  check(
    `the shortest chain to ${deepest.id} has ${deepest.depth} steps`,
    why.join("\n").split("(asserted by package-lock.json)").length - 1 === deepest.depth,
  );

  title("6. Take a fact away, and what rested on it goes with it");
  const edge = packages.find((p) => p.id === ".").requires[0];
  const without = packages.map((p) => (p.id === "." ? { ...p, requires: p.requires.slice(1) } : p));
  const left = await printed(
    call,
    `import dependencies\nforget(Package["."].requires, Package[${JSON.stringify(edge)}], "package-lock.json")\nprint(len(values(Package["."].reaches)))`,
  );
  say(`without ${edge}: ${left.at(-1)} packages instead of ${inRoot.length}`);
  check("the closure after the change", Number(left.at(-1)) === closureOf(without).get(".").size);

  await client.close();
} catch (error) {
  failures++;
  console.error(error instanceof Error ? error.stack : error);
} finally {
  await stop();
  rmSync(state, { recursive: true, force: true });
}
say(failures === 0 ? "\nEverything agreed." : `\n${failures} check(s) failed.`);
process.exit(failures === 0 ? 0 : 1);

/** The service on a free port and a fresh state folder; its MCP endpoint and a key that may do everything. */
async function start() {
  const port = await freePort();
  service = spawn(
    process.execPath,
    [join(ROOT, "scripts/start.mjs"), "--port", String(port), "--state", state, "--stores", "1", "--json"],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const line = await new Promise((resolve, reject) => {
    let text = "";
    service.stdout.on("data", (chunk) => {
      text += chunk;
      if (text.includes("\n")) resolve(text.slice(0, text.indexOf("\n")));
    });
    service.on("exit", (code) => reject(new Error(`the service ended with ${code} before it was ready`)));
  });
  const told = JSON.parse(line);
  return { url: told.url, key: told.stores[0].keys["read-write-delete"] };
}
async function stop() {
  if (!service || service.exitCode !== null) return;
  const ended = new Promise((resolve) => service.on("exit", resolve));
  service.kill("SIGTERM");
  await ended;
}
function freePort() {
  return new Promise((resolve, reject) => {
    const s = createServer();
    s.on("error", reject);
    s.listen(0, "127.0.0.1", () => {
      const { port } = s.address();
      s.close(() => resolve(port));
    });
  });
}

/** Runs a program and gives the lines it printed. */
async function printed(call, source) {
  const r = await call("run", { source });
  return r._meta.transcript.filter((e) => e.kind === "print").flatMap((e) => e.value.split("\n"));
}
/** `dependencies.Package["a/b"]` → `a/b`. */
function nameOf(text) {
  const m = /^dependencies\.Package(?:\.(.*)|\["(.*)"\])$/.exec(text);
  return m[1] ?? m[2];
}
function closureOf(packages) {
  const requires = new Map(packages.map((p) => [p.id, p.requires]));
  return new Map(
    packages.map((p) => {
      const seen = new Set();
      const work = [...p.requires];
      for (let id = work.pop(); id !== undefined; id = work.pop()) {
        if (seen.has(id)) continue;
        seen.add(id);
        work.push(...requires.get(id));
      }
      return [p.id, seen];
    }),
  );
}
/** The package farthest from the root, by breadth-first search; of equals the first by name. */
function deepestOf(packages) {
  const requires = new Map(packages.map((p) => [p.id, p.requires]));
  const depth = new Map([[".", 0]]);
  const work = ["."];
  for (const id of work)
    for (const next of requires.get(id)) {
      if (depth.has(next)) continue;
      depth.set(next, depth.get(id) + 1);
      work.push(next);
    }
  return [...depth].map(([id, d]) => ({ id, depth: d })).sort((a, b) => b.depth - a.depth || (a.id < b.id ? -1 : 1))[0];
}
function same(a, b) {
  return a.length === b.length && [...a].sort().join("\n") === [...b].sort().join("\n");
}
function check(what, holds) {
  if (!holds) failures++;
  say(`${holds ? "✓" : "✗"} ${what}`);
}
function title(text) {
  say(`\n${text}`);
}
function say(text) {
  process.stdout.write(`${text}\n`);
}

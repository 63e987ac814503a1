/**
 * The programs that make keys, under /tools/: a page that lists them with their digests and whose signature they bear, and the files.
 *
 * Every file is what was committed (scripts/served-programs.mjs); none is ever run in a page of ours, so all are served as text.
 * Executables (scripts/dkekey-executables.mjs) are too large for that: they are served from object storage, where a release has put
 * them with the signed list of their digests.
 */
import { Hono } from "hono";
import type { DashboardBindings } from "../dashboard/site";
import { Table } from "../dashboard/table";
import { PROGRAMS, RELEASE_KEY_FINGERPRINT } from "./programs.generated";
import { Frame, type PublishedDocument, publishedHeaders } from "./published";

export const PROGRAMS_PATH = "/tools";

interface Program {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  readonly files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>;
  /** Hex, by file name. */
  readonly digests: ReadonlyMap<string, string>;
}

const SHOWN: readonly Program[] = [
  program("dkekey", "dkekey", "One file for Node 20 or later, on Linux, macOS and Windows."),
  program(
    "dkepy",
    "dke.keys",
    "The same as a Python package, for 3.9 or later with the package cryptography: pip takes the wheel's address.",
  ),
];

function program(name: keyof typeof PROGRAMS, title: string, about: string): Program {
  const files = new Map(Object.entries(PROGRAMS[name]).map(([file, content]) => [file, bytesOf(content)]));
  const lines = new TextDecoder().decode(files.get("SHA256SUMS")).trimEnd().split("\n");
  return { name, title, about, files, digests: new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)])) };
}

function bytesOf(content: string | { readonly base64: string }): Uint8Array<ArrayBuffer> {
  if (typeof content === "string") return Uint8Array.from(new TextEncoder().encode(content));
  return Uint8Array.from(atob(content.base64), (char) => char.charCodeAt(0));
}

function typeOf(name: string): string {
  if (name.endsWith(".whl")) return "application/octet-stream";
  return `text/${name.endsWith(".md") ? "markdown" : "plain"}; charset=utf-8`;
}

/** In object storage. */
const STORED_UNDER = "programs/dkekey/";

interface StoredFile {
  readonly name: string;
  readonly bytes: number;
}

async function executablesIn(bucket: R2Bucket | undefined): Promise<StoredFile[]> {
  const { objects } = (await bucket?.list({ prefix: STORED_UNDER })) ?? { objects: [] };
  return objects.map(({ key, size }) => ({ name: key.slice(STORED_UNDER.length), bytes: size }));
}

export function programPages(documents: readonly PublishedDocument[]): Hono<{ Bindings: DashboardBindings }> {
  const app = new Hono<{ Bindings: DashboardBindings }>();
  for (const path of [PROGRAMS_PATH, `${PROGRAMS_PATH}/`])
    app.get(path, async (c) => {
      const executables = await executablesIn(c.env.FILES);
      return c.html(<Listing documents={documents} executables={executables} />, 200, publishedHeaders(c));
    });
  app.get(`${PROGRAMS_PATH}/executables/:file`, async (c) => {
    const file = await c.env.FILES?.get(STORED_UNDER + c.req.param("file"));
    if (file === null || file === undefined) return c.notFound();
    const headers = { "content-type": "application/octet-stream", "content-length": String(file.size) };
    return c.body(file.body, 200, { ...publishedHeaders(c), ...headers });
  });
  app.get(`${PROGRAMS_PATH}/:program/*`, (c) => {
    const shown = SHOWN.find(({ name }) => name === c.req.param("program"));
    const name = c.req.path.slice(`${PROGRAMS_PATH}/${shown?.name}/`.length);
    const bytes = shown?.files.get(name);
    if (bytes === undefined) return c.notFound();
    return c.body(bytes, 200, { ...publishedHeaders(c), "content-type": typeOf(name) });
  });
  return app;
}

function Listing({ documents, executables }: { documents: readonly PublishedDocument[]; executables: readonly StoredFile[] }) {
  return (
    <Frame title="Programs that make keys" path={`${PROGRAMS_PATH}/`} documents={documents}>
      <h1>Programs that make keys</h1>
      <p>
        Each makes a store key on the machine it runs on, from that machine's random source. We are sent the key's SHA-256 and the store's
        data key wrapped under it; the key itself never leaves the machine.
      </p>
      {SHOWN.map((shown) => (
        <ProgramPart shown={shown} />
      ))}
      {executables.length === 0 ? null : (
        <section aria-labelledby="executables">
          <h2 id="executables">dkekey as one executable</h2>
          <p>
            Each holds Node itself, so it is large and needs nothing else. The one for macOS is run after{" "}
            <code>codesign --sign - FILE</code>.
          </p>
          <Table
            rows={executables}
            columns={[
              { head: "File", cell: ({ name }) => <a href={`${PROGRAMS_PATH}/executables/${name}`}>{name}</a> },
              { head: "Bytes", number: true, cell: ({ bytes }) => bytes.toLocaleString("en-US") },
            ]}
          />
        </section>
      )}
      <h2>Whose signature</h2>
      <p>Each list of digests is signed with Ed25519 by the release key, which is on no machine of ours. The SHA-256 of its public half:</p>
      <pre>{RELEASE_KEY_FINGERPRINT}</pre>
      <p>
        The same stands in each README and in the repository: if they differ, trust none of them. A copy of the program that you trust
        checks a new one: <code>node dkekey.mjs verify new-dkekey.mjs</code>, with <code>SHA256SUMS</code> and <code>SHA256SUMS.sig</code>{" "}
        beside it.
      </p>
    </Frame>
  );
}

function ProgramPart({ shown }: { shown: Program }) {
  return (
    <section aria-labelledby={shown.name}>
      <h2 id={shown.name}>{shown.title}</h2>
      <p>{shown.about}</p>
      <Table
        rows={[...shown.files]}
        columns={[
          { head: "File", cell: ([name]) => <a href={`${PROGRAMS_PATH}/${shown.name}/${name}`}>{name}</a> },
          { head: "Bytes", number: true, cell: ([, bytes]) => String(bytes.length) },
          { head: "SHA-256", class: "mono id", cell: ([name]) => shown.digests.get(name) ?? "" },
        ]}
      />
    </section>
  );
}

/** A caller that closes only its own side of the connection still waits for its answer: it has not left (contract §4.2). */
import { connect } from "node:net";
import { expect, inject, it } from "vitest";
import { trialOf } from "../../scripts/trial-service.mjs";

/** Everything that comes back on a connection whose sending side is closed so many ms after the request. */
function answerTo(url: string, key: string, source: string, closeMs: number): Promise<string> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "run", arguments: { source } } });
  const { port, hostname } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    let text = "";
    socket.setEncoding("utf8");
    socket.on("data", (chunk) => (text += chunk));
    socket.on("end", () => {
      socket.destroy();
      resolve(text);
    });
    socket.on("error", reject);
    const head = `POST / HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${key}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`;
    socket.write(head + body);
    setTimeout(() => socket.end(), closeMs);
  });
}

const QUICK = "print(1)";
/** A second and more: its answer begins while it runs. */
const LONG = "t = 0\nfor i in range(9000000):\n    t += len(str(i))\nprint(t)";

it.each([
  ["at once, of a quick call", QUICK, 0, "1"],
  ["at once, of a long call", LONG, 0, "61888890"],
  ["while its answer has begun", LONG, 700, "61888890"],
])("[4.2] a caller that closes its sending side %s is answered in whole", async (_, source, closeMs, printed) => {
  const service = trialOf(inject("serviceUrl"), inject("localToken"));
  const { keys } = await service.newStore();
  const text = await answerTo(service.url, keys["read-write"], source, closeMs);
  expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(text).toContain('"isError":false');
  expect(text).toContain(`\\n${printed}"`);
});

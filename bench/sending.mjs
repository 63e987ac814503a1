/**
 * Calls as a careful client sends them: over kept connections, and once more where a kept one was lost before any answer.
 *
 * The local runtime ends a connection that was idle for five seconds, and no setting or header of ours changes or announces
 * that: whoever writes to it as it closes, or has not had the processor to see that it did, finds it reset, and nothing of the
 * request was read. HTTP asks its clients to send such a call again (RFC 9112, 9.3.1); how many were is counted. A fresh
 * connection that is lost is an error.
 */
import { Agent, request as httpRequest } from "node:http";

export class Sender {
  /** Calls that a kept connection lost. */
  sentAgain = 0;
  // As Node's own fetch, which lets go of a connection after four idle seconds.
  #agent = new Agent({ keepAlive: true, maxSockets: 400, timeout: 4000 });

  call(url, key, name, args) {
    return this.post(url, key, JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }));
  }

  async post(url, key, body) {
    try {
      return await postOnce(this.#agent, url, key, body);
    } catch (lost) {
      if (lost.onKeptConnection !== true) throw lost;
      this.sentAgain++;
      return postOnce(new Agent({ keepAlive: false }), url, key, body);
    }
  }

  end() {
    this.#agent.destroy();
  }
}

function postOnce(agent, url, key, body) {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body), authorization: `Bearer ${key}` };
    let answering = false;
    const sent = httpRequest(url, { method: "POST", agent, headers }, (response) => {
      answering = true;
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk) => {
        text += chunk;
      });
      response.on("end", () => resolve({ status: response.statusCode, text }));
      response.on("error", reject);
    });
    sent.on("error", (error) => {
      error.onKeptConnection = sent.reusedSocket && !answering;
      reject(error);
    });
    sent.end(body);
  });
}

/** Null where a tool answered with success. */
export async function resultFault(answer) {
  const { status, text } = await answer;
  if (status !== 200) return `HTTP ${status} ${text.slice(0, 200)}`;
  const { result, error } = JSON.parse(text);
  if (error !== undefined) return `${error.code} ${error.message}`;
  return result.isError ? result.content[0].text.slice(0, 200) : null;
}

export async function expectDone(answer) {
  const fault = await resultFault(answer);
  if (fault !== null) throw new Error(fault);
}

/** Starts `work` so many times a second for so long, whether or not earlier ones have ended, and waits for all of it. */
export async function steadily(ms, perSecond, work) {
  const beganMs = performance.now();
  const all = [];
  for (let n = 0; n < (ms / 1000) * perSecond; n++) {
    const waitMs = beganMs + (n * 1000) / perSecond - performance.now();
    if (waitMs > 0) await pause(waitMs);
    all.push(work());
  }
  await Promise.all(all);
}

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

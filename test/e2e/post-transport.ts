/**
 * A transport for clients older than Streamable HTTP: each message is one POST, and what comes back is the next message.
 * So little that it is what a client without any MCP library does.
 */

interface Message {
  readonly jsonrpc: "2.0";
}

export class PostTransport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  // biome-ignore lint/suspicious/noExplicitAny: each client has its own type of a message.
  onmessage?: (message: any) => void;
  readonly #url: string;
  readonly #key: string;
  readonly #open = new AbortController();

  constructor(url: string, key: string) {
    this.#url = url;
    this.#key = key;
  }
  async start(): Promise<void> {}

  /** Resolves once the message is on its way; an answer comes by `onmessage`. A refusal below JSON-RPC is an error. */
  async send(message: Message): Promise<void> {
    const headers = { authorization: `Bearer ${this.#key}`, "content-type": "application/json" };
    const sent = fetch(this.#url, { method: "POST", headers, body: JSON.stringify(message), signal: this.#open.signal });
    if ("method" in message && message.method === "initialize") await this.#take(await sent);
    else sent.then((response) => this.#take(response)).catch((error: Error) => this.onerror?.(error));
  }
  async #take(response: Response): Promise<void> {
    const text = await response.text();
    if (response.status === 202) return;
    if (response.status !== 200) throw new Error(`HTTP ${response.status}: ${text}`);
    this.onmessage?.(JSON.parse(text));
  }
  async close(): Promise<void> {
    this.#open.abort();
    this.onclose?.();
  }
}

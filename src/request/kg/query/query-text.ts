/** Tokens of the two query languages, and reading them one after the other. A fault is told with the place it stands at. */
import { numberOf } from "../../../lang/ops/json-literal";
import { invalidInput, type VerbFailure } from "../../verb-failure";

export type Token =
  | { readonly tag: "word"; readonly text: string; readonly at: number }
  | { readonly tag: "variable"; readonly text: string; readonly at: number }
  | { readonly tag: "string"; readonly text: string; readonly at: number }
  | { readonly tag: "number"; readonly text: string; readonly at: number }
  | { readonly tag: "sign"; readonly text: string; readonly at: number }
  | { readonly tag: "end"; readonly text: ""; readonly at: number };

const SPACE = /(?:\s+|\/\/[^\n]*|#[^\n]*)*/y;
const WORD = /`[^`]+`|[A-Za-z_][A-Za-z0-9_]*/y;
const PREFIXED_WORD = /(?:[A-Za-z_][A-Za-z0-9_-]*)?:[A-Za-z_][A-Za-z0-9_-]*|[A-Za-z_][A-Za-z0-9_]*/y;
const VARIABLE = /[?$][A-Za-z_][A-Za-z0-9_]*/y;
const NUMBER = /[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const STRING = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/sy;
const SIGN = /<>|!=|<=|>=|->|<-|&&|\|\||\.\.|[()[\]{},.:;=<>|*!+-]/y;

/** `prefixed`: a word may have a prefix, as in `kg:extends`, which is left out. */
export function tokens(text: string, prefixed: boolean): Token[] {
  const found: Token[] = [];
  let at = 0;
  const take = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0] ?? null;
  };
  for (;;) {
    at += take(SPACE)!.length;
    if (at === text.length) break;
    const word = take(prefixed ? PREFIXED_WORD : WORD);
    const variable = word === null ? take(VARIABLE) : null;
    const number = word ?? variable ?? take(NUMBER);
    const string = number ?? take(STRING);
    const whole = string ?? take(SIGN);
    if (whole === null) throw queryFault(`got ${JSON.stringify(text[at])}`, at);
    const tag = word !== null ? "word" : variable !== null ? "variable" : number !== null ? "number" : string !== null ? "string" : "sign";
    const inner =
      tag === "string"
        ? unquoted(whole, at)
        : tag === "word"
          ? whole.replace(/^`|`$/g, "").replace(/^.*:/, "")
          : tag === "variable"
            ? whole.slice(1)
            : whole;
    found.push({ tag, text: inner, at } as Token);
    at += whole.length;
  }
  found.push({ tag: "end", text: "", at });
  return found;
}

const ESCAPES: { readonly [char: string]: string } = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };

function unquoted(whole: string, at: number): string {
  return whole.slice(1, -1).replace(/\\u([0-9A-Fa-f]{4})|\\(.)/gs, (_, code: string | undefined, char: string | undefined) => {
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
    if (char === "u") throw queryFault("a \\u escape has four hexadecimal digits", at);
    return ESCAPES[char!] ?? char!;
  });
}

export function queryFault(message: string, at: number): VerbFailure {
  return invalidInput(`query, at character ${at}: ${message}`, { details: { reason: "query_syntax", at } });
}

export class TokenReader {
  readonly #tokens: readonly Token[];
  #next = 0;

  constructor(all: readonly Token[]) {
    this.#tokens = all;
  }

  get token(): Token {
    return this.#tokens[this.#next];
  }

  take(): Token {
    const { token } = this;
    if (token.tag !== "end") this.#next++;
    return token;
  }

  isSign(text: string): boolean {
    return this.token.tag === "sign" && this.token.text === text;
  }

  /** Words of the languages are written in any case. */
  isWord(text: string): boolean {
    return this.token.tag === "word" && this.token.text.toUpperCase() === text;
  }

  sign(text: string): boolean {
    if (!this.isSign(text)) return false;
    this.#next++;
    return true;
  }

  word(text: string): boolean {
    if (!this.isWord(text)) return false;
    this.#next++;
    return true;
  }

  wantSign(text: string): void {
    if (!this.sign(text)) throw this.expected(`\`${text}\``);
  }

  wantWord(text: string): void {
    if (!this.word(text)) throw this.expected(text);
  }

  name(what: string): string {
    const { token } = this;
    if (token.tag !== "word") throw this.expected(what);
    this.#next++;
    return token.text;
  }

  /** As many digits as 64 bits have are kept. */
  number(): number | bigint {
    const { token } = this;
    const value = token.tag === "number" ? numberOf(token.text) : null;
    if (value === null) throw this.expected("a number");
    this.#next++;
    return value;
  }

  count(what: string): number {
    const { token } = this;
    const value = token.tag === "number" ? Number(token.text) : Number.NaN;
    if (!Number.isSafeInteger(value)) throw this.expected(`${what}, a whole number`);
    this.#next++;
    return value;
  }

  expected(what: string): VerbFailure {
    const { token } = this;
    return queryFault(`got ${token.tag === "end" ? "the end" : JSON.stringify(token.text)}, expected ${what}`, token.at);
  }
}

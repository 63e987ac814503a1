/**
 * JSON with its integers exact and its texts well formed: what the platform's reader does not promise.
 *
 * Recursive: whoever calls it has bounded how deep the text nests, or stored it within the bounds.
 */
import { numberEnd, numberOf, readString, StringFault, stringEnd } from "./json-literal";
import { setMember } from "./object-member";
import { badJson, OpsProblem, shown, unclosedString } from "./ops-fault";

/** A JSON value: what a call form writes, without its references. */
export type ExactJson = null | boolean | number | bigint | string | readonly ExactJson[] | { readonly [key: string]: ExactJson };

/** Throws an `OpsProblem`. */
export function readJson(text: string): ExactJson {
  return new JsonReader(text).read();
}

/** The text itself where it is no JSON. */
export function exactJson(text: string): ExactJson {
  try {
    return readJson(text);
  } catch (thrown) {
    if (thrown instanceof OpsProblem) return text;
    throw thrown;
  }
}

const BLANK = /[ \t\n\r]*/y;

class JsonReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): ExactJson {
    const value = this.#value();
    this.#blank();
    if (this.#at < this.#text.length) throw this.#fault("nothing may follow the JSON value");
    return value;
  }

  #value(): ExactJson {
    this.#blank();
    const text = this.#text;
    const start = this.#at;
    switch (text[start]) {
      case "{":
        return this.#object();
      case "[":
        return this.#array();
      case '"':
        return this.#string();
      case "t":
        return this.#word("true", true);
      case "f":
        return this.#word("false", false);
      case "n":
        return this.#word("null", null);
    }
    const end = numberEnd(text, start);
    if (end === start) throw this.#fault("expected a value");
    const number = numberOf(text.slice(start, end));
    if (number === null) throw this.#fault("this number is too large for a 64-bit float");
    this.#at = end;
    return number;
  }

  #object(): ExactJson {
    const object: { [key: string]: ExactJson } = {};
    this.#at++;
    this.#blank();
    if (this.#text[this.#at] === "}") {
      this.#at++;
      return object;
    }
    for (;;) {
      this.#blank();
      if (this.#text[this.#at] !== '"') throw this.#fault("expected a key in double quotes");
      const key = this.#string();
      this.#blank();
      if (this.#text[this.#at] !== ":") throw this.#fault("expected `:` after a key");
      this.#at++;
      setMember(object, key, this.#value());
      if (this.#closes("}")) return object;
    }
  }

  #array(): ExactJson {
    const items: ExactJson[] = [];
    this.#at++;
    this.#blank();
    if (this.#text[this.#at] === "]") {
      this.#at++;
      return items;
    }
    for (;;) {
      items.push(this.#value());
      if (this.#closes("]")) return items;
    }
  }

  /** False after a comma. */
  #closes(closer: string): boolean {
    this.#blank();
    const char = this.#text[this.#at];
    if (char !== "," && char !== closer) throw this.#fault(`expected \`,\` or \`${closer}\``);
    this.#at++;
    return char === closer;
  }

  #string(): string {
    const start = this.#at;
    const end = stringEnd(this.#text, start);
    if (end < 0) throw unclosedString(start);
    const read = readString(this.#text.slice(start + 1, end), false);
    if (read instanceof StringFault) throw this.#fault(read.why);
    this.#at = end + 1;
    return read;
  }

  #word(word: string, value: ExactJson): ExactJson {
    if (!this.#text.startsWith(word, this.#at)) throw this.#fault("expected a value");
    this.#at += word.length;
    return value;
  }

  #blank(): void {
    if (this.#text.charCodeAt(this.#at) > 0x20) return;
    BLANK.lastIndex = this.#at;
    BLANK.test(this.#text);
    this.#at = BLANK.lastIndex;
  }

  #fault(why: string): Error {
    const before = this.#text.slice(0, this.#at);
    const line = before.split("\n").length;
    const column = [...before.slice(before.lastIndexOf("\n") + 1)].length + 1;
    const got = this.#at >= this.#text.length ? "the end of input" : shown(this.#text, this.#at);
    return badJson(`${why}, got ${got} (line ${line}, column ${column})`, this.#at);
  }
}

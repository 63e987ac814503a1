/**
 * All verbs that are loaded, by name, and the packs they come in: the one catalogue.
 */
import { assert } from "../failure";
import type { Verb } from "./verb";

export class Registry {
  readonly #verbs = new Map<string, Verb>();
  readonly packs: readonly string[];

  /** `packs` in the order they are told of; a pack without verbs is a pack all the same. */
  constructor(packs: readonly { readonly name: string; readonly verbs: readonly Verb[] }[]) {
    this.packs = packs.map((pack) => pack.name);
    for (const pack of packs) {
      for (const verb of pack.verbs) {
        assert(verb.pack === pack.name && !this.#verbs.has(verb.name), `a verb stands once, in its pack: ${verb.name}`);
        this.#verbs.set(verb.name, verb);
      }
    }
  }

  get(name: string): Verb | undefined {
    return this.#verbs.get(name);
  }

  /** Pack by pack. */
  all(): Verb[] {
    return [...this.#verbs.values()];
  }
}

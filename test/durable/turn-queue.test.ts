import { describe, expect, test } from "vitest";
import { type Place, type TurnMode, TurnQueue } from "../../src/durable/turn-queue";

/** A clock of our own: `pass` fires what is due, in order. */
class Clock {
  now = 0;
  readonly due: { at: number; then: () => void }[] = [];
  after = (ms: number, then: () => void): (() => void) => {
    const entry = { at: this.now + ms, then };
    this.due.push(entry);
    return () => {
      const index = this.due.indexOf(entry);
      if (index >= 0) this.due.splice(index, 1);
    };
  };
  pass(ms: number): void {
    this.now += ms;
    for (;;) {
      const next = this.due.filter((entry) => entry.at <= this.now).sort((a, b) => a.at - b.at)[0];
      if (next === undefined) return;
      this.due.splice(this.due.indexOf(next), 1);
      next.then();
    }
  }
}

/**
 * A story: `r1` a reader enters, `w1` a writer enters, `-r1` it leaves, `+500` time passes; after `=` who is working now, in
 * order of entry, and after `!` who was told busy.
 */
function tell(story: string): Promise<string> {
  const clock = new Clock();
  const queue = new TurnQueue({ lengthMax: 3, waitMsMax: 1000, after: clock.after });
  const places = new Map<string, Place>();
  const states = new Map<string, string>();
  return story
    .split(" ")
    .reduce(async (before, word) => {
      await before;
      if (word.startsWith("-")) {
        places.get(word.slice(1))!.leave();
        if (states.get(word.slice(1)) === "turn") states.set(word.slice(1), "gone");
      } else if (word.startsWith("+")) clock.pass(Number(word.slice(1)));
      else {
        const mode: TurnMode = word.startsWith("w") ? "alone" : "shared";
        const place = queue.enter(mode);
        places.set(word, place);
        states.set(word, "waiting");
        place.outcome.then((outcome) => states.set(word, outcome));
      }
      await Promise.resolve();
      await Promise.resolve();
    }, Promise.resolve())
    .then(() => {
      const working = [...states].filter(([, state]) => state === "turn").map(([name]) => name);
      const busy = [...states].filter(([, state]) => state === "busy").map(([name]) => name);
      expect(queue.runningCount).toBe(working.length);
      expect(clock.due.length).toBe(queue.waitingCount);
      return `${working.join(" ")}${busy.length > 0 ? ` ! ${busy.join(" ")}` : ""}`;
    });
}

const STORIES: readonly (readonly [rule: string, story: string, working: string])[] = [
  ["[9.8] calls of read-only keys run together", "r1 r2 r3", "r1 r2 r3"],
  ["[9.8] every other call runs alone", "w1 w2", "w1"],
  ["[9.8] a writer waits for every reader", "r1 r2 w1 -r1", "r2"],
  ["[9.8] a writer runs once the last reader has left", "r1 r2 w1 -r1 -r2", "w1"],
  ["[turns] first come, first served: a reader does not overtake a waiting writer", "r1 w1 r2", "r1"],
  ["[turns] readers behind a writer start together when it leaves", "w1 r1 r2 w2 -w1", "r1 r2"],
  ["[turns] writers go in the order they came", "w1 w2 w3 -w1 -w2", "w3"],
  ["[turns] who gives up its place no longer holds back those behind it", "r1 w1 r2 -w1", "r1 r2"],
  ["[turns] leaving twice gives back one turn", "w1 w2 w3 -w1 -w1", "w2"],
  ["[6] past the queue's length a call is told busy at once", "w1 w2 w3 w4 w5", "w1 ! w5"],
  ["[6] at the queue's length a call waits", "w1 w2 w3 w4 -w1 -w2 -w3", "w4"],
  ["[6] a place frees when one is told busy", "w1 w2 w3 w4 w5 -w2 w6 -w1 -w3 -w4", "w6 ! w5"],
  ["[6] a wait past its limit is told busy", "w1 w2 +1000", "w1 ! w2"],
  ["[6] a wait short of its limit goes on", "w1 w2 +999 -w1", "w2"],
  ["[6] a call at work is never told busy", "w1 +100000", "w1"],
  ["[6] a writer told busy lets the readers behind it in", "r1 w1 +500 r2 +500", "r1 r2 ! w1"],
];

describe("turn queue", () => {
  test.each(STORIES)("%s: %s", async (_, story, working) => {
    expect(await tell(story)).toBe(working);
  });

  test("[turns] whatever comes and goes: never a writer beside anyone, nobody overtaken, nobody forgotten", async () => {
    for (let seed = 1; seed <= 200; seed++) {
      let state = seed;
      const random = (below: number): number => {
        state = (Math.imul(state, 1103515245) + 12345) >>> 0;
        return (state >>> 8) % below;
      };
      const queue = new TurnQueue({ lengthMax: 1000, waitMsMax: 1000, after: () => () => {} });
      const inside: { id: number; mode: TurnMode; place: Place }[] = [];
      const started: number[] = [];
      const all: { id: number; mode: TurnMode; place: Place; left: boolean }[] = [];
      for (let step = 0; step < 60; step++) {
        if (random(3) > 0) {
          const mode: TurnMode = random(2) === 0 ? "alone" : "shared";
          const entry = { id: all.length, mode, place: queue.enter(mode), left: false };
          all.push(entry);
          entry.place.outcome.then((outcome) => {
            if (outcome !== "turn") return;
            inside.push(entry);
            started.push(entry.id);
          });
        } else if (inside.length > 0) {
          const [gone] = inside.splice(random(inside.length), 1);
          gone.place.leave();
        }
        await Promise.resolve();
        await Promise.resolve();
        const writers = inside.filter((entry) => entry.mode === "alone").length;
        expect(writers === 0 || inside.length === 1, `seed ${seed}: a writer runs alone`).toBe(true);
      }
      while (inside.length > 0) {
        inside.shift()!.place.leave();
        await Promise.resolve();
        await Promise.resolve();
      }
      expect(started, `seed ${seed}: all came to work, in order of entry`).toEqual(all.map((entry) => entry.id));
    }
  });
});

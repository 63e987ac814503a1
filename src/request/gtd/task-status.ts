/** Where a task can stand, how it may move, and how much it weighs (request facts §7.3). */
import { invalidInput } from "../verb-failure";

export const TASK_STATUSES = ["inbox", "next", "active", "waiting", "someday", "done", "cancelled"] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

const ALIASES: { readonly [word: string]: TaskStatus } = {
  todo: "inbox",
  in_progress: "active",
  blocked: "waiting",
  later: "someday",
  finished: "done",
};

const MOVES: { readonly [from in TaskStatus]: readonly TaskStatus[] } = {
  inbox: ["next", "waiting", "someday", "active", "done", "cancelled"],
  next: ["active", "waiting", "someday", "done", "cancelled"],
  active: ["next", "waiting", "done", "cancelled"],
  waiting: ["next", "active", "done", "cancelled"],
  someday: ["next", "active", "done", "cancelled"],
  done: [],
  cancelled: [],
};

export const PRIORITIES = ["p0", "p1", "p2", "p3"] as const;
export type Priority = (typeof PRIORITIES)[number];
const SALIENCE: { readonly [priority in Priority]: number } = { p0: 1, p1: 0.75, p2: 0.5, p3: 0.25 };

/** A status by its name or by another word for it. */
export function taskStatus(word: string): TaskStatus {
  const status = Object.hasOwn(ALIASES, word) ? ALIASES[word] : TASK_STATUSES.find((one) => one === word);
  if (status !== undefined) return status;
  throw invalidInput(
    `unknown status ${JSON.stringify(word.slice(0, 64))}: ${TASK_STATUSES.join(", ")}, or ${Object.keys(ALIASES).join(", ")}`,
  );
}

/** From what a program wrote and is no status a task goes anywhere. */
function movesFrom(status: string): readonly TaskStatus[] {
  return Object.hasOwn(MOVES, status) ? MOVES[status as TaskStatus] : TASK_STATUSES;
}

export function mayMove(from: string, to: TaskStatus): boolean {
  return movesFrom(from).includes(to);
}

export function isFinal(status: string): boolean {
  return movesFrom(status).length === 0;
}

/** Throws where a task that stands there cannot go there. */
export function requireMove(from: string, to: TaskStatus): void {
  if (mayMove(from, to)) return;
  const open = movesFrom(from);
  throw invalidInput(
    open.length === 0 ? `the task is ${from}, which is final` : `a task goes from ${from} to ${open.join(", ")}, not to ${to}`,
    {
      details: { from, to, allowed: open },
    },
  );
}

export function salienceOf(priority: Priority): number {
  return SALIENCE[priority];
}

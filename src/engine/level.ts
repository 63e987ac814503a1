/**
 * Access levels per statement (rulings, "Levels"). A refusal for want of level says only that this key may not do this.
 */
import { Refusal } from "../failure";
import { LEVELS, type Level } from "./claim";

export function allows(level: Level, needed: Level): boolean {
  return LEVELS.indexOf(level) >= LEVELS.indexOf(needed);
}

export function requireLevel(level: Level, needed: Level): void {
  if (!allows(level, needed)) throw scopeForbidden();
}

export function scopeForbidden(): Refusal {
  return new Refusal("scope_forbidden", "this key may not do this");
}

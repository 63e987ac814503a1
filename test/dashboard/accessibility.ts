/**
 * What of a page shuts somebody out: who hears it read, who has no pointer, who needs contrast.
 *
 * The rules are axe's, WCAG 2.2 to level AA and its advice beside; the keyboard is tried by pressing Tab until it comes round.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary?: string }[];
}

/** Each as the rule it breaks and where; empty where nobody is shut out. `only`: what can have changed since all were tried. */
export async function brokenRules(page: Page, only?: readonly string[]): Promise<string[]> {
  // Not as a script of the page: its policy would refuse one, as it should.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(AXE);
  const run = only === undefined ? { type: "tag", values: RULES } : { type: "rule", values: only };
  const { violations } = (await page.evaluate(`axe.run(document, ${JSON.stringify({ runOnly: run, resultTypes: ["violations"] })})`)) as {
    violations: Violation[];
  };
  return violations.flatMap(({ id, help, nodes }) => nodes.map(({ target }) => `${id} (${help}): ${target.join(" ")}`));
}

/** Of a page of thousands of links, these from its beginning. */
const TRIED_MAX = 100;

/** What can be acted on with a pointer and is not come to with Tab, or is come to and not seen to be. */
export async function beyondTheKeyboard(page: Page): Promise<string[]> {
  const wanted = (await page.evaluate(`{
    const able = "a[href], button, input:not([type=hidden]), select, textarea, summary";
    window.toReach = new Set([...document.querySelectorAll(able)].filter((one) =>
      !one.disabled && one.checkVisibility({ visibilityProperty: true }) &&
      !(one.type === "radio" && !one.checked)).slice(0, ${TRIED_MAX}));
    document.activeElement?.blur();
    getSelection()?.removeAllRanges();
    window.toReach.size;
  }`)) as number;
  const unseen: string[] = [];
  // Regions that scroll are come to as well.
  for (let pressed = 0; pressed < wanted + 60; pressed++) {
    await page.keyboard.press("Tab");
    const told = (await page.evaluate(`{
      const here = document.activeElement;
      window.toReach.delete(here);
      const style = getComputedStyle(here);
      const isSeen = here === document.body || (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2);
      [window.toReach.size, isSeen ? "" : here.outerHTML.slice(0, 80)];
    }`)) as [number, string];
    if (told[1] !== "") unseen.push(`no sign of the focus: ${told[1]}`);
    if (told[0] === 0) return unseen;
  }
  const left = (await page.evaluate("[...window.toReach].map((one) => one.outerHTML.slice(0, 80))")) as string[];
  return [...unseen, ...left.map((one) => `not come to with Tab: ${one}`)];
}

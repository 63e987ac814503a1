/** What `why_not` found, as a tree of lines. */
import type { Datum } from "../datum";
import { type Reason, remark } from "./reason";
import type { RuleMiss, WhyNot } from "./why-not";

/** How ids are told. */
export interface WhyNotSpelling {
  datumOf(id: number): Datum;
  shown(datum: Datum): string;
}

export function whyNotReason(found: WhyNot, spell: WhyNotSpelling): Reason {
  const asked = found.value < 0 ? undefined : spell.datumOf(found.value);
  const recorded = found.recorded === null ? [] : [remark(`${found.recorded.class}: ${found.recorded.detail}`)];
  return {
    text: asked === undefined ? `not present(${found.cell})` : `not ${found.cell} == ${spell.shown(asked)}`,
    cell: found.cell,
    value: asked,
    rule: null,
    told: {},
    premises: [...recorded, ...found.rules.map((miss) => ruleReason(miss, spell)), ...setReasons(found)],
  };
}

function ruleReason(miss: RuleMiss, spell: WhyNotSpelling): Reason {
  const place = !miss.isConclusion ? ` (premise ${miss.held + 1} of ${miss.of})` : "";
  const bounded = miss.bounded ? [remark("not every binding was tried: this is the nearest of those that were")] : [];
  return {
    text: `rule ${miss.rule}: ${miss.class}`,
    cell: null,
    value: undefined,
    rule: miss.rule,
    told: {
      class: miss.class,
      premise: miss.premise,
      held: miss.held,
      of: miss.of,
      detail: miss.detail,
      notes: miss.notes,
      bounded: miss.bounded,
    },
    premises: [
      remark(`${miss.premise}${place}`),
      remark(miss.detail),
      ...miss.notes.map(remark),
      ...(miss.below === null ? [] : [whyNotReason(miss.below, spell)]),
      ...bounded,
    ],
  };
}

function setReasons({ sets }: WhyNot): Reason[] {
  return sets.map((set) => {
    const conditions = [...new Set(set.flatMap((one) => one.conditions))];
    const needs = conditions.join(" and ");
    return {
      ...remark(`would hold with ${needs}`),
      told: { needs: conditions, cells: set.map(({ cell }) => cell) },
    };
  });
}

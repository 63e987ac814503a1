/**
 * A payroll to check, and the check as it is written without rules: day by day.
 *
 * The workers are made from a seed; the rates are those of wages.dpy. `shortfalls` is the independent answer: it shares no
 * line with the module, only the published figures.
 */

/** @typedef {{ from: string, to: string, value: number }} Period  `[from, to)`, ISO dates. */
/** @typedef {{ id: string, born: string, pay: Period[], apprentice: { from: string, firstYearEnds: string, to: string } | null }} Worker */

const DAY_MS = 86_400_000;
const FIRST = "2019-04-01";
const LAST = "2026-04-01";

/** Adult, 21 to below the adult age, 18 to 20, under 18, apprentice; pence from 1 April on. */
const FIGURES = {
  2019: { adultAge: 25, pence: [821, 770, 615, 435, 390] },
  2020: { adultAge: 25, pence: [872, 820, 645, 455, 415] },
  2021: { adultAge: 23, pence: [891, 836, 656, 462, 430] },
  2022: { adultAge: 23, pence: [950, 918, 683, 481, 481] },
  2023: { adultAge: 23, pence: [1042, 1018, 749, 528, 528] },
  2024: { adultAge: 21, pence: [1144, 1144, 860, 640, 640] },
  2025: { adultAge: 21, pence: [1221, 1221, 1000, 755, 755] },
};

/** mulberry32. */
function randomOf(seed) {
  let state = seed >>> 0;
  return (n) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % n;
  };
}

function iso(ms) {
  return new Date(ms).toISOString().slice(0, 10);
}
function later(date, days) {
  return iso(Date.parse(date) + days * DAY_MS);
}

/** Workers with two to six rates of pay, a gap now and then; every third is an apprentice for a while. @returns {Worker[]} */
export function payroll(count, seed) {
  const below = randomOf(seed);
  return Array.from({ length: count }, (_, i) => {
    const born = `${1985 + below(19)}-${String(1 + below(12)).padStart(2, "0")}-${String(1 + below(28)).padStart(2, "0")}`;
    const pay = [];
    let from = later(FIRST, below(400));
    for (let n = 2 + below(5); n > 0; n--) {
      const to = later(from, 200 + below(600));
      pay.push({ from, to, value: 400 + below(900) });
      from = later(to, below(3) === 0 ? below(60) : 0);
    }
    const begin = later(FIRST, below(900));
    const apprentice = i % 3 === 0 ? { from: begin, firstYearEnds: later(begin, 365), to: later(begin, 200 + below(900)) } : null;
    return { id: `w${i}`, born, pay, apprentice };
  });
}

/** The programs that record a payroll. */
export function payrollProgram(workers) {
  const date = (text) => `datetime("${text}T00:00:00Z")`;
  const lines = ["import wages"];
  for (const { id, born, pay, apprentice } of workers) {
    const [year, month, day] = born.split("-").map(Number);
    lines.push(`wages.born(Worker.${id}, ${year}, ${month}, ${day})`);
    for (const { from, to, value } of pay) lines.push(`wages.paid(Worker.${id}, ${value}, ${date(from)}, ${date(to)})`);
    if (apprentice !== null) {
      const { from, firstYearEnds, to } = apprentice;
      lines.push(`wages.apprenticed(Worker.${id}, ${date(from)}, ${date(firstYearEnds)}, ${date(to)})`);
    }
  }
  return `${lines.join("\n")}\n`;
}

/** When a worker was paid too little, and by how much: a walk through the days. @returns {Period[]} */
export function shortfalls({ born, pay, apprentice }) {
  const out = [];
  for (let ms = Date.parse(FIRST); ms < Date.parse(LAST); ms += DAY_MS) {
    const today = iso(ms);
    const paid = pay.find(({ from, to }) => from <= today && today < to);
    if (paid === undefined) continue;
    const short = minimum(today, born, apprentice) - paid.value;
    if (short <= 0) continue;
    const last = out.at(-1);
    if (last !== undefined && last.to === today && last.value === short) last.to = later(today, 1);
    else out.push({ from: today, to: later(today, 1), value: short });
  }
  return out;
}

function minimum(today, born, apprentice) {
  const year = Number(today.slice(0, 4)) - (today.slice(5) < "04-01" ? 1 : 0);
  const { adultAge, pence } = FIGURES[year];
  const age = Number(today.slice(0, 4)) - Number(born.slice(0, 4)) - (today.slice(5) < born.slice(5) ? 1 : 0);
  if (apprentice !== null && apprentice.from <= today && today < apprentice.to) {
    if (age < 19 || today < apprentice.firstYearEnds) return pence[4];
  }
  return age >= adultAge ? pence[0] : age >= 21 ? pence[1] : age >= 18 ? pence[2] : pence[3];
}

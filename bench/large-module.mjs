/** A module of about a thousand lines as people write them: classes, scripts of several kinds, rules. The same text each time. */

const SCRIPTS = [
  (n) => `def total_${n}(items: list, *, limit: int = 10) -> int:
    """Sums what is below the limit."""
    total = 0
    for i, item in enumerate(items):
        if item < limit and i % 2 == 0:
            total += item * ${n}
        elif item == limit:
            continue
        else:
            total -= 1
    return total
`,
  (n) => `def describe_${n}(name: str, size: int = ${n}) -> str:
    parts = [part.strip().upper() for part in name.split(",") if part]
    if not parts:
        return "none"
    head, *rest = parts
    return f"{head:>10}|{size:05d}|{len(rest)}" + "-".join(rest)
`,
  (n) => `def record_${n}(who: Kind${n % 8}, amount: int, source: str = "clerk"):
    before = value(who.size, 0)
    if amount > before:
        update(who.size, amount, source)
        remember(who.weight, amount / 3, source)
    else:
        assert_absent(who.weight, source)
    print(f"{who} was {before}")
`,
  (n) => `def group_${n}(rows: list) -> dict:
    groups = {}
    for row in rows:
        try:
            key = row["kind"]
            groups.setdefault(key, []).append(row.get("size", 0) + ${n})
        except KeyError as e:
            groups["none"] = groups.get("none", []) + [str(e)]
    return {k: sorted(v, key=lambda x: -x if x else 0)[:3] for k, v in sorted(groups.items())}
`,
  (n) => `@rule
def rule_${n}(p: Kind${n % 8}, q: Kind${(n + 1) % 8}):
    when(p.parent == q, q.size > ${n})
    conclude(p.big${n % 3}, q.size + ${n})
`,
];

export function largeModule(lines = 1000) {
  const out = ["import math\nimport json\n"];
  for (let k = 0; k < 8; k++)
    out.push(`class Kind${k}:
    """Kind number ${k}."""
    name: string
    parent: many[Kind${(k + 1) % 8}]
    size: int
    weight: real

    @computed
    def double(self) -> int:
        return self.size * 2
`);
  let count = out.join("\n").split("\n").length;
  for (let n = 0; count < lines; n++) {
    const text = `\n${SCRIPTS[n % SCRIPTS.length](n)}`;
    out.push(text);
    count += text.split("\n").length;
  }
  return `${out.join("\n")}\nprint("ready")\n`;
}

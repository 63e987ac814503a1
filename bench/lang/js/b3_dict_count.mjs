export default (print) => {
  const bench = (n) => {
    const counts = new Map();
    let x = 42;
    for (let i = 0; i < n; i++) {
      x = (x * 16807) % 2147483647;
      const w = "w" + (x % 5000);
      counts.set(w, (counts.get(w) ?? 0) + 1);
    }
    let total = 0,
      best = "",
      top = 0;
    for (const w of [...counts.keys()].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))) {
      const c = counts.get(w);
      total += c * w.length;
      if (c > top) {
        top = c;
        best = w;
      }
    }
    print(`${best} ${top} ${counts.size}`);
    return total;
  };
  print(String(bench(200000)));
};

export default (print) => {
  const bench = (n) => {
    const xs = [];
    let x = 7;
    for (let i = 0; i < n; i++) {
      x = (x * 16807) % 2147483647;
      xs.push(x);
    }
    const ys = [...xs].sort((a, b) => a - b),
      zs = [...xs].sort((a, b) => b - a),
      ws = [...xs].sort((a, b) => (a % 1000) - (b % 1000));
    let s = 0;
    for (let i = 0; i < n; i += 97) s += ys[i] - zs[i] + ws[i] * (i % 5);
    return s;
  };
  print(String(bench(200000)));
};

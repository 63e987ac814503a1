export default (print) => {
  const add = (a, b) => a + b,
    mul = (a, b) => a * b,
    clamp = (v, hi) => (v > hi ? v % hi : v);
  const step = (v, i) => clamp(add(mul(v, 3), i), 1000003);
  const bench = (n) => {
    let v = 1;
    for (let i = 0; i < n; i++) v = step(v, i);
    return v;
  };
  print(String(bench(250000)));
};

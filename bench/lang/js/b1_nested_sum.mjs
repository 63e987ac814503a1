export default (print) => {
  const bench = (a, b) => {
    let s = 0;
    for (let i = 0; i < a; i++) for (let j = 0; j < b; j++) s += i * j;
    return s;
  };
  print(String(bench(1000, 3000)));
};

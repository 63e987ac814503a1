export default (print) => {
  const bench = (n) => {
    const flags = new Array(n + 1).fill(true);
    let count = 0;
    for (let i = 2; i <= n; i++)
      if (flags[i]) {
        count++;
        for (let j = i * i; j <= n; j += i) flags[j] = false;
      }
    return count;
  };
  print(String(bench(1000000)));
};

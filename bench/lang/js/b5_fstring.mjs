export default (print) => {
  const group = (s) => s.replace(/\B(?=(\d{3})+$)/g, ",");
  const bench = (n) => {
    let total = 0,
      last = "";
    const name = "abc";
    for (let i = 0; i < n; i++) {
      last = `${String(i).padStart(8, "0")}|${(i * 0.5).toFixed(3)}|${name.padStart(10)}|${group(String(i * 1000))}|${i.toString(16)}|'${name}'`;
      total += last.length;
    }
    print(last);
    return total;
  };
  print(String(bench(100000)));
};

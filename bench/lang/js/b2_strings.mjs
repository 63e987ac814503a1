export default (print) => {
  const bench = (n) => {
    const parts = [];
    for (let i = 0; i < n; i++) parts.push("item-" + i);
    const s = parts.join(","),
      back = s.split(",");
    let total = 0;
    for (const w of back) if (w.endsWith("7")) total += w.toUpperCase().replaceAll("ITEM", "it").length;
    let acc = "";
    for (let i = 0; i < n; i++) acc += "x";
    return total + s.length + acc.length + (s.split("99").length - 1);
  };
  print(String(bench(200000)));
};

export default (print) => {
  const bench = (n) => {
    let x = 1,
      y = 0,
      z = 0.25,
      vx = 0,
      vy = 0.9,
      vz = 0.05,
      dt = 0.001,
      e = 0;
    for (let i = 0; i < n; i++) {
      const r2 = x * x + y * y + z * z + 0.01,
        f = 1 / (r2 * (0.5 + 0.5 * r2));
      vx -= x * f * dt;
      vy -= y * f * dt;
      vz -= z * f * dt;
      x += vx * dt;
      y += vy * dt;
      z += vz * dt;
      e = e * 0.999 + (vx * vx + vy * vy + vz * vz) * 0.001;
    }
    print(`${x} ${y} ${z}`);
    return e;
  };
  print(String(bench(200000)));
};

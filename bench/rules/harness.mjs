/** What every row of the rule benchmark shares: one JSON line a process. */

/** Seconds, and the result: the lesser of wall and process CPU time, since other processes only make either longer. */
export function timed(work) {
  const cpuBefore = process.cpuUsage();
  const before = performance.now();
  const result = work();
  const wall = (performance.now() - before) / 1000;
  const cpu = process.cpuUsage(cpuBefore);
  return [Math.min(wall, (cpu.user + cpu.system) / 1e6), result];
}

export function check(name, got, want) {
  if (got !== want) throw new Error(`${name}: got ${got}, want ${want}`);
}

export function tell(times) {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  console.log(JSON.stringify({ ...times, heapMb: (heapUsed + arrayBuffers) / 1e6, peakMb: process.resourceUsage().maxRSS / 1e3 }));
}

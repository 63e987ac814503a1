/** The local runtime under this process, and what it has computed so far, as /proc tells it. */
import { readdirSync, readFileSync } from "node:fs";

/** The workerd that this process started, other than one that is known. */
export function runtimeUnder(otherThan = 0) {
  const mine = (pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      const [, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return Number(parent) === process.pid && stat.includes("(workerd)");
    } catch {
      return false; // it has ended meanwhile
    }
  };
  const found = readdirSync("/proc").find((name) => /^\d+$/.test(name) && Number(name) !== otherThan && mine(name));
  if (found === undefined) throw new Error("no runtime runs under this process");
  return Number(found);
}

/** CPU time of a process, user and system, in ms; a tick is 10 ms. */
export function cpuMsOf(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** CPU time of its first thread, which is all that computes for callers; the kernel brings it up to date every few ms. */
export function threadCpuMsOf(pid) {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "latin1").split(" ", 1)[0]) / 1e6;
}

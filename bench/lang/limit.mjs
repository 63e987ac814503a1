/** Runs the hand-written JavaScript twin of one program: V8's own speed, the physical limit. */
const { default: program } = await import(new URL(`js/${process.argv[2]}.mjs`, import.meta.url));
const before = process.cpuUsage();
let out = "";
program((line) => {
  out += `${line}\n`;
});
const used = process.cpuUsage(before);
process.stdout.write(`${JSON.stringify({ cpuMs: (used.user + used.system) / 1000, out })}\n`);

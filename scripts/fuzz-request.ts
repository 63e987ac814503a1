/**
 * Requests at the request endpoint in this process, parser and runner: `npx tsx scripts/fuzz-request.ts --count N --seed S`.
 * Each must be answered, in bounded time, with an envelope that adds up; a store is begun anew every thousand requests.
 */
import { trialRequests } from "../test/request/trial-requests";

const option = (name: string, otherwise: number): number => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : Number(process.argv[at + 1]);
};
const trial = trialRequests(option("seed", 1), option("count", 10_000), (done) => console.error(done));
console.log(JSON.stringify(trial, null, 1));
if (trial.problems.length > 0) process.exitCode = 1;

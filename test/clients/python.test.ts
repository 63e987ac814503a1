/** The Python packages' own tests, where Python is there to run them. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "../tidy/sources";

const PYTHON = spawnSync("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 9))"]).status === 0;

describe("the Python packages", () => {
  it.skipIf(!PYTHON).each(["khive-py", "dkepy"])("%s passes its tests", (name) => {
    const ran = spawnSync("python3", ["-B", "-m", "unittest", "discover", "-s", join(ROOT, "clients/python", name, "tests")], {
      encoding: "utf8",
    });
    expect(ran.stderr).toMatch(/Ran [1-9]\d* tests[\s\S]*OK/);
    expect(ran.status).toBe(0);
  });
});

import { describe, test } from "vitest";
import { SQL_CONTRACT } from "./sql-contract";
import { SqlNode } from "./sql-node";

describe("[architecture] one contract, two SQLs: the WebAssembly one", () => {
  test.each(SQL_CONTRACT.map((check) => [check.name, check] as const))("%s", (_, check) => {
    const sql = new SqlNode();
    check.run(sql);
    sql.close();
  });
});

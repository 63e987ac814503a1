/**
 * Many rows of one table in few statements: a statement costs more than a row of it.
 *
 * As many at once as parameters may be, the rest one by one, so that there are two texts of statements to keep prepared.
 */
import { SQL_PARAMETERS_MAX } from "../limits";
import type { Sql, SqlValue } from "./sql";

export class RowInserter {
  readonly #one: string;
  readonly #many: string;
  readonly #atOnce: number;

  /** @param row  `(?, 0, ?)`: the values of one row. */
  constructor(insert: string, row: string) {
    this.#atOnce = Math.floor(SQL_PARAMETERS_MAX / (row.split("?").length - 1));
    this.#one = `${insert} VALUES ${row}`;
    this.#many = `${insert} VALUES ${new Array(this.#atOnce).fill(row).join(", ")}`;
  }

  insert(sql: Sql, rows: readonly (readonly SqlValue[])[]): void {
    const whole = rows.length - (rows.length % this.#atOnce);
    for (let i = 0; i < whole; i += this.#atOnce) sql.exec(this.#many, ...rows.slice(i, i + this.#atOnce).flat());
    for (let i = whole; i < rows.length; i++) sql.exec(this.#one, ...rows[i]);
  }
}

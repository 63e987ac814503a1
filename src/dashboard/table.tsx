/**
 * A table of what there is: each column says its heading and what stands in it, once.
 *
 * On a narrow page the style sheet sets each row as a card of its own, every cell under its heading, which it takes from the cell.
 */
import type { Child } from "hono/jsx";

export interface Column<Row> {
  /** Empty for a column of acts: who hears the page read is told that it is one. */
  readonly head: string;
  readonly cell: (row: Row) => Child;
  /** Set to the right, digits under digits. */
  readonly number?: boolean;
  /** Of ids and the like: how they are set. */
  readonly class?: "id" | "mono id" | "mono muted id";
}

export function Table<Row>({ rows, columns }: { rows: readonly Row[]; columns: readonly Column<Row>[] }) {
  return (
    <table class="cards">
      <thead>
        <tr>
          {columns.map(({ head, number }) => (
            <th scope="col" class={number ? "number" : undefined}>
              {head === "" ? <span class="heard">Acts</span> : head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr>
            {columns.map((column) => (
              <td data-head={column.head === "" ? undefined : column.head} class={column.number ? "number" : column.class}>
                {column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

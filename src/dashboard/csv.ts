/** A table as a file that spreadsheets take: CSV as RFC 4180 has it. */
import type { Page } from "./site";

export function csvAnswer(c: Page, file: string, head: readonly string[], rows: readonly (readonly string[])[]): Response {
  return c.body(`${[head, ...rows].map((row) => row.map(csvField).join(",")).join("\r\n")}\r\n`, 200, {
    "content-type": "text/csv; charset=utf-8",
    "content-disposition": `attachment; filename="${file}"`,
  });
}

/** Quoted always; what a spreadsheet would take for a formula is marked as text. */
export function csvField(text: string): string {
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${plain.replaceAll('"', '""')}"`;
}

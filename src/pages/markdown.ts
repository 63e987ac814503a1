/** Markdown to HTML: our own documents, by `marked`. Headings get names to be linked by; HTML in a text is shown, not obeyed. */
import { Marked, type Tokens } from "marked";

export interface Heading {
  readonly depth: number;
  readonly text: string;
  readonly id: string;
}

export function htmlOf(markdown: string): { readonly html: string; readonly headings: readonly Heading[] } {
  const headings: Heading[] = [];
  const taken = new Map<string, number>();
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        const plain = text.replace(/[`*]/g, "");
        const slug = slugOf(plain);
        const count = taken.get(slug) ?? 0;
        taken.set(slug, count + 1);
        const id = count === 0 ? slug : `${slug}-${count}`;
        headings.push({ depth, text: plain, id });
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      html({ text }: Tokens.HTML | Tokens.Tag) {
        return escaped(text);
      },
      code({ text }: Tokens.Code) {
        // Long lines scroll; whoever has no pointer needs to get there too.
        return `<pre tabindex="0"><code>${escaped(text)}</code></pre>\n`;
      },
      table({ header, rows }: Tokens.Table) {
        // A column without a heading has none: nothing is read out for it.
        const cells = (tag: "td" | "th", row: readonly Tokens.TableCell[]) =>
          row
            .map(({ tokens }) => [tag === "th" && tokens.length === 0 ? "td" : tag, this.parser.parseInline(tokens)])
            .map(([name, content]) => `<${name}>${content}</${name}>`)
            .join("");
        // As for code: it scrolls where it is wider than the page.
        const body = rows.map((row) => `<tr>${cells("td", row)}</tr>`).join("\n");
        return `<div class="wide" tabindex="0"><table><thead><tr>${cells("th", header)}</tr></thead><tbody>${body}</tbody></table></div>\n`;
      },
    },
  });
  return { html: marked.parse(markdown, { async: false }), headings };
}

function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s+/g, "-");
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

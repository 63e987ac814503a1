/** Types of page-scripts.mjs: Scripts of pages, bundled to committed text. */
export const PAGE_FOLDER: string;
export function pageSources(): string[];
export function generated(name: string): Promise<string>;
export function generatedName(name: string): string;

/** Types of contract-coverage.mjs, for the tests. */
export interface Sentence {
  /** Section and place within it: `4.2:17`. */
  readonly id: string;
  readonly says: string;
  /** advice: nothing of the service to hold. refused: it tells of what the contract says is refused, and the tests hold the refusal. */
  readonly state: "tested" | "refused" | "advice";
  /** `folder/file › piece of its text`, under test/. */
  readonly tests?: readonly string[];
  /** What a refused statement is of. */
  readonly of?: string;
}
export const SENTENCES: string;
export const COVERAGE: string;
export function readSentences(): Sentence[];
export function sectionsOf(sentences: readonly Sentence[]): Map<string, Sentence[]>;
export function coverageText(sentences: readonly Sentence[]): string;

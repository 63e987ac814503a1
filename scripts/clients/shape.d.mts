/** Types of shape.mjs, for the tests. */
export function shapeOf(status: number, text: string): Readonly<Record<string, unknown>>;

/** Sine, cosine and arc tangent as the C library under CPython gives them. */
import { Refusal } from "../../failure";

export function sin(_x: number): number {
  throw new Refusal("out_of_surface", "sine is not served yet");
}
export function cos(_x: number): number {
  throw new Refusal("out_of_surface", "cosine is not served yet");
}
export function atan2(_y: number, _x: number): number {
  throw new Refusal("out_of_surface", "arc tangent is not served yet");
}

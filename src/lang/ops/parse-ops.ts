/**
 * The face of the request language: an `ops` text in, the calls it makes out, or the one thing that is wrong with it.
 *
 * Never throws, takes time in proportion to the text, and looks at nothing but the text (request facts §1–§3).
 */
import { CallReader } from "./call-form";
import { readJsonForm } from "./json-form";
import { loneSurrogate } from "./json-literal";
import { OPS_LIMITS, type OpsLimits, type OpsProgram } from "./ops";
import { badValue, empty, faultOf, type OpsFault, OpsProblem, tooLarge, utf8Bytes } from "./ops-fault";
import { trimmed } from "./white-space";

export type OpsRead = { readonly ok: true; readonly program: OpsProgram } | { readonly ok: false; readonly fault: OpsFault };

export function parseOps(source: string, limits: OpsLimits = OPS_LIMITS): OpsRead {
  const text = trimmed(source);
  try {
    return { ok: true, program: read(text, limits) };
  } catch (thrown) {
    if (!(thrown instanceof OpsProblem)) throw thrown;
    return { ok: false, fault: faultOf(thrown, text) };
  }
}

function read(text: string, limits: OpsLimits): OpsProgram {
  if (text === "") throw empty();
  // A text takes at least as many bytes as it has units.
  const bytes = text.length * 3 <= limits.max_input_len ? 0 : utf8Bytes(text);
  if (bytes > limits.max_input_len) throw tooLarge(bytes, limits);
  const half = loneSurrogate(text);
  if (half >= 0) throw badValue("the text holds half of a surrogate pair, which is not Unicode text", half);
  if (text[0] === "{" || /^\[[ \t\n\r]*\{/.test(text)) return readJsonForm(text, limits);
  return new CallReader(text).read();
}

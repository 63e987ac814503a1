/**
 * A module's compiled form as the store keeps it: its own code, and the code of every module it was compiled against.
 *
 * A call is bound when the calling module is compiled (contract §9.4), so a form carries what it is bound to; a store
 * needs no versions of its own. A form is named by 128 bits of its text: the same text in two modules is one name.
 */
import { SipKey, sipHash, sipResult } from "../engine/siphash";
import { FORM_VERSION, type IrUnit, type ScriptParams } from "../lang/compile/ir";

export interface FormPart {
  readonly name: string;
  readonly unit: IrUnit;
}

export interface ModuleForm {
  readonly version: number;
  readonly unit: IrUnit;
  readonly scripts: { readonly [name: string]: ScriptParams };
  /** Every module it runs code of, itself not among them: form → module. */
  readonly bound: { readonly [form: string]: FormPart };
}

export function formText(form: Omit<ModuleForm, "version">): string {
  return JSON.stringify({ version: FORM_VERSION, ...form });
}

/** Null where a version of the service stored it that this one cannot read: compile the module again. */
export function formFromText(text: string): ModuleForm | null {
  const form = JSON.parse(text) as ModuleForm;
  return form.version === FORM_VERSION ? form : null;
}

const LOW = new SipKey([0x6466_6f72_6d6c_6f77n, 1n]);
const HIGH = new SipKey([0x6466_6f72_6d68_6967n, 2n]);

export function formName(text: string): string {
  const bytes = utf8(text);
  sipHash(LOW, bytes);
  const low = hex(sipResult.low) + hex(sipResult.high);
  sipHash(HIGH, bytes);
  return low + hex(sipResult.low) + hex(sipResult.high);
}

function hex(word: number): string {
  return (word >>> 0).toString(16).padStart(8, "0");
}

/** UTF-8 of a well-formed text. The pure layers have no TextEncoder. */
function utf8(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 3);
  let n = 0;
  for (let i = 0; i < text.length; i++) {
    let c = text.charCodeAt(i);
    if (c >= 0xd800 && c < 0xdc00) c = 0x10000 + ((c - 0xd800) << 10) + (text.charCodeAt(++i) - 0xdc00);
    if (c < 0x80) bytes[n++] = c;
    else {
      if (c < 0x800) bytes[n++] = 0xc0 | (c >> 6);
      else {
        if (c < 0x10000) bytes[n++] = 0xe0 | (c >> 12);
        else {
          bytes[n++] = 0xf0 | (c >> 18);
          bytes[n++] = 0x80 | ((c >> 12) & 63);
        }
        bytes[n++] = 0x80 | ((c >> 6) & 63);
      }
      bytes[n++] = 0x80 | (c & 63);
    }
  }
  return bytes.subarray(0, n);
}

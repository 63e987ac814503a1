/**
 * What of an executable can be looked at on a machine that cannot run it: whose system and processor it is for, and the section in
 * which Node finds a program within itself. PE and Mach-O, as their makers describe them; nothing beyond what is asked here.
 */

export interface Executable {
  readonly format: "PE" | "Mach-O" | "ELF";
  readonly machine: "x64" | "arm64" | "other";
  /** Its maker's signature lies in it, fitting or not. */
  readonly signed: boolean;
  /** Names of its sections; of Mach-O those of its segments before them, with a comma. */
  readonly sections: readonly string[];
  /** Of PE: its resources by name; elsewhere none. */
  readonly resources: ReadonlyMap<string, Buffer>;
  /** Of Mach-O: what a section holds. */
  contentOf(section: string): Buffer | null;
}

const NO_RESOURCES: ReadonlyMap<string, Buffer> = new Map();

export function readExecutable(bytes: Buffer): Executable {
  if (bytes.subarray(0, 2).toString("latin1") === "MZ") return readPe(bytes);
  if (bytes.readUInt32LE(0) === 0xfeedfacf) return readMachO(bytes);
  if (bytes.subarray(0, 4).toString("latin1") === "\x7fELF") {
    const machine = bytes.readUInt16LE(18);
    return {
      format: "ELF",
      machine: machine === 0x3e ? "x64" : machine === 0xb7 ? "arm64" : "other",
      signed: false,
      sections: [],
      resources: NO_RESOURCES,
      contentOf: () => null,
    };
  }
  throw new Error("this is no executable");
}

function nameAt(bytes: Buffer, at: number, length: number): string {
  return bytes
    .subarray(at, at + length)
    .toString("latin1")
    .replace(/\0.*$/s, "");
}

function readPe(bytes: Buffer): Executable {
  const head = bytes.readUInt32LE(0x3c);
  if (bytes.subarray(head, head + 4).toString("latin1") !== "PE\0\0") throw new Error("no PE header");
  const machine = bytes.readUInt16LE(head + 4);
  const count = bytes.readUInt16LE(head + 6);
  const optional = head + 24;
  const table = optional + bytes.readUInt16LE(head + 20);
  const sections = Array.from({ length: count }, (_, i) => {
    const at = table + 40 * i;
    return {
      name: nameAt(bytes, at, 8),
      virtual: bytes.readUInt32LE(at + 12),
      size: bytes.readUInt32LE(at + 16),
      raw: bytes.readUInt32LE(at + 20),
    };
  });
  const place = (virtual: number): number => {
    const of = sections.find((one) => virtual >= one.virtual && virtual < one.virtual + one.size);
    if (of === undefined) throw new Error("an address in no section");
    return virtual - of.virtual + of.raw;
  };
  const resources = new Map<string, Buffer>();
  const tree = bytes.readUInt32LE(optional + 112 + 8 * 2);
  // Three levels: type, name, language.
  const walk = (at: number, path: readonly string[]): void => {
    const base = place(tree);
    const entries = bytes.readUInt16LE(base + at + 12) + bytes.readUInt16LE(base + at + 14);
    for (let i = 0; i < entries; i++) {
      const entry = base + at + 16 + 8 * i;
      const [named, to] = [bytes.readUInt32LE(entry), bytes.readUInt32LE(entry + 4)];
      const text = base + (named & 0x7fffffff);
      const name =
        named >>> 31 === 1 ? bytes.subarray(text + 2, text + 2 + 2 * bytes.readUInt16LE(text)).toString("utf16le") : String(named);
      if (to >>> 31 === 1) walk(to & 0x7fffffff, [...path, name]);
      else {
        const data = place(bytes.readUInt32LE(base + to));
        resources.set([...path, name].join("/"), bytes.subarray(data, data + bytes.readUInt32LE(base + to + 4)));
      }
    }
  };
  if (tree !== 0) walk(0, []);
  return {
    format: "PE",
    machine: machine === 0x8664 ? "x64" : machine === 0xaa64 ? "arm64" : "other",
    signed: bytes.readUInt32LE(optional + 112 + 8 * 4 + 4) > 0,
    sections: sections.map(({ name }) => name),
    resources,
    contentOf: () => null,
  };
}

function readMachO(bytes: Buffer): Executable {
  const processor = bytes.readUInt32LE(4);
  const commands = bytes.readUInt32LE(16);
  const contents = new Map<string, Buffer>();
  let at = 32;
  let signed = false;
  for (let i = 0; i < commands; i++) {
    const [command, size] = [bytes.readUInt32LE(at), bytes.readUInt32LE(at + 4)];
    if (command === 0x1d) signed = true;
    if (command === 0x19) {
      const segment = nameAt(bytes, at + 8, 16);
      const count = bytes.readUInt32LE(at + 64);
      for (let j = 0; j < count; j++) {
        const section = at + 72 + 80 * j;
        const [length, offset] = [Number(bytes.readBigUInt64LE(section + 40)), bytes.readUInt32LE(section + 48)];
        contents.set(`${segment},${nameAt(bytes, section, 16)}`, bytes.subarray(offset, offset + length));
      }
    }
    at += size;
  }
  return {
    format: "Mach-O",
    machine: processor === 0x0100000c ? "arm64" : processor === 0x01000007 ? "x64" : "other",
    signed,
    sections: [...contents.keys()],
    resources: NO_RESOURCES,
    contentOf: (section) => contents.get(section) ?? null,
  };
}

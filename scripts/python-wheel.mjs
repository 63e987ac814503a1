/**
 * A Python wheel of pure Python, as bytes: a zip whose entries are stored as they are, in order, without time, so that the same sources
 * give the same bytes on every machine.
 */
import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";

/**
 * @param project  What pyproject.toml says: its text.
 * @param readme   The long description, Markdown.
 * @param modules  Text of each module, by its path in the package.
 */
export function pythonWheel(project, readme, modules) {
  const said = (name) => new RegExp(`^${name} = "(.*)"$`, "m").exec(project)[1];
  const [name, version] = [said("name"), said("version")];
  const needs = JSON.parse(/^dependencies = (\[.*\])$/m.exec(project)[1]);
  const commands = /^\[project\.scripts\]\n((?:.+\n)+)/m.exec(project)[1].replaceAll('"', "");
  const metadata = [
    "Metadata-Version: 2.1",
    `Name: ${name}`,
    `Version: ${version}`,
    `Summary: ${said("description")}`,
    `Requires-Python: ${said("requires-python")}`,
    ...needs.map((need) => `Requires-Dist: ${need}`),
    "Description-Content-Type: text/markdown",
  ];
  const about = `${name}-${version}.dist-info/`;
  const files = {
    ...modules,
    [`${about}METADATA`]: `${metadata.join("\n")}\n\n${readme}`,
    [`${about}WHEEL`]: "Wheel-Version: 1.0\nGenerator: dke\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    [`${about}entry_points.txt`]: `[console_scripts]\n${commands}`,
  };
  const rows = Object.entries(files).map(([path, text]) => {
    const digest = createHash("sha256").update(text).digest("base64url");
    return `${path},sha256=${digest},${Buffer.byteLength(text)}\n`;
  });
  files[`${about}RECORD`] = `${rows.join("")}${about}RECORD,,\n`;
  return { file: `${name}-${version}-py3-none-any.whl`, bytes: storedZip(files) };
}

const LOCAL_HEAD = 0x04034b50;
const CENTRAL_HEAD = 0x02014b50;
const END_HEAD = 0x06054b50;
const VERSION = 20;
const UTF8_NAMES = 0x0800;
/** The first day a zip can name. */
const DAY_ONE = 0x21;
/** A plain file that all may read, made on Unix. */
const MADE_ON_UNIX = (3 << 8) | VERSION;
const PLAIN_FILE = (0o100644 << 16) >>> 0;

function storedZip(files) {
  const [bodies, directory] = [[], []];
  let offset = 0;
  for (const [path, text] of Object.entries(files)) {
    const [name, data] = [Buffer.from(path), Buffer.from(text)];
    // version needed, flags, method (stored), time, day, checksum, size as it is kept, size, length of the name, of what is added
    const common = Buffer.alloc(26);
    common.writeUInt16LE(VERSION, 0);
    common.writeUInt16LE(UTF8_NAMES, 2);
    common.writeUInt16LE(DAY_ONE, 8);
    common.writeUInt32LE(crc32(data), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(data.length, 18);
    common.writeUInt16LE(name.length, 22);
    bodies.push(uint32(LOCAL_HEAD), common, name, data);
    // length of the comment, disk, inner attributes, outer attributes, where its body is
    const place = Buffer.alloc(14);
    place.writeUInt32LE(PLAIN_FILE, 6);
    place.writeUInt32LE(offset, 10);
    directory.push(uint32(CENTRAL_HEAD), uint16(MADE_ON_UNIX), common, place, name);
    offset += 4 + common.length + name.length + data.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  const count = Object.keys(files).length;
  end.writeUInt16LE(count, 4);
  end.writeUInt16LE(count, 6);
  end.writeUInt32LE(list.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...bodies, list, uint32(END_HEAD), end]);
}

function uint16(value) {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function uint32(value) {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

/** Our tree as one line of JSON, in the form that cpython_tree.py gives CPython's: kind, span, fields in CPython's order. */
import { Bytes, Complex, Float } from "../../../src/datum";
import type { Arguments, Param } from "../../../src/lang/syntax/ast";

export function treeLine(body: unknown): string {
  return JSON.stringify(of(body, true));
}

type Any = Record<string, unknown>;

/** Names that differ, and nodes that have no `kind` of their own, told by their fields. */
function of(value: unknown, spans: boolean): unknown {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (Array.isArray(value)) return value.map((item) => of(item, spans));
  const node = value as Any;
  const fields = (kind: string, ...names: string[]) => [kind, spanOf(node, spans), ...names.map((name) => of(node[name], spans))];
  switch (node["kind"] ?? unnamed(node)) {
    case "Constant":
      return ["Constant", spanOf(node, spans), constant(node["value"])];
    case "JoinedStr":
      return ["JoinedStr", spanOf(node, spans), of(node["values"], false)];
    case "FormattedValue":
      return ["FormattedValue", null, of(node["value"], false), node["conversion"], of(node["spec"], false)];
    case "FunctionDef":
      return fields("FunctionDef", "name", "args", "body", "decorators", "returns");
    case "ClassDef":
      return fields("ClassDef", "name", "body");
    case "arguments":
      return argumentsOf(node as unknown as Arguments, spans);
    case "handler":
      return fields("ExceptHandler", "type", "name", "body");
    case "withitem":
      return ["withitem", null, of(node["context"], spans), of(node["target"], spans)];
    case "case":
      return ["match_case", null, of(node["pattern"], spans), of(node["guard"], spans), of(node["body"], spans)];
    case "comprehension":
      return ["comprehension", null, of(node["target"], spans), of(node["iter"], spans), of(node["ifs"], spans)];
    case "keyword":
      return fields("keyword", "arg", "value");
    case "alias":
      return fields("alias", "name", "asname");
    default: {
      const names = Object.keys(node).filter((name) => name !== "kind" && !name.endsWith("pan"));
      return fields(node["kind"] as string, ...names);
    }
  }
}

function unnamed(node: Any): string {
  if ("posonly" in node) return "arguments";
  if ("context" in node) return "withitem";
  if ("pattern" in node) return "case";
  if ("iter" in node) return "comprehension";
  if ("arg" in node) return "keyword";
  if ("asname" in node) return "alias";
  return "handler";
}

function spanOf(node: Any, spans: boolean): number[] | null {
  const span = node["span"] as { line: number; col: number; endLine: number; endCol: number };
  return spans ? [span.line, span.col, span.endLine, span.endCol] : null;
}

function argumentsOf(args: Arguments, spans: boolean): unknown[] {
  const param = (one: Param | null) =>
    one && ["Param", spanOf(one as unknown as Any, spans), one.name, of(one.annotation, spans), of(one.default, spans)];
  return ["arguments", null, args.posonly.map(param), args.args.map(param), param(args.vararg), args.kwonly.map(param), param(args.kwarg)];
}

function constant(value: unknown): unknown {
  if (value === undefined) return ["..."];
  if (typeof value === "number" || typeof value === "bigint") return ["int", `0x${value.toString(16)}`];
  if (value instanceof Float) return ["float", hex(value.v)];
  if (value instanceof Complex) return ["complex", hex(value.im)];
  if (value instanceof Bytes) return ["bytes", [...value.b]];
  return value;
}

/** As Python's `float.hex` of a positive float. */
function hex(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return "inf";
  if (value === 0) return "0x0.0p+0";
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  const exponent = (bits.getUint16(0) >> 4) & 0x7ff;
  const fraction = (bits.getBigUint64(0) & 0xfffffffffffffn).toString(16).padStart(13, "0");
  const power = exponent === 0 ? -1022 : exponent - 1023;
  return `0x${exponent === 0 ? 0 : 1}.${fraction}p${power < 0 ? "" : "+"}${power}`;
}

"""CPython's tree of a source, as the one line that tree-line.ts writes of ours.

    python3.11 cpython_tree.py < snippets.txt > snippets.cpython.txt

Reads snippets parted by lines `---`; writes for each one line: the tree, or `SyntaxError line col`.
"""
import ast
import json
import sys
import warnings

warnings.simplefilter("ignore")
OPERATORS = {
    "Add": "+", "Sub": "-", "Mult": "*", "Div": "/", "FloorDiv": "//", "Mod": "%", "Pow": "**", "LShift": "<<", "RShift": ">>",
    "BitOr": "|", "BitXor": "^", "BitAnd": "&", "MatMult": "@", "And": "and", "Or": "or", "Not": "not", "USub": "-", "UAdd": "+", "Invert": "~",
    "Eq": "==", "NotEq": "!=", "Lt": "<", "LtE": "<=", "Gt": ">", "GtE": ">=", "Is": "is", "IsNot": "is not", "In": "in", "NotIn": "not in",
}


class Line:
    def __init__(self, source):
        # Line ends as the tokenizer's: str.splitlines would part at more characters.
        self.lines = [line.encode() for line in source.replace("\r\n", "\n").replace("\r", "\n").split("\n")]

    def column(self, line, offset):
        return len(self.lines[line - 1][:offset].decode()) + 1

    def span(self, node):
        return [
            node.lineno, self.column(node.lineno, node.col_offset),
            node.end_lineno, self.column(node.end_lineno, node.end_col_offset),
        ]

    def of(self, value, spans=True):
        if value is None or isinstance(value, (bool, str)):
            return value
        if isinstance(value, list):
            return [self.of(item, spans) for item in value]
        kind = type(value).__name__
        span = self.span(value) if spans and hasattr(value, "lineno") else None
        rest = getattr(self, kind, None)
        if rest is not None:
            return [kind, span, *rest(value, spans)]
        if kind in OPERATORS:
            return OPERATORS[kind]
        skipped = ("ctx", "type_comment", "kind", "type_ignores")
        fields = [self.of(getattr(value, name), spans) for name in value._fields if name not in skipped]
        return [kind, span, *fields]

    def Constant(self, node, spans):
        value = node.value
        if value is None or isinstance(value, (bool, str)):
            return [value]
        if value is ...:
            return [["..."]]
        if isinstance(value, int):
            return [["int", hex(value)]]
        if isinstance(value, float):
            return [["float", value.hex()]]
        if isinstance(value, complex):
            return [["complex", value.imag.hex()]]
        return [["bytes", list(value)]]

    def JoinedStr(self, node, spans):
        return [self.of(node.values, False)]

    def FormattedValue(self, node, spans):
        conversion = None if node.conversion == -1 else chr(node.conversion)
        return [self.of(node.value, False), conversion, self.of(node.format_spec, False)]

    def AnnAssign(self, node, spans):
        return [self.of(node.target, spans), self.of(node.annotation, spans), self.of(node.value, spans), bool(node.simple)]

    def FunctionDef(self, node, spans):
        return [node.name, *(self.of(part, spans) for part in (node.args, node.body, node.decorator_list, node.returns))]

    def ClassDef(self, node, spans):
        return [node.name, self.of(node.body, spans)]

    def ImportFrom(self, node, spans):
        return [node.module, self.of(node.names, spans)]

    def arguments(self, node, spans):
        plain = node.posonlyargs + node.args
        defaults = [None] * (len(plain) - len(node.defaults)) + node.defaults
        params = [self.param(arg, default, spans) for arg, default in zip(plain, defaults)]
        count = len(node.posonlyargs)
        return [
            params[:count], params[count:], self.param(node.vararg, None, spans),
            [self.param(arg, default, spans) for arg, default in zip(node.kwonlyargs, node.kw_defaults)],
            self.param(node.kwarg, None, spans),
        ]

    def param(self, arg, default, spans):
        if arg is None:
            return None
        return ["Param", self.span(arg) if spans else None, arg.arg, self.of(arg.annotation, spans), self.of(default, spans)]

    def comprehension(self, node, spans):
        return [self.of(node.target, spans), self.of(node.iter, spans), self.of(node.ifs, spans)]


def line_of(source):
    try:
        tree = ast.parse(source)
        # The compiler's own checks too: `break` outside a loop, two stars, unreachable cases.
        compile(source, "f", "exec")
    except SyntaxError as error:
        return f"SyntaxError {error.lineno} {error.offset}"
    return json.dumps(Line(source).of(tree.body), ensure_ascii=False, separators=(",", ":"))


if __name__ == "__main__":
    for snippet in sys.stdin.read().split("\n---\n"):
        print(line_of(snippet))

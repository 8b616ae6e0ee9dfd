"""Writes ``python/wayfare/_wayfare.pyi`` from the Rust sources: names, defaults, types and docstrings of everything that Python sees.

``python tools/stubs.py`` writes it, ``--check`` fails if it is not what the sources say. A test runs the check, and mypy's stubtest holds the
file to the compiled module.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Dict, List, Optional, Tuple

ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / "python/wayfare/_wayfare.pyi"

HEAD = '''"""The compiled part of wayfare. Written by tools/stubs.py from the Rust sources."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .crowds import AgentParams, Avoidance, CrowdSettings
from .settings import AgentSettings, BakeSettings, Connection, LinkSettings, Point, Volume

__version__: str
'''

#: What a Rust type is in Python, where it is given and where it comes back.
PLAIN = {
    "bool": "bool",
    "String": "str",
    "&str": "str",
    "&'static str": "str",
    "&'static str ": "str",
    "PathBuf": "str | os.PathLike[str]",
    "Point": "Point",
    "Point2": "Sequence[float]",
    "At": "Point | Place",
    "Search": "str | CostBounds",
    "AnyPlanner": "str | CostBounds",
    "CellIn": "tuple[int, int, int]",
    "Corners": "tuple[tuple[float, float, float], tuple[float, float, float]]",
    "VolumeOut": "tuple[Volume, int | None, bool]",
    "ArraysOf": "tuple[Any, ...]",
    "ShapeOut": "tuple[str, str, NDArray[np.float32]]",
    "AgentIn": "AgentSettings",
    "BakeIn": "BakeSettings",
    "LinksIn": "LinkSettings",
    "ConnectionIn": "Connection",
    "ConnectionsOut": "dict[int, Connection]",
    "ParamsIn": "AgentParams",
    "CrowdIn": "CrowdSettings",
    "MethodIn": "Avoidance",
    "()": "None",
    "&[u8]": "bytes",
    "Vec<u8>": "bytes",
    "PyAny": "Any",
    "PyBytes": "bytes",
    "PyDict": "dict[str, Any]",
    "PyIterator": "Iterator[Any]",
    "PyType": "Any",
}
#: What the collector of rings calls, and nobody else sees.
OF_THE_COLLECTOR = ("__traverse__", "__clear__")

#: Arguments that are arrays or functions, by name: Rust takes any object there.
BY_NAME = {
    "progress": "Callable[[int, int], object]",
    "log": "Callable[[str], object]",
    "files": "Callable[[str], bytes]",
    "passes": "Callable[[int, int, int], bool]",
    "cost": "Callable[[int, Any, Any, float], float]",
    "observer": "Callable[[str, dict[str, Any]], object]",
    "settings": "BakeSettings | AgentSettings",
    "volume": "Volume",
    "paths": "Any",
    "agents": "ArrayLike",
    "source": "Any",
    "store": "Any",
    "state": "Any",
    "dtype": "Any",
    "index": "int | slice",
    "agent": "object",
}
#: Words that a text is one of, by class or function and argument.
NUMBERS = {"f32": "float", "f64": "float", **{f"{sign}{bits}": "int" for sign in "iu" for bits in (8, 16, 32, 64)}, "usize": "int", "isize": "int"}
DTYPES = {"f32": "np.float32", "u64": "np.uint64", "u32": "np.uint32", "u8": "np.uint8", "i8": "np.int8", "i64": "np.int64", "bool": "np.bool_"}

EXCEPTION = r'create_exception!\(\s*wayfare,\s*(\w+),\s*Py(\w+),\s*"([^"]*)"\s*,?\s*\)'


@dataclass
class Function:
    name: str
    doc: str
    arguments: str
    returns: str
    kind: str = "method"


@dataclass
class Class:
    name: str
    doc: str
    frozen: bool
    fields: List[Tuple[str, str, str]] = field(default_factory=list)
    constants: List[Tuple[str, str]] = field(default_factory=list)
    functions: List[Function] = field(default_factory=list)


def split(text: str) -> List[str]:
    """Cuts at commas outside of brackets."""
    parts, depth, part = [], 0, ""
    for i, char in enumerate(text):
        if char in "<([{":
            depth += 1
        elif char in ")]}" or (char == ">" and text[i - 1] != "-"):
            depth -= 1
        if char == "," and depth == 0:
            parts.append(part)
            part = ""
        else:
            part += char
    return [part.strip() for part in [*parts, part] if part.strip()]


def inner(text: str) -> str:
    return text[text.index("<") + 1 : text.rindex(">")]


def python_type(rust: str, classes: Dict[str, str], argument: Optional[str] = None) -> str:
    """The Python type of a Rust type."""
    rust = re.sub(r"'\w+(,\s*)?|\bmut ", lambda m: "" if not m.group(0).startswith("'static") else m.group(0), rust).strip()
    rust = rust.replace("<>", "").replace("< ", "<").replace("crate::arrays::", "").replace("pyo3::types::", "").replace("numpy::", "")
    rust = re.sub(r"crate::\w+::", "", rust).replace("&static str", "str").replace("& str", "str").strip()
    go = lambda part: python_type(part, classes, argument)  # noqa: E731
    if rust in ("str", "&str"):
        return "str"
    if rust in PLAIN:
        if rust == "PyAny" and argument is not None:
            return BY_NAME.get(argument, "ArrayLike")
        return PLAIN[rust]
    if rust in NUMBERS:
        return NUMBERS[rust]
    if rust in classes:
        return classes[rust]
    if rust in ("Self", "&Self"):
        return classes["Self"]
    for wrapper in ("PyResult", "PyRef", "PyRefMut", "Seen", "Py", "Bound", "Borrowed"):
        if rust.lstrip("&").startswith(wrapper + "<"):
            return go(split(inner(rust))[-1])
    if rust.startswith("Option<"):
        return f"{go(inner(rust))} | None"
    if rust.startswith("Vec<"):
        kind = "Sequence" if argument is not None else "list"
        return f"{kind}[{go(inner(rust))}]"
    if rust.startswith("BTreeMap<"):
        kind = "Mapping" if argument is not None else "dict"
        return f"{kind}[{', '.join(map(go, split(inner(rust))))}]"
    if re.match(r"PyArray\d<", rust):
        return f"NDArray[{DTYPES[inner(rust)]}]"
    if rust.startswith("("):
        return f"tuple[{', '.join(map(go, split(rust[1:-1])))}]"
    if rust.startswith("["):
        kind, count = rust[1:-1].split(";")
        return f"tuple[{', '.join([go(kind.strip())] * int(count))}]"
    raise ValueError(f"no type for {rust!r} ({argument})")


def default(value: str) -> str:
    value = value.strip()
    if value in ("None",) or re.fullmatch(r'-?[\d._x]+[\da-f]*|"[^"]*"', value):
        return value
    return {"true": "True", "false": "False", "Vec::new()": "...", "BTreeMap::new()": "..."}.get(value, "...")


def item(text: str, start: int) -> Tuple[str, str, str, int]:
    """A function's name, arguments, return type, and where its head ends."""
    match = re.compile(r"fn (\w+)(?:<[^>(]*>)?\(").search(text, start)
    assert match is not None
    depth, at = 1, match.end()
    while depth:
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        at += 1
    arguments = text[match.end() : at - 1]
    body = text.index("{", at)
    returns = text[at:body].strip().removeprefix("->").strip().split("\nwhere")[0]
    return match.group(1), arguments, returns or "()", body


def attributes(text: str, start: int) -> Tuple[List[str], str, int]:
    """The attributes and the documentation before an item, and where it begins."""
    found, doc, at = [], [], start
    while True:
        blank = re.compile(r"\s*").match(text, at)
        assert blank is not None
        at = blank.end()
        if text.startswith("///", at):
            end = text.index("\n", at)
            doc.append(text[at + 3 : end].removeprefix(" "))
            at = end
        elif text.startswith("//", at):
            at = text.index("\n", at)
        elif text.startswith("#[", at):
            depth, end = 1, at + 2
            while depth:
                depth += {"[": 1, "]": -1}.get(text[end], 0)
                end += 1
            found.append(text[at + 2 : end - 1])
            at = end
        else:
            return found, "\n".join(doc).strip(), at


def arguments(raw: str, signature: Optional[str], classes: Dict[str, str]) -> str:
    """The arguments as Python writes them."""
    types: Dict[str, str] = {}
    for part in split(re.sub(r"#\[[^\]]*\]", "", raw)):
        name, _, rust = part.partition(":")
        name = name.removeprefix("mut ").strip()
        if rust and name not in ("py", "_py", "slf", "cls") and not name.startswith("&"):
            types[name] = rust.strip()
    if signature is None:
        return ", ".join(f"{name}: {python_type(rust, classes, name)}" for name, rust in types.items())
    out = []
    for part in split(signature):
        name, _, value = part.partition("=")
        name = name.strip()
        if name in ("*", "/"):
            out.append(name)
        elif name.startswith("*"):
            kind = python_type(types[name[1:]], classes, name[1:])
            out.append(f"{name}: {kind.removeprefix('Sequence[').removesuffix(']')}")
        elif value:
            kind = python_type(types[name], classes, name)
            out.append(f"{name}: {kind} = {default(value)}")
        else:
            out.append(f"{name}: {python_type(types[name], classes, name)}")
    return ", ".join(out)


def signature_of(found: List[str]) -> Optional[str]:
    for attribute in found:
        match = re.search(r"signature = \((.*)\)\s*(?:,|\))", attribute, re.S)
        if match:
            return match.group(1)
    return None


def name_of(found: List[str], usual: str) -> str:
    for attribute in found:
        match = re.search(r'name = "(\w+)"', attribute)
        if match:
            return match.group(1)
    return usual


def read() -> Tuple[List[Class], List[Function], List[Tuple[str, str, str]]]:
    """All classes, functions and exceptions of the sources."""
    texts = [path.read_text() for path in sorted((ROOT / "src").glob("*.rs"))]
    rust_names: Dict[str, str] = {}
    classes: Dict[str, Class] = {}
    exceptions = []
    for text in texts:
        for match in re.finditer(r"(?:[ \t]*///[^\n]*\n)*#\[pyclass\(", text):
            found, doc, at = attributes(text, match.start())
            head = re.compile(r"pub\(crate\) struct (\w+)").match(text, at)
            assert head is not None, text[at : at + 80]
            pyclass = next(attribute for attribute in found if attribute.startswith("pyclass"))
            own = Class(name_of([pyclass], head.group(1)), doc, "frozen" in pyclass)
            rust_names[head.group(1)] = own.name
            classes[head.group(1)] = own
            if "get_all" in pyclass:
                body = text[text.index("{", at) + 1 : text.index("\n}", at)]
                lines = re.findall(r"((?:\s*///[^\n]*\n)*)\s*(\w+): ([^\n]+),\n", body + "\n")
                own.fields = [(name, kind, re.sub(r"\s*///\s*", " ", note).strip()) for note, name, kind in lines]
            for derived in ("eq", "ord", "hash"):
                if re.search(rf"\b{derived}\b", pyclass):
                    own.constants.append((derived, ""))
        for name, base, doc in re.findall(EXCEPTION, text):
            exceptions.append((name, base, doc))
    functions = []
    for text in texts:
        for match in re.finditer(r"#\[pymethods\]\nimpl (\w+) \{\n", text):
            own, kinds = classes[match.group(1)], {**rust_names, "Self": rust_names[match.group(1)]}
            end = text.index("\n}\n", match.end())
            at = match.end()
            while True:
                found, doc, begin = attributes(text, at)
                if begin >= end:
                    break
                if "classattr" in found:
                    constant = re.compile(r"const (\w+): (\w+)").match(text, begin)
                    assert constant is not None
                    own.constants.append((constant.group(1), kinds[constant.group(2)]))
                    at = text.index(";", begin) + 1
                    continue
                name, raw, returns, body = item(text, begin)
                if name in OF_THE_COLLECTOR:
                    at = skip(text, body)
                    continue
                kind = next((word for word in ("getter", "setter", "new", "staticmethod", "classmethod") if word in found), "method")
                if kind == "setter":
                    name = name.removeprefix("set_")
                shown = name_of(found, name)
                own.functions.append(
                    Function(shown, doc, arguments(raw, signature_of(found), kinds), python_type(returns, kinds), kind)
                )
                at = skip(text, body)
        for match in re.finditer(r"(?:[ \t]*///[^\n]*\n)*#\[pyfunction\]", text):
            found, doc, begin = attributes(text, match.start())
            name, raw, returns, _ = item(text, begin)
            made = arguments(raw, signature_of(found), rust_names)
            functions.append(Function(name_of(found, name), doc, made, python_type(returns, rust_names)))
    return list(classes.values()), functions, exceptions


def skip(text: str, body: int) -> int:
    """Where a function's body ends: at a closing brace as far in as its head is."""
    return text.index("\n    }\n", body) + 7


def documented(doc: str, indent: str) -> List[str]:
    if not doc:
        return [f"{indent}..."]
    lines = doc.replace("\\", "\\\\").splitlines()
    if lines[0].startswith('"') or lines[-1].endswith('"'):
        return [f"{indent}'''{lines[0]}", *[f"{indent}{line}".rstrip() for line in lines[1:]], f"{indent}'''"]
    if len(lines) == 1:
        return [f'{indent}"""{lines[0]}"""']
    return [f'{indent}"""{lines[0]}', *[f"{indent}{line}".rstrip() for line in lines[1:]], f'{indent}"""']


def render_function(own: Function, indent: str) -> List[str]:
    first = {"getter": "self", "setter": "self", "method": "self", "new": "cls", "staticmethod": "", "classmethod": "cls"}[own.kind]
    first = first if indent else ""
    given = own.arguments if own.kind != "setter" else "value: " + own.arguments.partition(": ")[2]
    if own.name in ("__eq__",):
        given = "value: object, /"
    elif own.name.startswith("__") and own.name not in ("__new__", "__array__") and given:
        given += ", /"
    listed = ", ".join(part for part in (first, given) if part)
    out = []
    if own.kind == "getter":
        out.append(f"{indent}@property")
    elif own.kind == "setter":
        out.append(f"{indent}@{own.name}.setter")
    elif own.kind in ("staticmethod", "classmethod"):
        out.append(f"{indent}@{own.kind}")
    name, returns = ("__new__", own.returns) if own.kind == "new" else (own.name, own.returns)
    head = f"{indent}def {name}({listed}) -> {returns}:"
    return [*out, head, *documented(own.doc, indent + "    ")]


def render() -> str:
    classes, functions, exceptions = read()
    lines = [HEAD]
    for name, base, doc in exceptions:
        lines += [f"class {name}({base}):", f'    """{doc}"""', ""]
    for own in sorted(classes, key=lambda own: own.name):
        lines += ["@final", f"class {own.name}:", *documented(own.doc, "    ")]
        body: List[str] = []
        kinds = {one.name: one.name for one in classes}
        for name, kind, note in own.fields:
            plain = kind.replace("Py<PyPath>", "Path")
            shown = plain if plain in kinds else python_type(plain, kinds)
            body += ["    @property", f"    def {name}(self) -> {shown}:", *documented(note, "        ")]
        for name, kind in own.constants:
            if kind:
                body.append(f"    {name}: {kind}")
            elif name == "eq" and not any(one.name == "__eq__" for one in own.functions):
                body.append("    def __eq__(self, value: object, /) -> bool: ...")
            elif name == "hash":
                body.append("    def __hash__(self, /) -> int: ...")
            elif name == "ord":
                for word in ("lt", "le", "gt", "ge"):
                    body.append(f"    def __{word}__(self, value: {own.name}, /) -> bool: ...")
        order = {"new": 0, "staticmethod": 1, "classmethod": 1}
        for function in sorted(own.functions, key=lambda one: (order.get(one.kind, 2), one.name, one.kind == "setter")):
            body += render_function(function, "    ")
        lines += [*body, ""]
    for function in sorted(functions, key=lambda one: one.name):
        lines += [*render_function(function, ""), ""]
    return "\n".join(lines).rstrip() + "\n"


def main() -> int:
    text = render()
    if "--check" in sys.argv:
        if not TARGET.exists() or TARGET.read_text() != text:
            print(f"{TARGET.name} is not what the sources say: run tools/stubs.py")
            return 1
        return 0
    TARGET.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())

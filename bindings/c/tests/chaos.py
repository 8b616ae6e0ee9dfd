#!/usr/bin/env python3
"""Calls every function of the C interface with what no program should: handles of other kinds, dead ones and wild ones,
null pointers, NaN, capacities too small, structures of other sizes. Nothing may happen but a status; after a failure
there must be a sentence, and a fault of the library (INTERNAL) fails the test.

    chaos.py LIBRARY HEADER [SEED] [CALLS]

The header says which functions there are, so that a new one is tried without a word here.
"""

import ctypes
import faulthandler
import math
import os
import random
import re
import shutil
import signal
import sys
import tempfile

NUMBERS = {
    "uint8_t": ctypes.c_uint8, "uint16_t": ctypes.c_uint16, "uint32_t": ctypes.c_uint32, "int32_t": ctypes.c_int32,
    "uint64_t": ctypes.c_uint64, "size_t": ctypes.c_size_t, "float": ctypes.c_float, "double": ctypes.c_double,
    "char": ctypes.c_char, "void": ctypes.c_uint8,
}
FLOATS = [0.0, 1.0, 0.5, 0.3, 2.0, 5.0, 20.0, -1.0, -0.0, math.nan, math.inf, -math.inf, 1e30, -1e30, 1e-30]
ROOM = 1 << 16
OK, INTERNAL, OUTDATED = 0, 12, 13


def words(text):
    """`const struct WayfareVec3 *points` as base, whether it is a pointer, whether const, name, length of an array."""
    parts = [part for part in re.split(r"[ *]+", text.strip()) if part not in ("const", "struct", "enum", "")]
    name, _, length = parts[-1].rstrip("]").partition("[")
    return parts[0], "*" in text, text.strip().startswith("const "), name, int(length or 0)


def read(header):
    """Structures and functions of the header."""
    text = re.sub(r"//[^\n]*", "", header)
    structs, callbacks = {}, set(re.findall(r"typedef [^;{]*\(\*(\w+)\)", text))
    for name, body in re.findall(r"typedef struct (\w+) \{(.*?)\}", text, re.S):
        fields = []
        for line in filter(None, (line.strip() for line in body.split(";"))):
            base, is_pointer, _, field, length = words(line)
            if is_pointer or base in callbacks:
                kind = ctypes.c_void_p
            else:
                kind = NUMBERS.get(base) or structs[base]
            fields.append((field, kind * length if length else kind))
        structs[name] = type(name, (ctypes.Structure,), {"_fields_": fields})
    functions = {}
    for name, inner in re.findall(r"enum WayfareStatus (wayfare_\w+)\((.*?)\);", text, re.S):
        functions[name] = [words(one) for one in inner.split(",") if one.strip() != "void"]
    return structs, callbacks, functions


class Chaos:
    def __init__(self, library, header, seed):
        self.library = ctypes.CDLL(library)
        self.structs, self.callbacks, self.functions = read(header)
        self.random = random.Random(seed)
        self.handles = {name: [] for name, kind in self.structs.items() if [f[0] for f in kind._fields_] == ["id"]}
        self.ids = [0]
        self.folder = tempfile.mkdtemp(prefix="wayfare_chaos_")
        self.kept = []
        self.trace = open(os.path.join(tempfile.gettempdir(), f"wayfare_chaos_{seed}"), "w", encoding="utf-8")

    def number(self, kind, name):
        pick = self.random
        if kind in (ctypes.c_float, ctypes.c_double):
            return pick.choice(FLOATS) if pick.random() < 0.3 else pick.uniform(0, 20)
        if kind is ctypes.c_uint64 and pick.random() < 0.8:
            return pick.choice(self.ids)
        few = pick.choice([0, 1, 1, 2, 3, 5, 16, 63])
        if pick.random() < 0.1:
            few = pick.choice([64, 255, 65536, 2**31 - 1, 2**32 - 1, -1])
        return few if kind is not ctypes.c_char else b"x"

    def value(self, kind, name=""):
        """A value of a type; structures are filled by hand, since their pointers must be readable."""
        if isinstance(kind, type) and issubclass(kind, ctypes.Structure):
            return self.structure(kind)
        if hasattr(kind, "_length_"):
            return kind(*[self.number(kind._type_, name) for _ in range(kind._length_)])
        return kind(self.number(kind, name))

    def structure(self, kind):
        if kind.__name__ in self.handles:
            return kind(self.handle(kind.__name__))
        made = kind()
        self.fill(kind, made)
        fields = [field for field, _ in kind._fields_]
        if "size" in fields and fields[0] == "size":
            made.size = ctypes.sizeof(kind) if self.random.random() < 0.95 else self.random.choice([0, 4, 12, 9999])
            made = self.usual(kind, made)
        return made

    def usual(self, kind, made):
        """Mostly the defaults, with a field or two of another value: all at once would be refused for the first."""
        if self.random.random() < 0.3:
            return made
        snake = re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__[7:]).lower()
        default = getattr(self.library, f"wayfare_{snake}_default", None)
        fresh = kind()
        if default is None or default(ctypes.byref(fresh), ctypes.c_size_t(ctypes.sizeof(kind))) != OK:
            return made
        for field, inner in self.random.sample(kind._fields_, min(2, len(kind._fields_))):
            if inner is not ctypes.c_void_p and self.random.random() < 0.5:
                setattr(fresh, field, getattr(made, field))
        return fresh

    def fill(self, kind, made):
        count = self.random.choice([0, 3, 4, 6, 12])
        for field, inner in kind._fields_:
            if inner is ctypes.c_void_p:
                # What a list of this name holds does not matter: it is read as numbers.
                block = (ctypes.c_uint8 * 4096)(*[self.random.choice([0, 0, 0, 1, 2, 3]) for _ in range(64)])
                self.kept.append(block)
                is_list = not field in ("user", "progress", "log", "passes", "cost", "release")
                setattr(made, field, ctypes.addressof(block) if is_list and self.random.random() < 0.9 else None)
            elif inner is ctypes.c_size_t:
                setattr(made, field, count)
            else:
                value = self.value(inner, field)
                setattr(made, field, value.value if isinstance(value, ctypes._SimpleCData) else value)
        if kind.__name__ == "WayfareTriangles" and self.random.random() < 0.8:
            verts = (ctypes.c_float * 12)(0, 0, 0, 0, 0, 20, 20, 0, 20, 20, 0, 0)
            indices = (ctypes.c_uint32 * 6)(0, 1, 2, 0, 2, 3)
            self.kept += [verts, indices]
            made.verts, made.vert_count = ctypes.addressof(verts), 4
            made.indices, made.index_count = ctypes.addressof(indices), 6
            made.areas, made.area_count = None, 0

    def handle(self, name):
        pick = self.random.random()
        if pick < 0.85 and self.handles[name]:
            return self.random.choice(self.handles[name][-4:])
        if pick < 0.9:
            return 0
        if pick < 0.95:
            return self.random.choice([1, 2**32, 2**64 - 1, self.random.getrandbits(64)])
        others = [one for some in self.handles.values() for one in some]
        return self.random.choice(others) if others else 7

    def arguments(self, parameters):
        """One argument for each parameter, and where handles and numbers will be written."""
        made, outs, count = [], [], self.random.choice([0, 1, 3, 8])
        for base, is_pointer, is_const, name, _ in parameters:
            kind = self.structs.get(base) or NUMBERS.get(base)
            if base in self.callbacks or (base == "void" and is_pointer):
                made.append(ctypes.c_void_p(None))
            elif not is_pointer:
                if name.endswith("count"):
                    made.append(ctypes.c_size_t(count))
                elif name == "size":
                    # That of the structure before it, of which a larger one has room.
                    whole = ctypes.sizeof(self.structs[parameters[len(made) - 1][0]])
                    made.append(ctypes.c_size_t(self.random.choice([whole] * 12 + [whole - 4, whole + 8, 0, 3])))
                elif name == "capacity":
                    made.append(ctypes.c_size_t(self.random.choice([0, 1, 8, 64])))
                else:
                    made.append(self.value(kind, name))
            elif self.random.random() < 0.03:
                made.append(ctypes.c_void_p(None))
            elif base == "char" and is_const:
                text = self.random.choice(["level.obj", "a.glb", "x.gset", "", "s1:t0:p0", "s1:t0", "\u00e4", "water"])
                made.append(ctypes.c_char_p(os.path.join(self.folder, text).encode() if name == "path" else text.encode()))
            elif is_const:
                block = (kind * max(count, 8))(*[self.value(kind, name) for _ in range(max(count, 8))])
                self.kept.append(block)
                made.append(ctypes.cast(block, ctypes.c_void_p))
            else:
                block = (ctypes.c_uint64 * (ROOM // 8))()
                self.kept.append(block)
                if base in self.structs and not name.endswith("s") and base not in self.handles:
                    ctypes.memmove(block, ctypes.byref(self.structure(kind)), ctypes.sizeof(kind))
                outs.append((base, block))
                made.append(ctypes.cast(block, ctypes.c_void_p))
        return made, outs

    def run(self, calls):
        names = sorted(self.functions)
        makers = [name for name in names if re.search(r"_new$|_bake$|add_triangles|_add$|_job_|crowd_step|_path", name)]
        counts, faults = {}, []
        for number in range(calls):
            self.kept.clear()
            name = self.random.choice(makers if self.random.random() < 0.4 else names)
            if name.endswith("_free") and self.random.random() < 0.7:
                continue
            parameters = self.functions[name]
            arguments, outs = self.arguments(parameters)
            call = getattr(self.library, name)
            # What was called last stands in a file, for the case that it never returns.
            self.trace.seek(0)
            self.trace.write(f"call {number}: {name}".ljust(80) + "\n")
            self.trace.flush()
            # A minute of work is a call that never returns, on however busy a machine; so is an hour of waiting.
            faulthandler.dump_traceback_later(3600, exit=True)
            if hasattr(signal, "setitimer"):
                signal.setitimer(signal.ITIMER_PROF, 60)
            status = call(*arguments)
            faulthandler.cancel_dump_traceback_later()
            counts[status] = counts.get(status, 0) + 1
            for base, block in outs:
                # A report is made even where a bake fails; several meshes are made in one call.
                if base in self.handles:
                    self.handles[base] += [one for one in block[:8] if one]
                elif base == "uint64_t" and block[0] and status == OK:
                    self.ids = (self.ids + [block[0]])[-64:]
            if status != OK and name != "wayfare_last_error":
                text = ctypes.create_string_buffer(4096)
                self.library.wayfare_last_error(text, ctypes.c_size_t(4096), None)
                sentence = text.value.decode()
                if status == INTERNAL or len(sentence) < 8 or status > OUTDATED:
                    faults.append(f"call {number}: {name}: status {status}: {sentence}")
        for fault in faults:
            print(fault, file=sys.stderr)
        return counts, faults

    def close(self):
        for name, handles in self.handles.items():
            snake = re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
            free = getattr(self.library, snake + "_free", None) or getattr(self.library, snake.replace("_map", "") + "_free", None)
            free = free or getattr(self.library, {"WayfarePathBatch": "wayfare_batch_free"}.get(name, ""), None)
            for handle in handles:
                free(ctypes.c_uint64(handle))
        live = ctypes.c_size_t()
        self.library.wayfare_live_handles(ctypes.byref(live))
        shutil.rmtree(self.folder, ignore_errors=True)
        return live.value


def limit_memory():
    """Boxes of blocks may be as large as memory: so that no machine is driven into swapping, and a refusal is tested too."""
    try:
        import resource
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, resource.RLIM_INFINITY))


def main():
    limit_memory()
    library, header, *numbers = sys.argv[1:]
    seed = int(numbers[0]) if numbers else 1
    calls = int(numbers[1]) if len(numbers) > 1 else 20000
    with open(header, encoding="utf-8") as file:
        chaos = Chaos(library, file.read(), seed)
    faulthandler.enable()
    if hasattr(signal, "SIGPROF"):
        faulthandler.register(signal.SIGPROF, chain=True)
    counts, faults = chaos.run(calls)
    live = chaos.close()
    print(f"seed {seed}: {calls} calls of {len(chaos.functions)} functions, by status {dict(sorted(counts.items()))}, {live} alive")
    if faults or live or counts.get(OK, 0) < calls // 20:
        sys.exit(1)


main()

#!/usr/bin/env python3
"""Random interfaces with random values there and back, in node, in stock wasmtime (as components) and in C.

    python3 tests/embedding/random_interfaces.py CLEAVE --interfaces 100000 --state FILE [--keep FOLDER]

A program of samlang has functions that give back what they get, of random types: each is an interface. `--state` names a
file with the number of the next program, so that the work goes on where it was; `--first` and `--programs` do some of
it. A program that fails is kept, with its number."""
import argparse
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

TYPES, VALUES = 25, 6
LETTERS = ["a", "Z", "0", " ", '"', "\\", "\n", "é", "€", "\U0001f600", "\0", "?"]


# -- types and values ---------------------------------------------------------------------------------------------------


class Type:
    """A type: its text in samlang, its kind, and the types in it."""

    def __init__(self, kind, text, parts=(), names=(), cases=(), definition=""):
        self.kind, self.text, self.parts, self.names = kind, text, list(parts), list(names)
        self.cases, self.definition = list(cases), definition
        # Hosts of components count the parts of a type, wherever they are used.
        self.size = 1 + sum(part.size for part in self.parts + [part for _, parts in self.cases for part in parts])


def types_of(rng):
    known = [Type("int", "int"), Type("bool", "bool"), Type("string", "Str")]
    some = lambda: rng.choice(known[-12:] if rng.random() < 0.6 else known)
    several = lambda least, most: [some() for _ in range(rng.randint(least, most))]
    texts = lambda parts: ", ".join(part.text for part in parts)
    while len(known) < TYPES:
        number = len(known)
        kind = rng.choice(["list", "option", "result", "pair", "record", "variant", "variant", "enum"])
        if kind in ("list", "option"):
            part = some()
            made = Type(kind, f"{kind.capitalize()}<{part.text}>", [part])
        elif kind in ("result", "pair"):
            parts = several(2, 2)
            made = Type(kind, f"{kind.capitalize()}<{texts(parts)}>", parts)
        elif kind == "record":
            parts = several(1, 5)
            names = [f"field{at}" for at in range(len(parts))]
            fields = ", ".join(f"val {name}: {part.text}" for name, part in zip(names, parts))
            made = Type(kind, f"R{number}", parts, names, definition=f"class R{number}({fields}) {{}}")
        else:
            count = rng.choice([1, 2, 3, 4, 7, 300 if rng.random() < 0.05 else 5])
            cases = [(f"C{number}x{at}", several(0, 3) if kind == "variant" else []) for at in range(count)]
            if kind == "variant" and not any(parts for _, parts in cases):
                cases[0] = (cases[0][0], several(1, 3))
            written = ", ".join(f"{name}({texts(parts)})" if parts else name for name, parts in cases)
            made = Type(kind, f"V{number}", cases=cases, definition=f"class V{number}({written}) {{}}")
        if made.size < 3000 and all(made.text != other.text for other in known):
            known.append(made)
    return known


def value_of(rng, ty, size=12):
    """Lists are Python's, all else is told apart by its type: options are [] or [value], cases are their numbers."""
    value = lambda part: value_of(rng, part, size // 2)
    if ty.kind == "int":
        return rng.choice([0, -1, 2**31 - 1, -(2**31), rng.randint(-(2**31), 2**31 - 1), rng.randint(-9, 9)])
    if ty.kind == "bool":
        return rng.random() < 0.5
    if ty.kind == "string":
        return "".join(rng.choice(LETTERS) for _ in range(rng.choice([0, 1, 7, 8, 9, rng.randint(0, 40)])))
    if ty.kind == "list":
        return [value(ty.parts[0]) for _ in range(rng.choice([0, 1, rng.randint(0, size)]))]
    if ty.kind == "option":
        return [value(ty.parts[0])] if rng.random() < 0.7 else []
    if ty.kind == "result":
        at = rng.randrange(2)
        return (at, [value(ty.parts[at])])
    if ty.kind in ("pair", "record"):
        return [value(part) for part in ty.parts]
    at = rng.randrange(len(ty.cases))
    return (at, [value(part) for part in ty.cases[at][1]])


def program(types):
    lines = [f"import {{ {what} }} from std.{where};" for what, where in
             (("List", "list"), ("Option", "option"), ("Result", "result"), ("Pair", "tuples"))]
    lines += [ty.definition for ty in types if ty.definition]
    lines.append("class Main {")
    for at, ty in enumerate(types):
        other = types[(at + 7) % len(types)]
        lines.append(f"  function same{at}(x: {ty.text}): {ty.text} = x")
        pair = f"Pair<{other.text}, {ty.text}>"
        lines.append(f"  function swap{at}(x: {ty.text}, y: {other.text}): {pair} = Pair.init(y, x)")
    return "\n".join([*lines, "}", ""])


# -- hosts ------------------------------------------------------------------------------------------------------------


def javascript(ty, value):
    parts = lambda types, values: ", ".join(javascript(part, it) for part, it in zip(types, values))
    if ty.kind == "string":
        return json.dumps(value)
    if ty.kind in ("int", "bool"):
        return json.dumps(value)
    if ty.kind == "list":
        return f"[{', '.join(javascript(ty.parts[0], it) for it in value)}]"
    if ty.kind == "option":
        if ty.parts[0].kind == "option":
            return f'{{tag: "some", val: {javascript(ty.parts[0], value[0])}}}' if value else '{tag: "none"}'
        return javascript(ty.parts[0], value[0]) if value else "undefined"
    if ty.kind == "result":
        return f'{{tag: "{("ok", "err")[value[0]]}", val: {javascript(ty.parts[value[0]], value[1][0])}}}'
    if ty.kind == "pair":
        return f"[{parts(ty.parts, value)}]"
    if ty.kind == "record":
        return f"{{{', '.join(f'{name}: {javascript(*it)}' for name, *it in zip(ty.names, ty.parts, value))}}}"
    name, payload = ty.cases[value[0]]
    if ty.kind == "enum":
        return json.dumps(name)
    inside = parts(payload, value[1])
    inside = f", val: {inside if len(payload) == 1 else f'[{inside}]'}" if payload else ""
    return f'{{tag: "{name}"{inside}}}'


def node(folder, calls):
    lines = ['import assert from "node:assert/strict";', 'import * as program from "./program.mjs";']
    for name, args, result in calls:
        values = ", ".join(javascript(*arg) for arg in args)
        lines.append(f"assert.deepEqual(program.{name}({values}), {javascript(*result)});")
    (folder / "main.mjs").write_text("\n".join(lines + ['console.log("ok");']))
    return ["node", "main.mjs"]


def wasmtime_classes(ty):
    """The classes of Python by which the package tells cases apart."""
    if ty.kind in ("option", "result", "variant"):
        cases = wasmtime_cases(ty)
        return {"Variant"} if wasmtime_tagged(cases) else set().union(*cases)
    return {{"string": "str", "enum": "str", "pair": "tuple"}.get(ty.kind, ty.kind)}


def wasmtime_cases(ty):
    none = {"object"}
    if ty.kind == "option":
        return [none, wasmtime_classes(ty.parts[0])]
    if ty.kind == "result":
        return [wasmtime_classes(part) for part in ty.parts]
    payload = lambda parts: wasmtime_classes(parts[0]) if len(parts) == 1 else {"tuple"} if parts else none
    return [payload(parts) for _, parts in ty.cases]


def wasmtime_tagged(cases):
    return sum(map(len, cases)) > len(set().union(*cases))


def wasmtime_can(ty):
    """The package takes a truth value for an integer, if both are cases; and everything for a case that may be None."""
    if ty.kind in ("option", "result", "variant"):
        cases = wasmtime_cases(ty)
        mixed = {"int", "bool"} <= set().union(*cases) or any("object" in case and len(case) > 1 for case in cases)
        if not wasmtime_tagged(cases) and mixed:
            return False
    return all(map(wasmtime_can, ty.parts)) and all(wasmtime_can(part) for _, parts in ty.cases for part in parts)


def python_value(ty, value):
    from wasmtime.component import Record, Variant

    if ty.kind in ("int", "bool", "string"):
        return value
    if ty.kind == "list":
        return [python_value(ty.parts[0], it) for it in value]
    if ty.kind == "pair":
        return tuple(map(python_value, ty.parts, value))
    if ty.kind == "record":
        made = Record()
        for name, part, it in zip(ty.names, ty.parts, value):
            setattr(made, name, python_value(part, it))
        return made
    if ty.kind == "option":
        tag, payload = ("some", [python_value(ty.parts[0], value[0])]) if value else ("none", [])
    elif ty.kind == "result":
        tag, payload = ("ok", "err")[value[0]], [python_value(ty.parts[value[0]], value[1][0])]
    else:
        tag, payload = ty.cases[value[0]][0].lower(), list(map(python_value, ty.cases[value[0]][1], value[1]))
        if ty.kind == "enum":
            return tag
    payload = payload[0] if len(payload) == 1 else tuple(payload) if payload else None
    return Variant(tag, payload) if wasmtime_tagged(wasmtime_cases(ty)) else payload


def same(one, other):
    """Of values of the package, whose variants are not compared by it."""
    if type(one) is not type(other):
        return False
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(map(same, one, other))
    if hasattr(one, "__dict__"):
        keys = list(vars(one))
        return keys == list(vars(other)) and all(same(getattr(one, key), getattr(other, key)) for key in keys)
    return one == other


def in_wasmtime(folder, calls):
    from wasmtime import Config, Engine, Store
    from wasmtime.component import Component, Linker

    config = Config()
    config.wasm_tail_call = True
    engine = Engine(config)
    store = Store(engine)
    instance = Linker(engine).instantiate(store, Component.from_file(engine, str(folder / "component.wasm")))
    for name, args, result in calls:
        if not all(wasmtime_can(ty) for ty, _ in args):
            continue
        function = instance.get_func(store, name)
        found = function(store, *(python_value(*arg) for arg in args))
        function.post_return(store)
        wanted = python_value(*result)
        if not same(found, wanted):
            raise AssertionError(f"wasmtime: {name} gives {found!r}, not {wanted!r}")


class C:
    """A program in C that makes values, calls functions, and compares."""

    def __init__(self, header):
        structures = re.findall(r"typedef struct \{\n(.*?)\n\} (\w+);", header, re.S)
        self.fields = {name: fields for fields, name in structures}
        self.functions = dict(re.findall(r"\nint (\w+)\((.*?)\);", header))
        self.statics, self.code = [], []

    def string(self, value):
        data = value.encode()
        return '"' + "".join(f"\\{byte:03o}" for byte in data) + '"', len(data)

    def field(self, written, name):
        """The type of a field of a structure; of a part of its union, if the structure has one."""
        return re.search(rf"(?:const )?(\w+) \*?{name};", self.fields[written]).group(1)

    def struct_of(self, written, name):
        """The fields of a case with several parts."""
        inside = re.search(rf"struct \{{ ([^}}]*) \}} {name};", self.fields[written]).group(1)
        return re.findall(r"(\w+) f\d+;", inside)

    def case_name(self, name):
        return name.lower()

    def literal(self, ty, value, written):
        """What initialises a variable of a type."""
        if ty.kind == "int":
            return str(value) if value > -(2**31) else "INT32_MIN"
        if ty.kind == "bool":
            return "true" if value else "false"
        if ty.kind == "string":
            return "{%s, %d}" % self.string(value)
        if ty.kind == "list":
            if not value:
                return "{0, 0}"
            element = self.field(written, "data")
            all = ", ".join(self.literal(ty.parts[0], it, element) for it in value)
            name = f"list{len(self.statics)}"
            self.statics.append("")
            self.statics.append(f"static const {element} {name}[] = {{{all}}};")
            return f"{{{name}, {len(value)}}}"
        if ty.kind == "option":
            return f"{{true, {self.literal(ty.parts[0], value[0], self.field(written, 'value'))}}}" if value else "{false}"
        if ty.kind == "result":
            name = ("ok", "err")[value[0]]
            inside = self.literal(ty.parts[value[0]], value[1][0], self.field(written, name))
            return f"{{{('false', 'true')[value[0]]}, {{.{name} = {inside}}}}}"
        if ty.kind in ("pair", "record"):
            names = ty.names or [f"f{at}" for at in range(len(ty.parts))]
            all = [self.literal(part, it, self.field(written, name)) for name, part, it in zip(names, ty.parts, value)]
            return f"{{{', '.join(all)}}}"
        number, payload = value
        if ty.kind == "enum":
            return str(number)
        parts = ty.cases[number][1]
        if not parts:
            return f"{{{number}}}"
        name = self.case_name(ty.cases[number][0])
        if len(parts) == 1:
            inside = self.literal(parts[0], payload[0], self.field(written, name))
        else:
            all = zip(parts, payload, self.struct_of(written, name))
            inside = f"{{{', '.join(self.literal(*it) for it in all)}}}"
        return f"{{{number}, {{.{name} = {inside}}}}}"

    def compare(self, ty, value, place):
        """Conditions that a value at a place is this one."""
        if ty.kind in ("int", "bool"):
            return [f"{place} == {self.literal(ty, value, '')}"]
        if ty.kind == "string":
            text, length = self.string(value)
            return [f"{place}.length == {length}"] + ([f"!memcmp({place}.data, {text}, {length})"] if length else [])
        if ty.kind == "list":
            tests = [f"{place}.length == {len(value)}"]
            for at, it in enumerate(value):
                tests += self.compare(ty.parts[0], it, f"{place}.data[{at}]")
            return tests
        if ty.kind == "option":
            return [f"{place}.is_some"] + self.compare(ty.parts[0], value[0], f"{place}.value") if value else [f"!{place}.is_some"]
        if ty.kind == "result":
            name = ("ok", "err")[value[0]]
            return [f"{place}.is_err == {value[0]}"] + self.compare(ty.parts[value[0]], value[1][0], f"{place}.value.{name}")
        if ty.kind in ("pair", "record"):
            names = ty.names or [f"f{at}" for at in range(len(ty.parts))]
            return sum((self.compare(part, it, f"{place}.{name}") for name, part, it in zip(names, ty.parts, value)), [])
        number, payload = value
        if ty.kind == "enum":
            return [f"{place} == {number}"]
        parts, name = ty.cases[number][1], self.case_name(ty.cases[number][0])
        tests = [f"{place}.tag == {number}"]
        if len(parts) == 1:
            return tests + self.compare(parts[0], payload[0], f"{place}.value.{name}")
        for at, (part, it) in enumerate(zip(parts, payload)):
            tests += self.compare(part, it, f"{place}.value.{name}.f{at}")
        return tests

    def call(self, number, name, args, result):
        written = self.functions[f"lib_{name}"].split(", ")
        given, lines, at = [], [], 0
        for place, (ty, value) in enumerate(args):
            own = re.match(r"(?:const )?(\w+)", written[at]).group(1)
            variable = f"arg{place}"
            if ty.kind == "string":
                given += ["%s, %d" % self.string(value)]
                at += 2
            elif ty.kind == "list":
                all = ", ".join(self.literal(ty.parts[0], it, own) for it in value)
                if value:
                    lines.append(f"static const {own} {variable}[] = {{{all}}};")
                given += [variable if value else "0", str(len(value))]
                at += 2
            elif ty.kind in ("int", "bool", "enum"):
                given.append(self.literal(ty, value, own))
                at += 1
            else:
                lines.append(f"static const {own} {variable} = {self.literal(ty, value, own)};")
                given.append(f"&{variable}")
                at += 1
        lines.append(f"{written[at].split()[0]} result;")
        tests = self.compare(*result, "result")
        call = f"lib_{name}({', '.join(given)}, &result)"
        lines.append(f"if ({call} != LIB_OK) return printf(\"{name}: %s\\n\", lib_error());")
        for first in range(0, len(tests), 20):
            lines.append(f"if (!({' && '.join(tests[first:first + 20])})) return printf(\"{name} is wrong\\n\");")
        lines += ["lib_free();", "return 0;"]
        self.code.append(f"static int call{number}(void) {{\n    " + "\n    ".join(lines) + "\n}\n")

    def text(self):
        head = '#include "lib.h"\n#include <stdint.h>\n#include <stdio.h>\n#include <string.h>\n\n'
        calls = "\n".join(f"    if (call{at}()) return 1;" for at in range(len(self.code)))
        return "\n".join([head, *self.statics, *self.code, f"int main(void) {{\n{calls}\n    puts(\"ok\");\n    return 0;\n}}\n"])


def in_c(folder, calls):
    program = C((folder / "lib.h").read_text())
    for at, call in enumerate(calls):
        program.call(at, *call)
    (folder / "main.c").write_text(program.text())
    run(folder, "cc", "-std=gnu11", "-Wall", "-Wno-unused-variable", "-Wno-unused-const-variable", "main.c", "lib.a", "-o", "main")
    return ["./main"]


# -- one program ------------------------------------------------------------------------------------------------------


def run(folder, *command):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=600)
    if done.returncode:
        raise AssertionError(f"{' '.join(command)}: {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-4000:]}")
    return done.stdout


def check(cleave, number, folder, hosts):
    """Makes a program, and calls its functions in all hosts: gives how many interfaces that were."""
    rng = random.Random(number)
    types = types_of(rng)
    (folder / "program.sam").write_text(program(types))
    calls = []
    for at, ty in enumerate(types):
        other = types[(at + 7) % len(types)]
        for _ in range(VALUES):
            one = value_of(rng, ty)
            calls.append((f"same{at}", [(ty, one)], (ty, one)))
        one, two = value_of(rng, ty), value_of(rng, other)
        calls.append((f"swap{at}", [(ty, one), (other, two)], (Type("pair", "", [other, ty]), [two, one])))
    memory = f"--memory={rng.choice(['rc', 'gc'])}"
    build = lambda *flags: run(folder, cleave, "build", "program.sam", "--lib", memory, *flags)
    if "node" in hosts:
        build("-o", "program.mjs")
        if run(folder, *node(folder, calls)) != "ok\n":
            raise AssertionError("node is silent")
    if "wasmtime" in hosts:
        build("--target", "component", "-o", "component.wasm")
        in_wasmtime(folder, calls)
    if "c" in hosts:
        build("--target", "native", "-o", "lib.a")
        if run(folder, *in_c(folder, calls)) != "ok\n":
            raise AssertionError("C is silent")
    return 2 * len(types)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cleave")
    parser.add_argument("--interfaces", type=int, default=10**5)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--programs", type=int)
    parser.add_argument("--state", type=pathlib.Path)
    parser.add_argument("--hosts", default="node,wasmtime,c")
    parser.add_argument("--keep", type=pathlib.Path, default=pathlib.Path(tempfile.gettempdir()) / "random_interfaces")
    args = parser.parse_args()
    cleave, first, done = shutil.which(args.cleave) or sys.exit(f"there is no {args.cleave}"), args.first, 0
    if args.state and args.state.exists():
        first, done = map(int, args.state.read_text().split())
    number, hosts = first, args.hosts.split(",")
    while (number - args.first < args.programs) if args.programs else done < args.interfaces:
        folder = args.keep / str(number)
        folder.mkdir(parents=True, exist_ok=True)
        try:
            done += check(os.path.abspath(cleave), number, folder, hosts)
        except Exception as error:
            sys.exit(f"program {number}, in {folder}: {error}")
        shutil.rmtree(folder)
        number += 1
        if args.state:
            args.state.write_text(f"{number} {done}")
    print(f"{done} interfaces: ok")


main()

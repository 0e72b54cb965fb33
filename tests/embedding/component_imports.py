"""Functions of Python that a component imports: interfaces of its world, with data of all kinds, and with objects of the
host beside them."""
import sys

from wasmtime import Store, Trap, WasmtimeError
from wasmtime.component import Component, Linker, Record, ResourceHost, ResourceType, Variant

from exports import engine, exported

ELEMENT = 1


def record(x, y):
    made = Record()
    made.x, made.y = x, y
    return made


class Net:
    """What the component imports."""

    def __init__(self):
        self.said, self.marks, self.wrong = [], [], False

    def get(self, store, url):
        return Variant("err", "no " + url) if url.startswith("bad") else Variant("ok", "<" + url + ">")

    def twice(self, store, n):
        if self.wrong:
            raise ValueError("not now")
        return 2 * n

    def move(self, store, points, by):
        return [record(point.x + by.x, point.y + by.y) for point in points]

    def log(self, store, text):
        self.said.append(text)

    def find(self, store, name):
        return record(len(name), 7) if name else None

    def turn(self, store, shape):
        # The package tells cases of different types apart by the values alone.
        if shape is None:
            return record(1, 2), record(3, 4)
        if isinstance(shape, tuple):
            return ",".join(str(part) for point in shape for part in (point.x, point.y))
        return shape + "!"

    def next(self, store, colour):
        return {"red": "green", "green": "blue", "blue": "red"}[colour]

    def joined(self, store, *parts):
        return ",".join(map(str, parts))


NAMES = ["get", "twice", "move", "log", "find", "turn", "next", "joined"]


class Library:
    def __init__(self, file, has_objects):
        self.store, self.net, self.alive = Store(engine), Net(), [0] * 10
        linker = Linker(engine)
        with linker.root() as root:
            if has_objects:
                with root.add_instance("local:imports/host") as host:
                    host.add_resource("element", ResourceType.host(ELEMENT), lambda _, rep: self.drop(rep))
                    host.add_func("[method]element.clone", lambda store, own: self.own(own.to_host(store).rep))
            with root.add_instance("local:imports/net") as net:
                if has_objects:
                    net.add_resource("element", ResourceType.host(ELEMENT), lambda _, rep: self.drop(rep))
                    net.add_func("mark", self.mark)
                for name in NAMES:
                    net.add_func(name, getattr(self.net, name))
        self.instance = linker.instantiate(self.store, Component.from_file(engine, file))
        self.api = self.instance.get_export_index(self.store, "local:imports/api") if has_objects else None

    def own(self, rep):
        self.alive[rep] += 1
        return ResourceHost.own(rep, ELEMENT)

    def drop(self, rep):
        self.alive[rep] -= 1
        assert self.alive[rep] >= 0, "dropped twice"

    def mark(self, store, element, times):
        self.net.marks.append((element.to_host(store).rep, times))
        # The handle has come back.
        return ResourceHost.own(self.net.marks[-1][0], ELEMENT)

    def __getattr__(self, name):
        return exported(self.store, self.instance, name, self.api)


def check(file, has_objects):
    lib = Library(file, has_objects)
    assert lib.size("ü€") == 7 and lib.size("bad") == -1
    assert lib.why("a") == "<a>" and lib.why("bad") == "failed: no bad"
    assert lib.sum(10) == 110
    assert [(it.x, it.y) for it in lib.moved([record(1, 2), record(3, 4)], 10)] == [(11, -8), (13, -6)]
    assert lib.told("é") == "é" and lib.net.said == ["é", "again: é"]
    assert lib.found("four") == 4007 and lib.found("") == -1
    assert lib.turned(None) == "1,2,3,4" and lib.turned("é") == "é!!"
    assert [lib.after(it) for it in ("red", "green", "blue")] == ["green", "blue", "red"]
    assert lib.joined("x", 3) == "x,b,c,d,e,f,g,x,3"
    for _ in range(3000):
        assert lib.why("text") == "<text>"
    if has_objects:
        element = lib.marked(lib.own(4), 3)
        assert element.to_host(lib.store).rep == 4 and lib.net.marks == [(4, 3), (4, 3)]
    lib.net.wrong = True
    try:
        lib.sum(3)
    except (Trap, WasmtimeError, ValueError):
        return
    raise AssertionError("no error")


for name in sys.argv[2:]:
    check(f"{sys.argv[1]}/{name}.wasm", "objects" in name)
print("ok")

"""
Calls functions of `sales.sam` as a component, in wasmtime. In this folder:

    cleave build ../sales.sam --lib --target component
    pip install wasmtime
    python main.py sales.wasm
"""
import sys

from wasmtime import Config, Engine, Store, WasmtimeError
from wasmtime.component import Component, Linker, Record

config = Config()
config.wasm_tail_call = True
engine = Engine(config)
component = Component.from_file(engine, sys.argv[1])


def call(name, *args):
    """Calls a function of a new instance, which after an error nobody can call any more."""
    store = Store(engine)
    instance = Linker(engine).instantiate(store, component)
    function = instance.get_func(store, name)
    result = function(store, *args)
    function.post_return(store)
    return result


def sale(customer, pieces, price):
    made = Record()
    made.customer, made.pieces, made.price = customer, pieces, price
    return made


sales = [sale("Ada", 2, 30), sale("Grace", 1, 75), sale("Barbara", 5, 4)]
summary = call("summary", sales)
print(summary.text)
largest = summary.largest
print(f"the largest: {largest.customer}, {largest.pieces} of {largest.price}")
try:
    call("mean", [])
except WasmtimeError:
    # What the program says of it nobody hears.
    print("error: the program has ended")
print(f"mean: {call('mean', sales)}")

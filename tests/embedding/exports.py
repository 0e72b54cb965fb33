"""What a component exports, as functions of Python in stock wasmtime."""
from wasmtime import Config, Engine

config = Config()
config.wasm_tail_call = True
engine = Engine(config)


def exported(store, instance, name, interface=None):
    """A call of an exported function, or of one of an exported interface."""
    index = instance.get_export_index(store, name, interface)
    assert index, name
    function = instance.get_func(store, index)

    def call(*args):
        result = function(store, *args)
        function.post_return(store)
        return result

    return call

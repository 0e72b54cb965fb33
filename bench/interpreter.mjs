// Runs prelinked bytecode in the WebAssembly interpreter of kryptine/abc-interpreter:
// node --no-liftoff interpreter.mjs FOLDER PROGRAM.pbc
// FOLDER is what interpreter.py has made: abc-interpreter.js, both modules and abc_instructions.h. That interpreter has no
// files; the few instructions for standard input and output that our programs need are here, as handlers of unknown instructions.
import fs from "node:fs";
import path from "node:path";
import vm from "node:vm";

const [folder, program] = process.argv.slice(2);
const text = (name) => fs.readFileSync(path.join(folder, name), "utf8");
vm.runInThisContext(`${text("abc-interpreter.js")};globalThis.ABCInterpreter = ABCInterpreter;`);
const names = Array.from(text("abc_instructions.h").matchAll(/^\tINSTRUCTION\((\w+)\)/gm), (found) => found[1]);
ABCInterpreter.instructions = names;

function read(name) {
    const bytes = fs.readFileSync(name.startsWith("/js/") ? path.join(folder, name.slice(4)) : name);
    return Promise.resolve({ ok: true, arrayBuffer: () => Uint8Array.from(bytes).buffer });
}

const output = [];
const put = (piece) => output.push(piece);
const real = (value) => String(Number(value.toPrecision(15)));

let input;
/// The next match at the place of reading, or nothing.
function scan(pattern) {
    input ??= { text: fs.readFileSync(0, "latin1"), at: 0 };
    pattern.lastIndex = input.at;
    const found = pattern.exec(input.text);
    if (found) input.at = pattern.lastIndex;
    return found;
}

/// What an instruction does to the words on the B stack, of which the last is the topmost; the topmost two of a file are the file.
const files = {
    stdioF: (b) => b.push(1n, -1n),
    closeF: (b) => b.splice(-2, 2, 1n),
    readFI(b) {
        const found = scan(/\s*([-+]?\d+)/y);
        b.push(found ? BigInt(found[1]) : 0n, found ? 1n : 0n);
    },
    readFC(b) {
        const found = scan(/[^]/y);
        b.push(found ? BigInt(found[0].charCodeAt(0)) : 0n, found ? 1n : 0n);
    },
    writeFI: (b) => put(String(b.pop())),
    writeFC: (b) => put(String.fromCharCode(Number(b.pop() & 255n))),
    writeFR: (b) => put(real(new Float64Array(BigInt64Array.of(b.pop()).buffer)[0])),
};

function handle(abc, pc, instruction, asp, bsp) {
    const { set_asp, set_bsp } = abc.interpreter.instance.exports;
    const name = names[instruction];
    if (name === "writeFS") {
        const string = Number(new DataView(abc.memory.buffer).getBigInt64(asp, true));
        const length = Number(new DataView(abc.memory.buffer).getBigInt64(string + 8, true));
        put(Buffer.from(abc.memory.buffer, string + 16, length).toString("latin1"));
        set_asp(asp - 8);
        return pc + 8;
    }
    if (!(name in files)) return 0;
    const deepest = 3;
    const words = new BigInt64Array(abc.memory.buffer);
    const stack = Array.from({ length: deepest }, (_, at) => words[bsp / 8 + deepest - 1 - at]);
    files[name](stack);
    const top = bsp + 8 * (deepest - stack.length);
    stack.reverse().forEach((word, at) => (words[top / 8 + at] = word));
    set_bsp(top);
    return pc + 8;
}

const abc = await ABCInterpreter.instantiate({
    bytecode_path: program,
    fetch: read,
    heap_size: 400 << 20,
    stack_size: 200 << 20,
    interpreter_imports: {
        halt() {},
        handle_illegal_instr: (...registers) => handle(abc, ...registers),
        illegal_instr(address, instruction) {
            throw new Error(`instruction ${names[instruction]} at ${address}`);
        },
        putchar: (code) => put(String.fromCharCode(code)),
        print_int: (high, low) => put(String((BigInt(high) << 32n) + BigInt(low >>> 0))),
        print_bool: (value) => put(value === 0 ? "False" : "True"),
        print_char: (code) => put(`'${String.fromCharCode(code)}'`),
        print_real: (value) => put(real(value)),
    },
});
const { set_pc, interpret } = abc.interpreter.instance.exports;
set_pc(abc.start);
const status = interpret();
fs.writeSync(1, Buffer.from(output.join(""), "latin1"));
process.exitCode = status;

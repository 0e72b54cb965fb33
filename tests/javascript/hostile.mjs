// What a host in JavaScript does wrong, in node and in a page: by the functions that come with a library, and as a host
// of its own that speaks the canonical ABI. Each is an error, and what comes after it works.
import * as lib from "./lib.mjs";

const isNode = typeof process !== "undefined";
const url = new URL("./lib.wasm", import.meta.url);
const bytes = isNode ? await (await import("node:fs/promises")).readFile(url) : await (await fetch(url)).arrayBuffer();
const module = await WebAssembly.compile(bytes);
let all = "";

function check(is, what) {
  if (!is) throw new Error(what);
}

function fails(what, work, error = Error) {
  let result;
  try {
    result = work();
  } catch (thrown) {
    return check(thrown instanceof error, `${what}: ${thrown}\n${thrown.stack}`);
  }
  throw new Error(`${what}: no error but ${JSON.stringify(result)}`);
}

// With the functions of the library. A TypeError is the host's, and the instance goes on.
let add = lib.adder(40);
const works = () => check(lib.each(add, [1, 2]).join() === "41,42", "it works no more");
const gone = lib.adder(1), other = lib.adder(2);
gone.drop();
const detached = new Int32Array(4);
structuredClone(detached.buffer, { transfer: [detached.buffer] });
const shrinks = [1, 2, 3];
Object.defineProperty(shrinks, 0, { get: () => (shrinks.length = 1, 2) });
const grows = [1, 2, 3];
Object.defineProperty(grows, 1, { get: () => (grows.push(9), 2) });
for (const [what, work] of [
  ["a function that was dropped", () => gone(1)],
  ["dropped twice", () => gone.drop()],
  ["as an argument", () => lib.apply(gone, 1)],
  ["in data", () => lib.runAll([{ name: "a", run: add }, { name: "b", run: gone }], 1)],
  ["a number", () => lib.apply(7, 1)],
  ["what looks like a function", () => lib.apply({ call() {}, drop() {} }, 1)],
  ["a text that says it is one", () => lib.named({ toString: () => "x" })],
  ["a list of something else", () => lib.each(add, [1, "2"])],
  ["no list", () => lib.each(add, 3)],
  ["a list with less than nothing", () => lib.each(add, { length: -1 })],
  ["an array without memory", () => lib.each(add, detached)],
  ["a list that shrinks", () => lib.each(add, shrinks)],
  ["a case that does not exist", () => lib.perform({ tag: "none" }, 1)],
  ["a number that does not fit", () => lib.adder(2 ** 31)],
]) {
  fails(what, work, TypeError);
  works();
}
// What a getter throws is what the caller gets, and the program has not been called.
for (const thrown of [new RangeError("no recursion here"), undefined, "a text", { message: 7 }]) {
  try {
    lib.runAll([{ get name() { throw thrown; }, run: add }], 1);
    check(false, "a getter that throws: no error");
  } catch (error) {
    check(error === thrown, `a getter that throws: ${error}`);
  }
  works();
}
check(lib.each(add, grows).join() === "41,42,43", "a list that grows has the length that it had");
// What is no text of Unicode becomes one, as everywhere in JavaScript.
check(lib.named("\ud800").name === "\ufffd", "half of a pair");
// A function that is dropped while it runs, by who is called from inside of it.
check(lib.apply((n) => (other.drop(), lib.apply(add, n)), 1) === 41, "dropped from inside");
fails("from inside", () => lib.apply((n) => other(n), 1), TypeError);
// After an error of the program its functions are gone, and the next call is one of a new instance.
for (const [what, work] of [
  ["a list that lies about its length", () => lib.each(add, { length: 2 ** 31 - 1 })],
  ["a getter that calls", () => lib.runAll([{ get name() { return lib.named("y").name; }, run: add }], 1)],
  ["calls without an end", () => { const again = (n) => lib.apply(again, n + 1); return again(0); }],
  ["a text that is too large", () => lib.named("x".repeat(65 << 20))],
  ["a function that throws", () => lib.apply(() => { throw new RangeError("mine"); }, 1)],
  ["a function that gives something else", () => lib.apply(() => "x", 1)],
]) {
  const before = add;
  fails(what, work);
  // A list is refused before the program has been called.
  try {
    before(1);
  } catch (error) {
    check(error instanceof TypeError, `${what}: ${error}`);
    fails(`${what}: a function of it`, () => lib.apply(before, 1), TypeError);
    add = lib.adder(40);
  }
  works();
}

// As a host of its own.
class Ended extends Error {}
function instance() {
  const imports = {};
  const functions = { proc_exit() { throw new Ended(); }, cabi_forget() {}, fd_write: () => 52 };
  for (const { module: from, name } of WebAssembly.Module.imports(module))
    (imports[from] ??= {})[name] = functions[name] ?? (() => 0);
  const { exports } = new WebAssembly.Instance(module, imports);
  exports._start();
  return exports;
}
function put(own, ...bytes) {
  const at = own.cabi_realloc(0, 0, 4, bytes.length);
  new Uint8Array(own.memory.buffer, at, bytes.length).set(bytes);
  return at;
}
const call = Object.keys(instance()).find((name) => name.startsWith("cabi_call_"));
const dropped = (own) => {
  const handle = own.adder(1);
  own.cabi_drop(handle);
  return handle;
};
for (const [what, work] of [
  ["a text outside of the buffer", (own) => own.named(0, 1)],
  ["a text that is longer", (own) => own.named(put(own, 97, 98), 100)],
  ["a text of all memory", (own) => own.named(put(own, 97), -1)],
  ...[[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82]].map((text) => [
    "a text that is not UTF-8", (own) => own.named(put(own, ...text), text.length),
  ]),
  ["a list outside of the buffer", (own) => own.each(own.adder(1), 64, 1)],
  ["a list that is longer", (own) => own.each(own.adder(1), put(own, 1, 0, 0, 0), 1000)],
  ["a list of all memory", (own) => own.each(own.adder(1), put(own, 1, 0, 0, 0), 1 << 30)],
  ["more room than there is", (own) => own.cabi_realloc(0, 0, 1, -1)],
  ...[0, 1, 99, 1 << 21, 2 ** 31 - 1].flatMap((handle) => [
    ["a handle that never was", (own) => own.apply(handle, 1)],
    ["a handle to call that never was", (own) => own[call](handle, 1)],
    ["a handle to drop that never was", (own) => own.cabi_drop(handle)],
  ]),
  ["a handle that was dropped", (own) => own.apply(dropped(own), 1)],
  ["a handle to call that was dropped", (own) => own[call](dropped(own), 1)],
  ["a handle that is dropped twice", (own) => own.cabi_drop(dropped(own))],
]) {
  fails(what, () => work(instance()), Ended);
}
const own = instance();
check(own.apply(own.adder(40), 2) === 42, "without a lie");

// What calls of `calls.sam` cost in node, or of another module with the same functions: lines of a row and a number.
import { length, echo, sum, numbers } from "./calls.mjs";
import { add } from "./add.mjs";

const bytes = 10 << 20;
const byHand = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 7, 1, 96, 2, 127, 127, 1, 127, 3, 2, 1, 0, 7, 7, 1, 3, 97, 100, 100, 0, 0, 10, 9, 1,
  7, 0, 32, 0, 32, 1, 106, 11,
]);
const other = new WebAssembly.Instance(new WebAssembly.Module(byHand)).exports.add;

function least(rounds, work) {
  let best = Infinity;
  for (let round = 0; round < rounds; round++) {
    const begin = performance.now();
    work();
    best = Math.min(best, performance.now() - begin);
  }
  return best;
}

// Two functions, so that each has a call of its own that the engine makes good.
const own = () => { let n = 0; for (let i = 0; i < 1e6; i++) n = add(n, i); return n; };
const theirs = () => { let n = 0; for (let i = 0; i < 1e6; i++) n = other(n, i); return n; };
least(20, () => { own(); theirs(); });
// In turn, so that both have the same machine.
let one = Infinity, two = Infinity;
for (let round = 0; round < 100; round++) {
  one = Math.min(one, least(1, own));
  two = Math.min(two, least(1, theirs));
}
console.log(`add ${one.toFixed(2)} ns`);
console.log(`÷ by hand ${(one / two).toFixed(2)}`);
// Processor time, with that of the collector: other work stops a call of milliseconds.
function speed(name, work) {
  let best = Infinity;
  for (let round = 0; round < 40; round++) {
    const begin = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(begin);
    best = Math.min(best, user + system);
  }
  console.log(`${name} ${(bytes / best / 1e3).toFixed(2)} GB/s`);
}

const text = "x".repeat(bytes), list = new Int32Array(bytes / 4).map((_, i) => i & 1023);
const umlauts = "grüße, ".repeat(bytes / 9);
speed("length", () => length(text));
speed("length, not ASCII", () => length(umlauts));
speed("echo", () => echo(text));
speed("sum", () => sum(list));
speed("numbers", () => numbers(bytes / 4));

// Short data: what a call costs besides.
function each(name, work) {
  const count = 200000;
  let best = Infinity;
  for (let round = 0; round < 25; round++) {
    const begin = process.cpuUsage();
    for (let at = 0; at < count; at++) work(at);
    const { user, system } = process.cpuUsage(begin);
    best = Math.min(best, user + system);
  }
  console.log(`${name} ${(best / count * 1e3).toFixed(0)} ns`);
}

const word = "Hello, World 123", few = new Int32Array([1, 2, 3, 4, 5, 6, 7, 8]);
each("length of a word", () => length(word));
each("echo of a word", () => echo(word));
each("sum of eight", () => sum(few));
each("eight numbers", () => numbers(8));

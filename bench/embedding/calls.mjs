// What calls of `calls.sam` cost in node, and of `add.sam` beside a function of WebAssembly that was written by hand.
import { length, echo, sum } from "./calls.mjs";
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
const [one, two] = [least(60, own), least(60, theirs)];
console.log(`node: add ${one.toFixed(2)} ns, by hand ${two.toFixed(2)} ns, ÷ ${(one / two).toFixed(2)}`);
const speed = (name, work) => console.log(`node: ${name} ${(bytes / least(15, work) / 1e6).toFixed(2)} GB/s`);
const text = "x".repeat(bytes), list = new Int32Array(bytes / 4).map((_, i) => i & 1023);
speed("length(string)", () => length(text));
speed("echo(string)", () => echo(text));
speed("sum(list<s32>)", () => sum(list));

// What functions as values of `functions.sam` cost in node.
import { adder, times } from "./functions.mjs";

const MANY = 1e5;
function row(name, work) {
  let best = Infinity;
  for (let round = 0; round < 40; round++) {
    const begin = performance.now();
    work();
    best = Math.min(best, performance.now() - begin);
  }
  console.log(`${name} ${(best / MANY * 1e6).toFixed(0)} ns`);
}
const add = adder(1);
row("function", () => { let n = 0; for (let i = 0; i < MANY; i++) n = add(i); return n; });
row("callback", () => times((n) => n + 1, MANY, 0));
row("handle", () => { for (let i = 0; i < MANY; i++) adder(i).drop(); });

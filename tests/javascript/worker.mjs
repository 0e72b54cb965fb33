// Functions of a program that runs in a Worker: in node, and in a page. All of them give promises.
import { ProgramError, add, greet, numbers, sum, turn, fail, terminate } from "./worker/lib.mjs";
const equal = (found, wanted) => {
  const [a, b] = [found, wanted].map((value) => JSON.stringify(value));
  if (a != b) throw new Error(`${a} instead of ${b}`);
};
const rejected = async (promise, kind, message) => {
  const error = await promise.then(() => undefined, (error) => error);
  if (!(error instanceof kind) || !error.message.includes(message)) throw new Error(`${error}, not ${message}`);
};

const waits = add(1, 2);
if (!(waits instanceof Promise)) throw new Error("no promise");
equal(await waits, 3);
equal(await greet("Grüße"), "Hello, Grüße!");
equal(await turn({ tag: "Circle", val: [{ x: 1, label: "c" }, 7] }), { tag: "Circle", val: [{ x: 1, label: "c" }, 8] });
equal(await sum(new Int32Array([1, 2, 3])), 6);
// Many at once, in their order.
const done = [];
await Promise.all(Array.from({ length: 100 }, (_, i) => numbers(i).then((list) => (equal(list.length, i), done.push(i)))));
equal(done, Array.from({ length: 100 }, (_, i) => i));
// This thread goes on while the program computes.
let ticks = 0;
const timer = setInterval(() => ticks++, 1);
for (let i = 0; i < 30; i++) equal((await numbers(100000)).length, 100000);
clearInterval(timer);
if (!ticks) throw new Error("the thread was blocked");
// Errors are those of the functions.
await rejected(fail("told"), ProgramError, "told");
await rejected(greet(5), TypeError, 'greet: argument 1 ("name"): 5 is no string');
await rejected(greet(() => 1), TypeError, "greet: ");
equal(await add(40, 2), 42);
// The end of the Worker is not that of the module.
const long = numbers(1000000), other = add(1, 1);
terminate();
await rejected(long, ProgramError, "The Worker was ended.");
await rejected(other, ProgramError, "The Worker was ended.");
terminate();
equal(await add(40, 2), 42);

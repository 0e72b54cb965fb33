// Components behind the functions of jco, in node: values there and back, functions as resources in both directions.
import assert from "node:assert/strict";

const { add, greet, sum, turn, half, fail } = await import(`${process.argv[2]}/library.js`);
assert.equal(add(2, 40), 42);
assert.equal(greet("grüße \u{1f600}"), "Hello, grüße \u{1f600}!");
assert.equal(sum(new Int32Array(1000).map((_, i) => i)), 499500);
const point = (x, label) => ({ x, label });
assert.deepEqual(turn({ tag: "line", val: [point(1, "a"), point(2, "b")] }), { tag: "line", val: [point(2, "b"), point(1, "a")] });
assert.deepEqual([half(4), half(3)], [2, undefined]);
assert.throws(() => fail("this is wrong"));
// The instance has ended.
assert.throws(() => greet("x"));

const { api } = await import(`${process.argv[2]}/functions.js`);
const { CallbackS32ToS32, CallbackStringListStringToListString } = await import(`${process.argv[2]}/host.mjs`);
const add40 = api.adder(40);
assert.equal(add40.call(2), 42);
assert.equal(api.apply(add40, 1), 41);
assert.equal(api.twice(api.twice(add40)).call(0), 160);
assert.equal(api.named("four").run.call(1), 5);
assert.equal(api.curried(1).call(2).call(3), 123);
const double = new api.FunctionS32ToS32(new CallbackS32ToS32((n) => 2 * n));
assert.equal(api.apply(double, 21), 42);
assert.deepEqual([...api.each(double, [1, 2, 3])], [2, 4, 6]);
const told = new api.FunctionStringListStringToListString(new CallbackStringListStringToListString((text, list) => [...list, text, "é"]));
assert.equal(api.tell(told, "grüße", ["a", ""]), "+a++grüße+é");
double[Symbol.dispose]();
assert.throws(() => api.apply(double, 1));
assert.throws(() => api.apply(3, 1), TypeError);
console.log("ok");

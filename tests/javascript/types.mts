// What TypeScript makes of the declarations of libraries, with all its checks: values of each kind there and back; where
// an error has to be, it is asked for.
import * as lib from "./library.mjs";
import * as functions from "./functions.mjs";

const sum: number = lib.sum([1, 2]) + lib.sum(new Int32Array(2)) + lib.sum([3] as const);
const point: lib.Point = lib.move({ x: sum, label: lib.greet("x") }, 1);
const shape: lib.Shape = lib.turn({ tag: "Line", val: [point, point] });
if (shape.tag == "Line") shape.val[0].label.length;
const colour: lib.Colour = lib.next("Red");
const half: number | undefined = lib.half(4);
try {
  lib.fail("x");
} catch (error) {
  if (error instanceof lib.ProgramError) error.message.length;
}
// @ts-expect-error
lib.greet(5);
// @ts-expect-error
lib.greet();
// @ts-expect-error
lib.next("Black");
// @ts-expect-error
lib.turn({ tag: "Line" });

const add = functions.adder(40);
const n: number = add(2) + functions.apply(add, 1) + functions.apply((m) => m * 2, 3);
const list: number[] = functions.runAll([functions.named("a"), { name: "mine", run: (m) => m }], n);
functions.named("b").run.drop?.();
add.drop();
// @ts-expect-error
functions.apply((text: string) => text, 1);
export { colour, half, list };

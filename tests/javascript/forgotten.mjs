// That a program forgets what it was given: `use` passes it objects that are watched, in 3000 calls, `collect` lets it
// collect its garbage. All but a few of the `wanted` objects die, if the host has a collector that it can call.
import assert from "node:assert/strict";
const tick = () => new Promise((resolve) => setTimeout(resolve));

export async function forgets(wanted, use, collect) {
  if (!globalThis.gc) return;
  let died = 0;
  const registry = new FinalizationRegistry(() => died++);
  const watched = (value) => (registry.register(value), value);
  for (let i = 0; i < 3000; i++) {
    use(watched, i);
    if (i % 1000 == 0) await tick();
  }
  for (let round = 0; round < 100 && died < wanted - 5; round++) {
    collect();
    await tick();
    globalThis.gc();
    await tick();
  }
  assert.ok(died > wanted - 5, `${died} of ${wanted}`);
}

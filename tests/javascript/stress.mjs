// Loaded before another script: instances collect garbage at every so many allocations, and all that is free is
// overwritten; or they get the options that are in a variable.
const stress = `--gc-stress=${process.env.GC_STRESS} --poison`;
const options = new TextEncoder().encode(`CLEAVE_RTS=${process.env.RTS ?? stress}\0`);
const Instance = WebAssembly.Instance;
let asked = 0;
WebAssembly.Instance = class {
  constructor(module, imports) {
    // Functions of numbers alone ask for nothing.
    if (!imports) return new Instance(module);
    let memory;
    const view = () => new DataView(memory.buffer);
    Object.assign(imports.wasi_snapshot_preview1, {
      environ_sizes_get(count, size) {
        view().setUint32(count, 1, true);
        view().setUint32(size, options.length, true);
        return 0;
      },
      environ_get(addresses, text) {
        asked++;
        view().setUint32(addresses, text, true);
        new Uint8Array(memory.buffer, text).set(options);
        return 0;
      },
    });
    const instance = new Instance(module, imports);
    memory = instance.exports.memory;
    return instance;
  }
};
process.on("exit", () => {
  if (!asked && !process.env.RTS) process.exitCode = 3;
});


// Calls by the module of the thread that made this Worker.
const parent = typeof postMessage == "function" ? globalThis : (await import("node:" + "worker_threads")).parentPort;
const answer = async ([number, name, args]) => {
  try {
    parent.postMessage([number, await functions[name](...args)]);
  } catch (error) {
    parent.postMessage([number, undefined, { name: error?.name, message: String(error?.message ?? error) }]);
  }
};
if (parent.on) parent.on("message", answer);
else parent.addEventListener("message", ({ data }) => answer(data));
parent.postMessage([0]);

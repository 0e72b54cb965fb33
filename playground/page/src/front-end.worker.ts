// The worker of front ends: `NAME ir FILE --memory HEAP --message-format json`, whose output is IR.

import { Exit, Files, instantiate } from "../../compiler/src/index.js";

export interface Request {
  id: number;
  module: WebAssembly.Module;
  /** Of the command. */
  name: string;
  main: string;
  files: Record<string, string>;
  memory: string;
}

/** The IR, and what was written to standard error. */
export interface Reply {
  id: number;
  ir: string;
  said: string;
  status: number;
}

function translate({ id, module, name, main, files, memory }: Request): Reply {
  const output = { 1: "", 2: "" };
  const decoders = { 1: new TextDecoder(), 2: new TextDecoder() };
  const args = [name, "ir", main, "--memory", memory, "--message-format", "json"];
  let status = 0;
  try {
    const write = (to: 1 | 2, bytes: Uint8Array) => void (output[to] += decoders[to].decode(bytes, { stream: true }));
    const exports = instantiate(module, { args, files: new Files(files), write });
    (exports._start as () => void)();
  } catch (error) {
    status = error instanceof Exit ? error.status : 101;
    if (!(error instanceof Exit)) output[2] += `\nThe front end failed: ${error}`;
  }
  return { id, ir: output[1], said: output[2], status };
}

self.onmessage = ({ data }: MessageEvent<Request>) => self.postMessage(translate(data));

// The worker of the compiler: one request after the other.

import { Compiler, Files, type Options, type Result } from "../../compiler/src/index.js";

export type Request =
  | { id: number; kind: "compile"; files: Record<string, string>; options: Options }
  | { id: number; kind: "call"; args: string[]; files: Record<string, string> };

export type Reply = { id: number; result: Result | { status: number; stdout: string; stderr: string } };

let compiler: Compiler | undefined;

self.onmessage = ({ data }: MessageEvent<WebAssembly.Module | Request>) => {
  if (data instanceof WebAssembly.Module) {
    compiler = new Compiler(data);
    return;
  }
  if (!compiler) throw new Error("a request before the compiler");
  if (data.kind === "compile") {
    const result = compiler.compile(data.files, data.options);
    self.postMessage({ id: data.id, result } satisfies Reply, { transfer: result.wasm ? [result.wasm.buffer] : [] });
  } else {
    const { status, stdout, stderr } = compiler.call(data.args, filesOf(data.files));
    self.postMessage({ id: data.id, result: { status, stdout, stderr } } satisfies Reply);
  }
};


const filesOf = (files: Record<string, string>) => new Files(files);

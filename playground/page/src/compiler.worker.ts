// The worker of the compiler: one request after the other.

import { Compiler, type About, type Completion, type Hover, type Options, type Place, type Position, type Result } from "../../compiler/src/index.js";

export type Request =
  | { id: number; kind: "about" }
  | { id: number; kind: "compile"; files: Record<string, string>; options: Options }
  | { id: number; kind: "hover" | "completions" | "definition"; files: Record<string, string>; file: string; position: Position }
  | { id: number; kind: "formatted"; files: Record<string, string>; file: string };

type Answer = About | Result | Hover | Completion[] | Place | string | undefined;
export type Reply = { id: number; result: Answer } | { id: number; error: string };

let compiler: Compiler | undefined;

self.onmessage = ({ data }: MessageEvent<WebAssembly.Module | Request>) => {
  if (data instanceof WebAssembly.Module) {
    compiler = new Compiler(data);
    return;
  }
  if (!compiler) throw new Error("a request before the compiler");
  try {
    const result = answer(compiler, data);
    const bytes = typeof result === "object" && "wasm" in result ? result.wasm : undefined;
    self.postMessage({ id: data.id, result } satisfies Reply, { transfer: bytes ? [bytes.buffer] : [] });
  } catch (error) {
    self.postMessage({ id: data.id, error: String(error) } satisfies Reply);
  }
};

function answer(compiler: Compiler, request: Request): Answer {
  if (request.kind === "about") return compiler.about;
  const { kind, files } = request;
  if (kind === "compile") return compiler.compile(files, request.options);
  if (kind === "formatted") return compiler.formatted(files, request.file);
  return compiler[kind](files, request.file, request.position);
}

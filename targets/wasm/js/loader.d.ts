// Declarations of the loader of {{NAME}}, written by Cleave.

/** Text (as UTF-8) or bytes. */
export type Data = string | Uint8Array | ArrayBuffer;

/**
 * Where output goes: into the result, as a string (from UTF-8) or as bytes; to a function, piece by piece; or to a
 * stream, which is closed at the end (a stream of node is not).
 */
export type Sink =
  | "string"
  | "bytes"
  | ((bytes: Uint8Array) => void | Promise<void>)
  | WritableStream<Uint8Array>
  | { write(bytes: Uint8Array, done: () => void): unknown };

export interface Options {
  /** Arguments of the program, the options of the run-time system first. */
  args?: readonly string[];
  /**
   * Standard input: all of it, or pieces of it that are asked for when the program reads. (In browsers only pages that
   * are cross-origin isolated can wait; elsewhere all pieces are read first.)
   */
  stdin?: Data | Iterable<Data> | AsyncIterable<Data> | ReadableStream<string | Uint8Array>;
  /** Standard output; "string" by default. */
  stdout?: Sink;
  /** Standard error; "string" by default. */
  stderr?: Sink;
  /** Environment variables; none by default. CLEAVE_RTS has options of the run-time system, as "--heap=64m". */
  env?: Readonly<Record<string, string>>;
  /** The files that the program finds, by name; they are in memory. */
  files?: Readonly<Record<string, Data>> | ReadonlyMap<string, Data>;
  /**
   * Where the functions are that the program imports (`extern … from "NAME"` of the IR): a JavaScript module for each
   * name, as a URL relative to the loader. A name that is not here is such a URL itself. Calls cannot wait: a function
   * that returns a promise fails.
   */
  modules?: Readonly<Record<string, string>>;
  /** MiB of stack for recursion, 512 by default. Only node lets us choose. */
  stack?: number;
}

/** How the program ended, and what is left. `Out` and `Err` are what the options say. */
export interface Result<Out = string, Err = string> {
  /** The exit status: 0, or 255 after a run-time error, whose message is in `stdout` or `stderr`. */
  status: number;
  stdout: Out;
  stderr: Err;
  /** The files that the program has written or created, by name. */
  files: Record<string, Uint8Array>;
}

/** What the result holds for an option. */
export type Kept<S> = S extends "bytes" ? Uint8Array : S extends "string" | undefined ? string : undefined;

/**
 * Runs the program once. Run-time errors are no exceptions: they end with a status and a message. The promise is
 * rejected if the program cannot be loaded, or if a stream or function that was given fails.
 */
export function run<const O extends Options>(options?: O): Promise<
  Result<Kept<O extends { stdout: infer S } ? S : undefined>, Kept<O extends { stderr: infer S } ? S : undefined>>
>;

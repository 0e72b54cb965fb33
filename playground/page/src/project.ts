// What the visitor works on: files, flags, input. It is kept between visits, and it fits into the address of a link.

export interface Project {
  /** By name; binary files do not occur. */
  files: Record<string, string>;
  /** The file that is compiled. */
  main: string;
  /** Flags of `cleave build`. */
  flags: string;
  /** Standard input and arguments of the program. */
  input: string;
  args: string;
}

export const EMPTY: Project = { files: { "main.goo": "" }, main: "main.goo", flags: "", input: "", args: "" };

/** Endings of main modules; languages beside the page add theirs. */
export const MAIN_ENDINGS = new Set(["goo", "sam", "abc", "ir"]);

/** A file that may be the main module of a program. */
export const isMain = (name: string, text: string): boolean =>
  MAIN_ENDINGS.has(name.slice(name.lastIndexOf(".") + 1)) || (name.endsWith(".icl") && /^\s*module\s/m.test(text));

const KEY = "cleave.project";

/** A project of unknown data, if it is one. */
export function checked(data: unknown): Project | undefined {
  if (typeof data !== "object" || data === null) return undefined;
  const { files, main, flags = "", input = "", args = "" } = data as Record<string, unknown>;
  if (typeof files !== "object" || files === null || typeof main !== "string") return undefined;
  const entries = Object.entries(files);
  if (!entries.every(([name, text]) => name !== "" && typeof text === "string")) return undefined;
  if (!entries.some(([name]) => name === main)) return undefined;
  if (typeof flags !== "string" || typeof input !== "string" || typeof args !== "string") return undefined;
  return { files: Object.fromEntries(entries) as Record<string, string>, main, flags, input, args };
}

export function save(project: Project): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(project));
  } catch {
    // Too large, or not allowed: then the next visit begins anew.
  }
}

export function saved(): Project | undefined {
  try {
    return checked(JSON.parse(localStorage.getItem(KEY) ?? ""));
  } catch {
    return undefined;
  }
}

/** Bytes through a stream that compresses or expands; damaged ones are an error. */
async function through(bytes: Uint8Array<ArrayBuffer>, stream: GenericTransformStream): Promise<Uint8Array<ArrayBuffer>> {
  const writer = (stream.writable as WritableStream<Uint8Array>).getWriter();
  // What goes wrong here goes wrong with the reader, too.
  const written = Promise.allSettled([writer.write(bytes), writer.close()]);
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const reader = (stream.readable as ReadableStream<Uint8Array<ArrayBuffer>>).getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) parts.push(part.value);
  await written;
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** A project as letters for an address: compressed JSON, in the alphabet of base64 for addresses. */
export async function encoded(project: Project): Promise<string> {
  const bytes = await through(new TextEncoder().encode(JSON.stringify(project)), new CompressionStream("deflate-raw"));
  let letters = "";
  for (const byte of bytes) letters += String.fromCharCode(byte);
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The project of an address; nothing if it is damaged. */
export async function decoded(letters: string): Promise<Project | undefined> {
  try {
    const plain = atob(letters.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
    const json = new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw")));
    return checked(JSON.parse(json));
  } catch {
    return undefined;
  }
}

/** The flags that say where modules are. */
export const searchFlags = (given: readonly string[]): string[] => given.filter((flag, index) => flag === "-L" || given[index - 1] === "-L");

/** The words of a command line: blanks part them, quotes keep them together. */
export function words(text: string): string[] {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, double, single, plain]) => double ?? single ?? plain!);
}

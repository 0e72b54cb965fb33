// WASI preview 1 over files in memory: the world of the compiler and of the programs that it makes.
//
// Paths are absolute after `normal`. A folder is there if it was made, or if a file lies below it. Times are zero, so
// that no file is newer than another. Calls that are not here answer ENOSYS.

/** Text (as UTF-8) or bytes. */
export type Data = string | Uint8Array;

/** What a module that runs under WASI is given. */
export interface World {
  args: readonly string[];
  env?: Readonly<Record<string, string>>;
  files: Files;
  /** Fills the buffer and returns how much it filled; 0 is the end. */
  read?: (to: Uint8Array) => number;
  /** Takes output of descriptor 1 or 2. The bytes are valid during the call. */
  write: (descriptor: 1 | 2, bytes: Uint8Array) => void;
}

/** The end of a module by `proc_exit`. */
export class Exit extends Error {
  constructor(readonly status: number) {
    super(`exit with status ${status}`);
  }
}

const enum Errno {
  Badf = 8,
  Exist = 20,
  Inval = 28,
  IsDir = 31,
  NoEnt = 44,
  NoSys = 52,
  NotDir = 54,
  NotEmpty = 55,
  Pipe = 70,
}

class Failure extends Error {
  constructor(readonly errno: Errno) {
    super();
  }
}

const fail = (errno: Errno): never => {
  throw new Failure(errno);
};

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Bytes of data. */
export const bytesOf = (data: Data): Uint8Array => (typeof data === "string" ? encoder.encode(data) : data);

/** An absolute path without `.`, `..` and double slashes. */
export function normal(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part && part !== ".") parts.push(part);
  }
  return "/" + parts.join("/");
}

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf("/")) || "/";

/** Contents that grow by doubling. */
interface File {
  content: Uint8Array;
  used: number;
}

/** Files in memory. */
export class Files {
  private files = new Map<string, File>();
  private folders = new Set<string>(["/"]);

  constructor(initial: Readonly<Record<string, Data>> = {}) {
    for (const [path, data] of Object.entries(initial)) this.put(path, data);
  }

  put(path: string, data: Data): void {
    const content = bytesOf(data);
    const name = normal(path);
    this.files.set(name, { content, used: content.length });
    for (let folder = parentOf(name); !this.folders.has(folder); folder = parentOf(folder)) this.folders.add(folder);
  }

  get(path: string): Uint8Array | undefined {
    const file = this.files.get(normal(path));
    return file && file.content.subarray(0, file.used);
  }

  text(path: string): string | undefined {
    const bytes = this.get(path);
    return bytes && decoder.decode(bytes);
  }

  /** Names of all files. */
  names(): string[] {
    return [...this.files.keys()];
  }

  isFolder(path: string): boolean {
    return this.folders.has(path);
  }

  open(path: string): File | undefined {
    return this.files.get(path);
  }

  create(path: string): File {
    if (!this.folders.has(parentOf(path))) fail(Errno.NoEnt);
    const file = { content: new Uint8Array(), used: 0 };
    this.files.set(path, file);
    return file;
  }

  makeFolder(path: string): void {
    if (this.folders.has(path) || this.files.has(path)) fail(Errno.Exist);
    if (!this.folders.has(parentOf(path))) fail(Errno.NoEnt);
    this.folders.add(path);
  }

  remove(path: string): void {
    if (!this.files.delete(path)) fail(this.folders.has(path) ? Errno.IsDir : Errno.NoEnt);
  }

  removeFolder(path: string): void {
    if (!this.folders.has(path)) fail(this.files.has(path) ? Errno.NotDir : Errno.NoEnt);
    if (this.list(path).length > 0) fail(Errno.NotEmpty);
    this.folders.delete(path);
  }

  rename(from: string, to: string): void {
    const file = this.files.get(from) ?? fail(Errno.NoEnt);
    if (!this.folders.has(parentOf(to))) fail(Errno.NoEnt);
    this.files.delete(from);
    this.files.set(to, file);
  }

  /** Names in a folder, in their order. */
  list(path: string): string[] {
    const start = path === "/" ? "/" : path + "/";
    const names = [...this.files.keys(), ...this.folders];
    const inside = names.filter((name) => name.length > start.length && name.startsWith(start));
    return inside.map((name) => name.slice(start.length)).filter((name) => !name.includes("/")).sort();
  }
}

/** An open file, a folder, or a channel. */
type Open =
  | { kind: "channel"; number: 0 | 1 | 2 }
  | { kind: "folder"; path: string; names?: string[] }
  | { kind: "file"; file: File; position: number; append: boolean };

/** A program asks whether any status will do by a write to this number, which nobody opens: rt/abi/layout.rs. */
const ANY_STATUS = 0x434c_4556;
const FOLDER = 3;
const REGULAR = 4;
const CHARACTER_DEVICE = 2;

function fileRead(open: Open & { kind: "file" }, to: Uint8Array): number {
  const part = open.file.content.subarray(open.position, Math.min(open.position + to.length, open.file.used));
  to.set(part);
  open.position += part.length;
  return part.length;
}

function fileWrite(open: Open & { kind: "file" }, from: Uint8Array): number {
  const { file } = open;
  if (open.append) open.position = file.used;
  const end = open.position + from.length;
  if (end > file.content.length) {
    const larger = new Uint8Array(Math.max(2 * file.content.length, end));
    larger.set(file.content.subarray(0, file.used));
    file.content = larger;
  }
  file.content.fill(0, Math.min(file.used, open.position), open.position);
  file.content.set(from, open.position);
  open.position = end;
  file.used = Math.max(file.used, end);
  return from.length;
}

/** The imports of a module. `memory` is asked for at each call, for memories grow and move. */
export function imports(world: World, memory: () => WebAssembly.Memory): WebAssembly.ModuleImports {
  const { files } = world;
  const table: (Open | undefined)[] = [
    { kind: "channel", number: 0 },
    { kind: "channel", number: 1 },
    { kind: "channel", number: 2 },
    { kind: "folder", path: "/" },
  ];
  const args = world.args.map((text) => encoder.encode(text + "\0"));
  const env = Object.entries(world.env ?? {}).map(([name, value]) => encoder.encode(`${name}=${value}\0`));

  const view = () => new DataView(memory().buffer);
  const bytes = (at: number, length: number) => new Uint8Array(memory().buffer, at >>> 0, length >>> 0);
  const word = (at: number, value: number) => view().setUint32(at >>> 0, value, true);
  const long = (at: number, value: number | bigint) => view().setBigUint64(at >>> 0, BigInt(value), true);
  const opened = (descriptor: number): Open => table[descriptor] ?? fail(Errno.Badf);
  const pathOf = (descriptor: number, at: number, length: number): string => {
    const folder = opened(descriptor);
    if (folder.kind !== "folder") return fail(Errno.NotDir);
    return normal(folder.path + "/" + decoder.decode(bytes(at, length).slice()));
  };
  const sizes = (list: Uint8Array[]) => (count: number, size: number) => {
    word(count, list.length);
    word(size, list.reduce((sum, text) => sum + text.length, 0));
  };
  const strings = (list: Uint8Array[]) => (pointers: number, at: number) => {
    for (const text of list) {
      word(pointers, at);
      bytes(at, text.length).set(text);
      pointers += 4;
      at += text.length;
    }
  };
  const record = (at: number, kind: number, size: number) => {
    bytes(at, 64).fill(0);
    view().setUint8((at >>> 0) + 16, kind);
    long(at + 24, 1);
    long(at + 32, size);
  };
  // The kind of WASI, and the size.
  const find = (path: string): [number, number] => {
    const file = files.open(path);
    if (file) return [REGULAR, file.used];
    return files.isFolder(path) ? [FOLDER, 0] : fail(Errno.NoEnt);
  };
  const transfer = (move: (open: Open, piece: Uint8Array) => number) =>
    (descriptor: number, pieces: number, count: number, result: number) => {
      const open = opened(descriptor);
      let sum = 0;
      for (let piece = 0; piece < count; piece++) {
        const at = view().getUint32((pieces >>> 0) + 8 * piece, true);
        const length = view().getUint32((pieces >>> 0) + 8 * piece + 4, true);
        const done = length > 0 ? move(open, bytes(at, length)) : 0;
        sum += done;
        if (done < length) break;
      }
      word(result, sum);
    };

  const write = transfer((open, from) => {
    if (open.kind === "file") return fileWrite(open, from);
    if (open.kind === "folder" || open.number === 0) return fail(Errno.Badf);
    world.write(open.number, from);
    return from.length;
  });

  const calls: Record<string, (...values: number[]) => void> = {
    args_sizes_get: sizes(args),
    args_get: strings(args),
    environ_sizes_get: sizes(env),
    environ_get: strings(env),
    clock_time_get: (clock, _precision, at) =>
      long(at!, BigInt(Math.round((clock ? performance.now() : Date.now()) * 1e6))),
    clock_res_get: (_, at) => long(at!, 1000),
    random_get: (at, length) => {
      // The system gives 65,536 bytes at a time.
      for (let start = 0; start < length!; start += 65536) {
        const random = new Uint8Array(Math.min(65536, length! - start));
        bytes(at! + start, random.length).set(crypto.getRandomValues(random));
      }
    },
    sched_yield: () => {},
    proc_exit: (status) => {
      throw new Exit(status!);
    },
    fd_read: transfer((open, to) => {
      if (open.kind === "file") return fileRead(open, to);
      return open.kind === "channel" && open.number === 0 ? (world.read?.(to) ?? 0) : fail(Errno.Badf);
    }),
    fd_write: (descriptor, ...rest) => {
      if (descriptor !== ANY_STATUS) write(descriptor!, ...(rest as [number, number, number]));
    },
    fd_close: (descriptor) => {
      opened(descriptor!);
      table[descriptor!] = undefined;
    },
    fd_fdstat_get: (descriptor, at) => {
      const open = opened(descriptor!);
      const kind = open.kind === "folder" ? FOLDER : open.kind === "file" ? REGULAR : CHARACTER_DEVICE;
      // All rights; but who may seek in a channel takes it for a file.
      bytes(at!, 24).fill(open.kind === "channel" ? 0 : 255);
      word(at!, kind);
    },
    fd_fdstat_set_flags: () => {},
    fd_filestat_get: (descriptor, at) => {
      const open = opened(descriptor!);
      if (open.kind === "file") record(at!, REGULAR, open.file.used);
      else record(at!, open.kind === "folder" ? FOLDER : CHARACTER_DEVICE, 0);
    },
    fd_prestat_get: (descriptor, at) => {
      if (descriptor !== 3) fail(Errno.Badf);
      word(at!, 0);
      word(at! + 4, 1);
    },
    fd_prestat_dir_name: (_, at) => bytes(at!, 1).set(encoder.encode("/")),
    fd_readdir: (descriptor, at, room, cookie, result) => {
      const open = opened(descriptor!);
      if (open.kind !== "folder") return fail(Errno.NotDir);
      open.names ??= [".", "..", ...files.list(open.path)];
      let used = 0;
      for (let index = Number(cookie); index < open.names.length && used < room!; index++) {
        const name = encoder.encode(open.names[index]);
        const entry = new Uint8Array(24 + name.length);
        const fields = new DataView(entry.buffer);
        fields.setBigUint64(0, BigInt(index + 1), true);
        fields.setUint32(16, name.length, true);
        const path = normal(open.path + "/" + open.names[index]);
        fields.setUint8(20, files.isFolder(path) ? FOLDER : REGULAR);
        entry.set(name, 24);
        const part = entry.subarray(0, room! - used);
        bytes(at! + used, part.length).set(part);
        used += part.length;
      }
      word(result!, used);
    },
    fd_seek: (descriptor, offset, whence, result) => {
      const open = opened(descriptor!);
      if (open.kind !== "file") return fail(Errno.Pipe);
      const position = [0, open.position, open.file.used][whence!]! + Number(offset);
      if (position < 0) fail(Errno.Inval);
      open.position = position;
      long(result!, position);
    },
    path_open: (descriptor, _lookup, at, length, creation, _rights, _inherited, flags, result) => {
      const path = pathOf(descriptor!, at!, length!);
      let entry: Open;
      if (files.isFolder(path)) {
        if (creation! & 13) fail(Errno.IsDir);
        entry = { kind: "folder", path };
      } else {
        let file = files.open(path);
        if (creation! & 2) fail(file ? Errno.NotDir : Errno.NoEnt);
        if (file && creation! & 4) fail(Errno.Exist);
        if (!file) file = creation! & 1 ? files.create(path) : fail(Errno.NoEnt);
        if (creation! & 8) {
          file.content = new Uint8Array();
          file.used = 0;
        }
        entry = { kind: "file", file, position: 0, append: (flags! & 1) !== 0 };
      }
      let place = 4;
      while (table[place]) place++;
      table[place] = entry;
      word(result!, place);
    },
    path_filestat_get: (descriptor, _lookup, at, length, result) =>
      record(result!, ...find(pathOf(descriptor!, at!, length!))),
    path_readlink: (descriptor, at, length) => {
      find(pathOf(descriptor!, at!, length!));
      fail(Errno.Inval);
    },
    path_create_directory: (descriptor, at, length) => files.makeFolder(pathOf(descriptor!, at!, length!)),
    path_remove_directory: (descriptor, at, length) => files.removeFolder(pathOf(descriptor!, at!, length!)),
    path_unlink_file: (descriptor, at, length) => files.remove(pathOf(descriptor!, at!, length!)),
    path_rename: (descriptor, at, length, other, to, size) =>
      files.rename(pathOf(descriptor!, at!, length!), pathOf(other!, to!, size!)),
  };

  return new Proxy({}, {
    get: (_, name) => (...values: number[]) => {
      const call = calls[name as string];
      if (!call) return Errno.NoSys;
      try {
        call(...values);
        return 0;
      } catch (error) {
        if (error instanceof Failure) return error.errno;
        throw error;
      }
    },
  });
}

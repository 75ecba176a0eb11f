/**
 * Media to read: a public https:// URL, `task:<task_id>`, `upload:<upload_id>`, or a file, which is uploaded first.
 * Text is never taken for a path: a request that comes from elsewhere cannot name files of your machine.
 */
export type Source = string | Blob | LocalFile;

/** What is sent of a Blob or a file. */
export interface Content {
  size: number;
  type: string;
  slice(from: number, to: number): Blob | Promise<Blob>;
}

/** A file on disk, made by `localFile()`. */
export class LocalFile {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** Opens the file without reading it: only the parts that are being sent are in memory. */
  async open(): Promise<Content & { name: string }> {
    const fs = builtin<typeof import('node:fs')>('node:fs');
    const [blob, { size }] = await Promise.all([fs.openAsBlob(this.path), fs.promises.stat(this.path)]);
    const name = this.path.split(/[\\/]/).at(-1) ?? this.path;
    const { type } = blob;
    // Node counts the size of such a Blob in 32 bits: 5 GB become 705 MB.
    const slice = (from: number, to: number) =>
      blob.size === size ? blob.slice(from, to) : readSpan(this.path, from, to);
    return { name, type, size, slice };
  }
}

/** @throws Error if the file has become shorter */
async function readSpan(path: string, from: number, to: number): Promise<Blob> {
  const fs = builtin<typeof import('node:fs')>('node:fs');
  const bytes = new Uint8Array(to - from);
  const handle = await fs.promises.open(path);
  try {
    for (let at = 0; at < bytes.length; ) {
      const { bytesRead } = await handle.read(bytes, at, bytes.length - at, from + at);
      if (bytesRead === 0) throw new Error(`${path} has become shorter while it was sent.`);
      at += bytesRead;
    }
  } finally {
    await handle.close();
  }
  return new Blob([bytes]);
}

/** A file on disk as a source (Node, Deno and Bun). */
export const localFile = (path: string): LocalFile => new LocalFile(path);

interface Runtime {
  env?: Record<string, string | undefined>;
  getBuiltinModule?: (name: string) => unknown;
}

export const runtime = (): Runtime | undefined => (globalThis as { process?: Runtime }).process;

/** A module of Node. Bundlers for browsers do not see it, so they need no setting for it. */
export function builtin<Module>(name: string): Module {
  const loaded = runtime()?.getBuiltinModule?.(name);
  if (!loaded) throw new Error(`Files on disk need Node 20.16 or newer, Deno or Bun: ${name} is missing.`);
  return loaded as Module;
}

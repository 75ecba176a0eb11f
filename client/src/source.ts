/**
 * Media to read: a public https:// URL, `task:<task_id>`, `upload:<upload_id>`, or a file, which is uploaded first.
 * Text is never taken for a path: a request that comes from elsewhere cannot name files of your machine.
 */
export type Source = string | Blob | LocalFile;

/** A file on disk, made by `localFile()`. */
export class LocalFile {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** Opens the file without reading it: only the parts that are being sent are in memory. */
  async open(): Promise<{ blob: Blob; name: string }> {
    const fs = builtin<typeof import('node:fs')>('node:fs');
    return { blob: await fs.openAsBlob(this.path), name: this.path.split(/[\\/]/).at(-1) ?? this.path };
  }
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

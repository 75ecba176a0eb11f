import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Model, ModelFile } from './models.ts';

interface FetchOptions {
  modelsDir: string;
  /** Base URL of the operator's mirror, laid out like MODELS_DIR. Empty means the URLs in the manifest. */
  mirror: string;
  allowNonCommercial: boolean;
  onFile: (text: string) => void;
}

/**
 * Downloads the missing files of a model. Each file gets its final name only after its length and hash are checked.
 * Errors say what the operator can do.
 */
export async function fetchModel(model: Model, options: FetchOptions): Promise<void> {
  if (!model.license.commercial && !options.allowNonCommercial) {
    const { spdx } = model.license;
    throw new Error(
      `${model.id} is licensed for non-commercial use only (${spdx}); set ALLOW_NC_MODELS=1 if your use is non-commercial`,
    );
  }
  for (const file of model.files) {
    const path = join(options.modelsDir, model.dir, file.path);
    if ((await problemOf(path, file)) === null) {
      options.onFile(`${model.dir}/${file.path} is there`);
      continue;
    }
    await download(addressOf(model, file, options.mirror), path, file);
    options.onFile(`${model.dir}/${file.path} (${(file.bytes / 1e6).toFixed(1)} MB)`);
  }
}

/** @returns why a file is not the one in the manifest, in words, or null if it is. Reads the whole file. */
export async function problemOf(path: string, { bytes, sha256 }: ModelFile): Promise<string | null> {
  try {
    const { size } = await stat(path);
    if (size !== bytes) return `has ${size} bytes, not ${bytes}`;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'is not there';
    throw error;
  }
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  const found = hash.digest('hex');
  return found === sha256 ? null : `has the hash ${found}, not ${sha256}`;
}

function addressOf(model: Model, file: ModelFile, mirror: string): string {
  const address = mirror === '' ? file.url : `${mirror.replace(/\/$/, '')}/${model.dir}/${file.path}`;
  if (!address.startsWith('https://')) throw new Error(`${address} is not https`);
  return address;
}

async function download(address: string, path: string, file: ModelFile): Promise<void> {
  const response = await fetch(address);
  if (!response.ok || !response.body) throw new Error(`${address} answered ${response.status}`);
  if (!response.url.startsWith('https://')) throw new Error(`${address} redirects to ${response.url}`);
  const part = `${path}.part`;
  await mkdir(dirname(path), { recursive: true });
  try {
    let size = 0;
    const bounded = async function* (chunks: AsyncIterable<Uint8Array>) {
      for await (const chunk of chunks) {
        size += chunk.length;
        if (size > file.bytes) throw new Error(`${address} is longer than ${file.bytes} bytes`);
        yield chunk;
      }
    };
    await pipeline(Readable.from(response.body), bounded, createWriteStream(part, { mode: 0o644 }));
    const problem = await problemOf(part, file);
    if (problem !== null) throw new Error(`${address} ${problem}`);
    await rename(part, path);
  } finally {
    await rm(part, { force: true });
  }
}

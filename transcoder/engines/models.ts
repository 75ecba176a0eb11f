import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { engineIds } from '../../schema/media/engines.ts';
import manifestJson from './models.json' with { type: 'json' };

const relativePath = z.string().regex(/^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/);

const modelFile = z.strictObject({
  role: z.string(),
  path: relativePath,
  /** Pinned to a commit if the host has commits. */
  url: z.url({ protocol: /^https$/ }),
  bytes: z.number().int().positive(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
export type ModelFile = z.output<typeof modelFile>;

const model = z.strictObject({
  id: z.string(),
  engine: z.enum(engineIds),
  /** The download set it belongs to. */
  set: z.enum(['captions', 'captions-en', 'lite', 'tts', 'voice', 'stems', 'photo', 'speakers']),
  /** Relative to MODELS_DIR. */
  dir: relativePath,
  license: z.strictObject({ spdx: z.string(), attribution: z.string(), commercial: z.boolean() }),
  /** Approximate memory use while loaded. */
  memory_mb: z.number().int().positive(),
  files: z.array(modelFile).min(1),
});
export type Model = z.output<typeof model>;

export const modelManifest = z.strictObject({
  /** Whether a download has confirmed these hashes; otherwise they are copied from other projects. */
  hashes_verified: z.boolean(),
  models: z.array(model),
});
export type ModelManifest = z.output<typeof modelManifest>;

export const manifest: ModelManifest = modelManifest.parse(manifestJson);

/** Paths of a model's files by role. */
export function modelPaths(modelsDir: string, { dir, files }: Model): Record<string, string> {
  return Object.fromEntries(files.map(({ role, path }) => [role, join(modelsDir, dir, path)]));
}

/** @returns which file of a model is missing, in words, or null if every file has its full length. */
export async function whatIsMissing(modelsDir: string, { dir, files }: Model): Promise<string | null> {
  for (const { path, bytes } of files) {
    const size = await sizeOf(join(modelsDir, dir, path));
    if (size === null) return `${dir}/${path} is not there`;
    if (size !== bytes) return `${dir}/${path} has ${size} bytes, not ${bytes}`;
  }
  return null;
}

async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}

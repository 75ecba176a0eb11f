import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { main } from 'assemblyscript/asc';
import { root } from './lib/paths.mjs';

/** WebAssembly and its source. It is committed: neither the image nor a set-up needs the compiler. */
export const assembled = {
  'transcoder/media/photo/plane.wasm': 'transcoder/media/photo/assembly/plane.ts',
};

const FLAGS = ['--runtime', 'stub', '--enable', 'simd,relaxed-simd', '--importMemory', '--noAssert', '-O3'];

/** Compiles AssemblyScript. Throws with the messages of its compiler. */
export async function assemble(source: string): Promise<Buffer> {
  const directory = await mkdtemp(join(tmpdir(), 'spool-assembly-'));
  try {
    const made = join(directory, 'made.wasm');
    const { error, stderr } = await main([join(root, source), '--outFile', made, ...FLAGS]);
    if (error) throw new Error(stderr.toString(), { cause: error });
    return await readFile(made);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

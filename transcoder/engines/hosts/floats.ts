import { readFile, writeFile } from 'node:fs/promises';

/** Reads a file of little-endian 32-bit floats, the native order of every machine we support. */
export async function readFloats(file: string): Promise<Float32Array<ArrayBuffer>> {
  const bytes = await readFile(file);
  const floats = new Float32Array(Math.floor(bytes.length / 4));
  new Uint8Array(floats.buffer).set(bytes.subarray(0, floats.byteLength));
  return floats;
}

export function writeFloats(file: string, floats: Float32Array): Promise<void> {
  return writeFile(file, new Uint8Array(floats.buffer, floats.byteOffset, floats.byteLength));
}

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

/** Silences what is no number or infinite, as damaged files of floats have it: in a spectrum, one sample would spoil all. */
export function silenceNonNumbers(samples: Float32Array): void {
  for (let at = 0; at < samples.length; at++) if (!Number.isFinite(samples[at])) samples[at] = 0;
}

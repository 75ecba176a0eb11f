import { type FileHandle, open } from 'node:fs/promises';

const CHUNK = 1 << 18;
const BYTES = 4;
/** Node's process aborts where a single read or write has 2 GiB or more. */
const MOST_AT_ONCE = 1 << 30;

/** Passes a file of floats to `work` in chunks, each with its offset. */
export async function through(
  path: string,
  work: (samples: Float32Array, at: number, file: FileHandle) => void | Promise<void>,
): Promise<void> {
  const file = await open(path, 'r+');
  try {
    for (let at = 0; ; ) {
      const samples = new Float32Array(CHUNK);
      const { bytesRead } = await file.read(
        new Uint8Array(samples.buffer),
        0,
        samples.byteLength,
        at * BYTES,
      );
      if (bytesRead === 0) return;
      const read = samples.subarray(0, bytesRead / BYTES);
      await work(read, at, file);
      at += read.length;
    }
  } finally {
    await file.close();
  }
}

/** Applies a gain to a file of floats. */
export function multiply(path: string, gain: number): Promise<void> {
  return through(path, async (samples, at, file) => {
    await writeAt(
      file,
      samples.map((value) => value * gain),
      at,
    );
  });
}

/** Samples from an offset, in samples; zeros behind the end of the file. */
export async function readAt(path: string, at: number, samples: number): Promise<Float32Array<ArrayBuffer>> {
  const result = new Float32Array(samples);
  const file = await open(path);
  try {
    const bytes = new Uint8Array(result.buffer);
    for (let done = 0; done < bytes.length; ) {
      const wanted = Math.min(bytes.length - done, MOST_AT_ONCE);
      const { bytesRead } = await file.read(bytes, done, wanted, at * BYTES + done);
      if (bytesRead === 0) break;
      done += bytesRead;
    }
  } finally {
    await file.close();
  }
  return result;
}

/** @param at Offset in samples. */
export async function writeAt(file: FileHandle, samples: Float32Array, at: number): Promise<void> {
  const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
  for (let done = 0; done < bytes.length; ) {
    const wanted = Math.min(bytes.length - done, MOST_AT_ONCE);
    done += (await file.write(bytes, done, wanted, at * BYTES + done)).bytesWritten;
  }
}

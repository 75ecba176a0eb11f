import type { Sink } from './mp3-file.ts';

/** Keeps the parts as blobs, which browsers move to disk when they are many. */
export async function blobSink(): Promise<Sink> {
  const parts: Blob[] = [];
  return {
    async append(bytes) {
      parts.push(new Blob([bytes]));
    },
    finish: async (head) => new Blob([head, ...parts], { type: 'audio/mpeg' }),
  };
}

/** Writes to a file that the person chose. It appears under its name when it is complete. */
export async function diskSink(handle: FileSystemFileHandle, headBytes: number): Promise<Sink> {
  const stream = await handle.createWritable();
  let position = headBytes;
  return {
    async append(data) {
      await stream.write({ type: 'write', position, data });
      position += data.byteLength;
    },
    async finish(data) {
      await stream.write({ type: 'write', position: 0, data });
      await stream.close();
      return null;
    },
  };
}

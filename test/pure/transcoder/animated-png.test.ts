import { describe, expect, test } from 'vitest';
import { demuxerIn } from '../../../schema/media/sniff/demuxer-of.ts';

const chunk = (type: string, length: number) => {
  const bytes = Buffer.alloc(12 + length);
  bytes.writeUInt32BE(length);
  bytes.write(type, 4, 'latin1');
  return bytes;
};
const png = (...chunks: Buffer[]) =>
  Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), chunk('IHDR', 13), ...chunks]);

/** The demuxer for a file, and how many bytes were read to know it. */
async function found(file: Buffer) {
  let bytes = 0;
  let reads = 0;
  const demuxer = await demuxerIn(async (at, length) => {
    const read = file.subarray(at, at + length);
    bytes += read.length;
    reads++;
    return read;
  });
  return { demuxer, bytes, reads };
}

describe('a PNG is animated if its control chunk precedes the image data', () => {
  test.each([
    ['at its start', [chunk('acTL', 8), chunk('IDAT', 9000)]],
    ['behind a long text', [chunk('iTXt', 5000), chunk('acTL', 8), chunk('IDAT', 9)]],
    ['behind a profile and metadata', [chunk('iCCP', 300_000), chunk('eXIf', 60_000), chunk('acTL', 8)]],
    ['whose type the first bytes cut off', [chunk('iTXt', 4096 - 8 - 25 - 12 - 6), chunk('acTL', 8)]],
  ])('%s', async (_, chunks) => {
    expect((await found(png(...chunks))).demuxer).toBe('apng');
  });

  test.each([
    ['without one', [chunk('iTXt', 5000), chunk('IDAT', 9)]],
    ['with one behind the image data', [chunk('iTXt', 5000), chunk('IDAT', 9), chunk('acTL', 8)]],
    ['that ends early', [chunk('iTXt', 5000)]],
    ['that ends within a chunk', [chunk('iTXt', 5000).subarray(0, 4500)]],
  ])('not one %s', async (_, chunks) => {
    expect((await found(png(...chunks))).demuxer).toBe('png_pipe');
  });

  test('and of one with endless chunks little is read', async () => {
    const { demuxer, bytes, reads } = await found(
      png(...Array.from({ length: 20_000 }, () => chunk('tEXt', 4))),
    );
    expect(demuxer).toBe('png_pipe');
    expect(bytes).toBeLessThan(6000);
    expect(reads).toBeLessThan(80);
  });
});

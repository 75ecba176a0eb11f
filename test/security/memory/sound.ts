import { chunk, u16le, u32, u32le, withU32 } from '../bytes.ts';
import { bomb, damaged, done, MB, type Rows, times, tooLarge } from './row.ts';
import { seed, textPng } from './seeds.ts';

const synchsafe = (size: number) => Buffer.from([21, 14, 7, 0].map((shift) => (size >> shift) & 0x7f));
const id3 = (...frames: Buffer[]) => {
  const all = Buffer.concat(frames);
  return Buffer.concat([Buffer.from('ID3\x04\0\0', 'latin1'), synchsafe(all.length), all, seed('seed.mp3')]);
};
const id3Frame = (type: string, content: Buffer, flags = 0) =>
  Buffer.concat([Buffer.from(type), synchsafe(content.length), Buffer.from([0, flags]), content]);
const cover = (picture: Buffer) =>
  id3Frame('APIC', Buffer.concat([Buffer.from('\0image/png\0\x03\0', 'latin1'), picture]));
/** A frame that is compressed, with the length that it inflates to before it. */
const packedText = (bytes: number) =>
  id3Frame('TXXX', Buffer.concat([synchsafe(bytes), bomb(bytes)]), 0b1001);
const flac = (picture: Buffer) => {
  const info = Buffer.from(
    '1000100000000000000003e800f0000000000000000000000000000000000000'.padEnd(68, '0'),
    'hex',
  );
  const art = Buffer.concat([
    u32(3),
    u32(9),
    Buffer.from('image/png'),
    u32(0),
    u32(8),
    u32(8),
    u32(24),
    u32(0),
    u32(picture.length),
    picture,
  ]);
  const block = (type: number, content: Buffer) =>
    Buffer.concat([withU32(Buffer.alloc(4), 0, content.length).fill(type, 0, 1), content]);
  return Buffer.concat([
    Buffer.from('fLaC'),
    block(0, info.subarray(0, 34)),
    block(0x86, art),
    Buffer.alloc(4000),
  ]);
};

/** Sound that is small and asks for memory. */
export const soundRows: Rows = {
  'an mp3 whose cover is a PNG of 1 GB of texts': [
    () => id3(cover(textPng())),
    ['probe', 'mp3'],
    [...done, ...tooLarge, 'out_of_memory'],
    3000,
  ],
  'an mp3 of 10 000 texts': [
    () => id3(times(10_000, (index) => id3Frame('TXXX', Buffer.from(`\x03k${index}\0v`)))),
    ['probe'],
    done,
    600,
  ],
  'an mp3 whose texts inflate to 300 MB': [
    () => {
      const text = packedText(60 * MB);
      return id3(times(5, () => text));
    },
    ['probe', 'mp3'],
    [...done, ...tooLarge, 'out_of_memory'],
    900,
  ],
  'a FLAC whose cover is a PNG of 1 GB of texts': [
    () => flac(textPng()),
    ['probe'],
    [...damaged, ...tooLarge],
    3000,
  ],
  'a WAV with 100 000 texts': [
    () =>
      chunk(
        'RIFF',
        ...[Buffer.from('WAVE'), chunk('fmt ', u16le(1, 1), u32le(8000, 16_000), u16le(2, 16))],
        chunk(
          'LIST',
          Buffer.from('INFO'),
          times(100_000, () => chunk('INAM', Buffer.from('text'))),
        ),
        chunk('data', Buffer.alloc(20_000, 3)),
      ),
    ['probe'],
    done,
    600,
  ],
};

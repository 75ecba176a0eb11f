import { deflateSync } from 'node:zlib';
import { chunk, pngChunk, u16le, u32 } from '../bytes.ts';
import { bomb, damaged, done, MB, type Rows, times, tooLarge } from './row.ts';
import { seed, small, textPng } from './seeds.ts';

const longText = () =>
  pngChunk('iTXt', Buffer.concat([Buffer.from('a\0\x01\0\0\0', 'latin1'), bomb(100 * MB)]));
const profile = (bytes: number) => pngChunk('iCCP', Buffer.concat([Buffer.from('a\0\0'), bomb(bytes)]));
/** 16 bits of four channels a pixel. */
function deepPng(width: number, height: number): Buffer {
  const header = Buffer.concat([u32(width), u32(height), Buffer.from([16, 6, 0, 0, 0])]);
  const data = bomb((width * 8 + 1) * height, 0);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    ...[pngChunk('IHDR', header), pngChunk('IDAT', data), pngChunk('IEND', Buffer.alloc(0))],
  ]);
}
function animatedPng(frames: number): Buffer {
  const [first] = [small(pngChunk('acTL', Buffer.concat([u32(frames), u32(0)])))];
  const end = first.length - 12;
  const control = (index: number) =>
    pngChunk(
      'fcTL',
      Buffer.concat([u32(index), u32(8), u32(8), u32(0), u32(0), Buffer.from([0, 1, 0, 10, 0, 0])]),
    );
  const data = deflateSync(Buffer.alloc(16));
  const more = times(frames, (index) =>
    Buffer.concat([control(2 * index), pngChunk('fdAT', Buffer.concat([u32(2 * index + 1), data]))]),
  );
  return Buffer.concat([first.subarray(0, end), more, first.subarray(end)]);
}

const segment = (marker: number, content: Buffer) =>
  Buffer.concat([
    Buffer.from([0xff, marker, (content.length + 2) >> 8, (content.length + 2) & 255]),
    content,
  ]);
const withSegments = (segments: Buffer) => {
  const jpg = seed('seed.jpg');
  return Buffer.concat([jpg.subarray(0, 2), segments, jpg.subarray(2)]);
};
const iccSegment = (index: number, count: number) =>
  segment(
    0xe2,
    Buffer.concat([Buffer.from('ICC_PROFILE\0'), Buffer.from([index + 1, count]), Buffer.alloc(65_000)]),
  );

const webp = (...chunks: Buffer[]) => {
  const flags = Buffer.from([0x2e, 0, 0, 0, 7, 0, 0, 7, 0, 0]);
  const picture = chunk('VP8L', Buffer.from('2f07c00100072010ff', 'hex'), Buffer.alloc(30, 0x88));
  return chunk('RIFF', Buffer.from('WEBP'), chunk('VP8X', flags), ...chunks, picture);
};

function animatedGif(side: number, frames: number, ...extensions: Buffer[]): Buffer {
  const size = u16le(side, side);
  const screen = Buffer.concat([
    Buffer.from('GIF89a'),
    size,
    Buffer.from([0x80, 0, 0, 0, 0, 0, 255, 255, 255]),
  ]);
  const frame = Buffer.concat([
    Buffer.from([0x21, 0xf9, 4, 0, 2, 0, 0, 0, 0x2c]),
    ...[u16le(0, 0), u16le(1, 1), Buffer.from([0, 2, 2, 0x44, 1, 0])],
  ]);
  return Buffer.concat([screen, ...extensions, times(frames, () => frame), Buffer.from([0x3b])]);
}
const comment = (bytes: number) => {
  const block = Buffer.concat([Buffer.from([255]), Buffer.alloc(255, 97)]);
  return Buffer.concat([
    Buffer.from([0x21, 0xfe]),
    times(Math.ceil(bytes / 255), () => block),
    Buffer.from([0]),
  ]);
};

/** Pictures that are small and ask for memory in every way known to us. */
export const pictureRows: Rows = {
  'a PNG whose texts inflate to 1 GB': [textPng, ['probe', 'frame', 'animate'], done, 600],
  'a PNG whose international texts inflate to 1 GB': [
    () => {
      const text = longText();
      return small(times(10, () => text));
    },
    ['probe', 'frame'],
    done,
    600,
  ],
  'a PNG of 20 000 texts': [
    () => small(times(20_000, (index) => pngChunk('tEXt', Buffer.from(`k${index}\0v`)))),
    ['probe', 'frame'],
    done,
    600,
  ],
  'a PNG whose color profile inflates to 1 GB': [
    () => small(profile(1000 * MB)),
    ['probe', 'frame', 'animate'],
    tooLarge,
    600,
  ],
  'a PNG with a color profile of 1 MB a thousand times': [
    () => {
      const icc = profile(MB);
      return small(times(1000, () => icc));
    },
    ['probe', 'frame'],
    done,
    600,
  ],
  'a PNG of 8192 × 4608 and 16 bits': [() => deepPng(8192, 4608), ['probe', 'frame', 'animate'], done, 3000],
  'an animated PNG of 20 000 frames': [
    () => animatedPng(20_000),
    ['probe', 'frame'],
    ['source_too_long'],
    600,
  ],
  'a JPEG of 400 000 comments': [
    () => withSegments(times(400_000, () => segment(0xfe, Buffer.from('a')))),
    ['probe', 'frame'],
    tooLarge,
    600,
  ],
  'a JPEG with 30 MB of application data': [
    () => withSegments(times(500, (index) => segment(0xe1 + (index % 13), Buffer.alloc(60_000, 65)))),
    ['probe', 'frame', 'animate'],
    done,
    600,
  ],
  'a JPEG with a color profile of 16 MB': [
    () => withSegments(times(255, (index) => iccSegment(index, 255))),
    ['probe', 'frame', 'animate'],
    tooLarge,
    600,
  ],
  'a WebP with 90 MB of XMP, EXIF and profile': [
    () => webp(...['ICCP', 'XMP ', 'EXIF'].map((type) => chunk(type, Buffer.alloc(30 * MB)))),
    ['probe', 'frame'],
    [...tooLarge, ...damaged],
    600,
  ],
  'a GIF of 20 000 frames': [() => animatedGif(16, 20_000), ['probe', 'frame', 'transcode'], done, 600],
  'a GIF with 40 MB of comments': [
    () => animatedGif(16, 10, comment(40 * MB)),
    ['probe', 'frame'],
    done,
    600,
  ],
};

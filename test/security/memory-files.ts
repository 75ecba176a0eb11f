import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { run } from '../../transcoder/ffmpeg/run.ts';
import { programs } from '../fixtures/make.ts';
import { box, chunk, patched, png, pngChunk, u16le, u32, u32le, withU32 } from './bytes.ts';
import { type Case, type Ending, serve } from './case.ts';
import { ebml } from './ebml.ts';
import { makeSeeds } from './seeds.ts';

const MB = 1_000_000;
const directory = await mkdtemp(join(tmpdir(), 'spool-memory-seeds-'));
const seeds = await makeSeeds(directory);
const seed = (name: string) => seeds.get(name) ?? Buffer.alloc(0);

/** A single 8K picture of one colour as H.264 in mp4: a few kilobytes, 57 MB decoded. */
const large = join(directory, 'large.mp4');
await run(programs, 'ffmpeg', [
  ...['-v', 'error', '-nostdin', '-y', '-bitexact', '-f', 'lavfi', '-i', 'color=gray:s=8192x4608:r=25:d=0.4'],
  ...['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '250', '-pix_fmt', 'yuv420p', large],
]);
const largeMp4 = await readFile(large);
await rm(directory, { recursive: true });

/** What inflates to so many bytes of the same letter. */
const bomb = (bytes: number) => deflateSync(Buffer.alloc(bytes, 97), { level: 9 });
const times = (count: number, one: (index: number) => Buffer) =>
  Buffer.concat(Array.from({ length: count }, (_, index) => one(index)));

// PNG

const textBomb = () => pngChunk('zTXt', Buffer.concat([Buffer.from('a\0\0'), bomb(100 * MB)]));
const longText = () =>
  pngChunk('iTXt', Buffer.concat([Buffer.from('a\0\x01\0\0\0', 'latin1'), bomb(100 * MB)]));
const small = (...before: Buffer[]) => png(8, 8, Buffer.alloc(16), ...before);
const profile = (bytes: number) => pngChunk('iCCP', Buffer.concat([Buffer.from('a\0\0'), bomb(bytes)]));
const textPng = () => {
  const one = textBomb();
  return small(times(10, () => one));
};
/** 16 bits of four channels a pixel. */
function deepPng(width: number, height: number): Buffer {
  const header = Buffer.concat([u32(width), u32(height), Buffer.from([16, 6, 0, 0, 0])]);
  const data = deflateSync(Buffer.alloc((width * 8 + 1) * height), { level: 1 });
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

// JPEG

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

// WebP

const webp = (...chunks: Buffer[]) => {
  const flags = Buffer.from([0x2e, 0, 0, 0, 7, 0, 0, 7, 0, 0]);
  const picture = chunk('VP8L', Buffer.from('2f07c00100072010ff', 'hex'), Buffer.alloc(30, 0x88));
  return chunk('RIFF', Buffer.from('WEBP'), chunk('VP8X', flags), ...chunks, picture);
};

// GIF

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

// ID3, FLAC, Ogg

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

// mp4

const trak = 'moov/trak/mdia';
const table = `${trak}/minf/stbl`;
const pictureOnly = (file: Buffer) => {
  let first = true;
  return patched(file, 'moov', (content) => {
    const parts: Buffer[] = [];
    for (let at = 0; at + 8 <= content.length; at += content.readUInt32BE(at)) {
      const one = content.subarray(at, at + content.readUInt32BE(at));
      const kept = one.toString('latin1', 4, 8) !== 'trak' || first;
      if (one.toString('latin1', 4, 8) === 'trak') first = false;
      if (kept) parts.push(one);
    }
    return Buffer.concat(parts);
  });
};
const one = pictureOnly(seed('seed.mp4'));
/** An index of so many samples of one size, which is twelve bytes long. */
const samples = (count: number) => {
  const sized = patched(one, `${table}/stsz`, () => Buffer.concat([u32(0), u32(1), u32(count)]));
  const timed = patched(sized, `${table}/stts`, () => Buffer.concat([u32(0), u32(1), u32(count), u32(1)]));
  return patched(timed, `${table}/stsc`, () => Buffer.concat([u32(0), u32(1), u32(1), u32(count), u32(1)]));
};
/** As many samples, each the same keyframe, so many a second. */
function sameSample(file: Buffer, count: number, perSecond: number): Buffer {
  const bare = patched(pictureOnly(file), 'moov/trak/edts', () => Buffer.alloc(0));
  let size = 0;
  let at = 0;
  patched(bare, `${table}/stsz`, (content) => {
    size = content.readUInt32BE(4) || content.readUInt32BE(12);
    return content;
  });
  patched(bare, `${table}/stco`, (content) => {
    at = content.readUInt32BE(8);
    return content;
  });
  const mdat = bare.indexOf('mdat') - 4;
  const chunks = (shift: number) => {
    const offsets = Buffer.alloc(4 * count);
    for (let index = 0; index < count; index++) offsets.writeUInt32BE(at + shift, 4 * index);
    return Buffer.concat([u32(0), u32(count), offsets]);
  };
  const rows: [string, Buffer][] = [
    ['stsz', Buffer.concat([u32(0), u32(size), u32(count)])],
    ['stts', Buffer.concat([u32(0), u32(1), u32(count), u32(1)])],
    ['stsc', Buffer.concat([u32(0), u32(1), u32(1), u32(1), u32(1)])],
    ['stss', Buffer.concat([u32(0), u32(0)])],
    ['ctts', Buffer.concat([u32(0), u32(1), u32(count), u32(0)])],
  ];
  let made = bare;
  for (const [name, content] of rows) made = patched(made, `${table}/${name}`, () => content);
  made = patched(made, `${trak}/mdhd`, (content) => withU32(withU32(content, 12, perSecond), 16, count));
  const before = (shift: number) => patched(made, `${table}/stco`, () => chunks(shift));
  const shift = before(0).indexOf('mdat') - 4 - mdat;
  return before(bare.indexOf('moov') < mdat ? shift : 0);
}
const covr = (picture: Buffer) =>
  patched(seed('seed.mp4'), 'moov', (content) => {
    const data = box('data', u32(14), u32(0), picture);
    const hdlr = box('hdlr', u32(0), u32(0), Buffer.from('mdirappl'), Buffer.alloc(9));
    const meta = box('meta', u32(0), hdlr, box('ilst', box('covr', data)));
    return Buffer.concat([content, box('udta', meta)]);
  });
const tracks = (file: Buffer, count: number) =>
  patched(pictureOnly(file), 'moov', (content) => {
    const first = content.indexOf('trak') - 4;
    const track = content.subarray(first, first + content.readUInt32BE(first));
    return Buffer.concat([content, times(count - 1, () => track)]);
  });
/** A fragment whose table of samples says nothing of any of them. */
const fragment = (count: number) => {
  const tfhd = box('tfhd', u32(0x20_0028 >>> 0), u32(1), u32(1), u32(1));
  const trun = box('trun', u32(0), u32(count));
  return Buffer.concat([
    one,
    box('moof', box('mfhd', u32(0), u32(1)), box('traf', tfhd, trun)),
    box('mdat', Buffer.alloc(100)),
  ]);
};
const extraData = (bytes: number) =>
  patched(one, `${table}/stsd`, (content) => {
    const entry = Buffer.concat([
      content.subarray(8, 8 + 86),
      box('glbl', Buffer.alloc(bytes)),
      content.subarray(8 + 86),
    ]);
    return Buffer.concat([content.subarray(0, 8), withU32(entry, 0, entry.length)]);
  });

// Matroska

const attachment = (type: string, content: Buffer, index: number) =>
  ebml(
    0x61a7,
    ...[ebml(0x466e, Buffer.from(`f${index}`)), ebml(0x4660, Buffer.from(type)), ebml(0x465c, content)],
    ebml(0x46ae, u32(index + 1)),
  );
const attached = (...files: Buffer[]) => {
  const mkv = seed('seed.mkv');
  return Buffer.concat([mkv, ebml(0x1941a469, ...files)]);
};
/** The attachments before all else, where every reader meets them. */
const attachedFirst = (...files: Buffer[]) => {
  const mkv = seed('seed.mkv');
  const at = mkv.indexOf(Buffer.from('18538067', 'hex'));
  const head = Buffer.concat([Buffer.from('1853806701ffffffffffffff', 'hex'), ebml(0x1941a469, ...files)]);
  return Buffer.concat([mkv.subarray(0, at), head, mkv.subarray(at + 12)]);
};

type Asked = 'probe' | 'frame' | 'transcode' | 'cut' | 'animate' | 'merge' | 'mp3';

function requestOf(asked: Asked, url: string): ReturnType<NonNullable<Case['request']>> {
  switch (asked) {
    case 'probe':
      return { operation: 'probe', input: { url } };
    case 'frame':
      return { operation: 'frame', input: { video_url: url, timestamps: [0] } };
    case 'cut':
      return { operation: 'cut', input: { video_url: url, start: 0.1, duration: 0.3 } };
    case 'transcode':
      return { operation: 'transcode', input: { video_url: url, height: 32 } };
    case 'animate':
      return { operation: 'photo_animate', input: { photo_url: url, duration: 1 } };
    case 'merge':
      return { operation: 'merge_urls', input: { video_urls: Array.from({ length: 10 }, () => url) } };
    case 'mp3':
      return { operation: 'visualize', input: { audio_url: url } };
  }
}

const done = ['completed'] as const;
const tooLarge = ['source_too_large'] as const;
const damaged = ['completed', 'source_not_media', 'source_truncated', 'source_damaged'] as const;
type Row = [make: () => Buffer, asked: readonly Asked[], ends: readonly Ending[], mostMb: number];

const rows: Record<string, Row> = {
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
  'a PNG whose colour profile inflates to 1 GB': [
    () => small(profile(1000 * MB)),
    ['probe', 'frame', 'animate'],
    tooLarge,
    600,
  ],
  'a PNG with a colour profile of 1 MB a thousand times': [
    () => {
      const icc = profile(MB);
      return small(times(1000, () => icc));
    },
    ['probe', 'frame'],
    done,
    600,
  ],
  'a PNG of 8192 × 4608 and 16 bits': [() => deepPng(8192, 4608), ['probe', 'frame', 'animate'], done, 3000],
  'an animated PNG of 20 000 frames': [() => animatedPng(20_000), ['probe', 'frame'], done, 600],
  'a JPEG of 400 000 comments': [
    () => withSegments(times(400_000, () => segment(0xfe, Buffer.from('a')))),
    ['probe', 'frame'],
    done,
    600,
  ],
  'a JPEG with 30 MB of application data': [
    () => withSegments(times(500, (index) => segment(0xe1 + (index % 13), Buffer.alloc(60_000, 65)))),
    ['probe', 'frame', 'animate'],
    done,
    600,
  ],
  'a JPEG with a colour profile of 16 MB': [
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
  'a GIF of 50 000 frames': [() => animatedGif(16, 50_000), ['probe', 'frame', 'transcode'], done, 1200],
  'a GIF with 40 MB of comments': [
    () => animatedGif(16, 10, comment(40 * MB)),
    ['probe', 'frame'],
    done,
    600,
  ],

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
  'an mp3 whose texts inflate to 4 GB': [
    () => {
      const text = packedText(200 * MB);
      return id3(times(20, () => text));
    },
    ['probe', 'mp3'],
    [...done, ...tooLarge, 'out_of_memory'],
    3000,
  ],
  'a FLAC whose cover is a PNG of 1 GB of texts': [
    () => flac(textPng()),
    ['probe'],
    [...damaged, ...tooLarge],
    3000,
  ],
  'an mp4 whose cover is a PNG of 1 GB of texts': [
    () => covr(textPng()),
    ['probe', 'transcode'],
    [...done, ...tooLarge],
    3000,
  ],

  'an mp4 of 10 million samples': [
    () => samples(1e7),
    ['probe', 'cut', 'transcode'],
    [...damaged, ...tooLarge, 'source_too_long', 'out_of_memory'],
    3000,
  ],
  'an mp4 of 100 million samples': [
    () => samples(1e8),
    ['probe', 'transcode'],
    [...damaged, ...tooLarge, 'source_too_long', 'out_of_memory'],
    3000,
  ],
  'an mp4 of a fragment of 100 million samples': [
    () => fragment(1e8),
    ['probe', 'transcode'],
    [...damaged, ...tooLarge, 'source_too_long'],
    3000,
  ],
  'an mp4 of 100 000 pictures at 1 000 000 a second': [
    () => sameSample(seed('seed.mp4'), 100_000, 1e6),
    ['probe', 'cut', 'transcode', 'frame'],
    [...damaged, ...tooLarge, 'time_out_of_range'],
    3000,
  ],
  'an mp4 of 500 000 pictures at 1000 a second': [
    () => sameSample(seed('seed.mp4'), 500_000, 1000),
    ['probe', 'cut', 'frame'],
    [...damaged, ...tooLarge, 'time_out_of_range'],
    3000,
  ],
  'an mp4 of 8K': [
    () => largeMp4,
    ['probe', 'transcode', 'merge', 'frame'],
    [...done, 'out_of_memory'],
    3000,
  ],
  'an mp4 of 16 tracks of 8K': [
    () => tracks(largeMp4, 16),
    ['probe', 'transcode'],
    [...done, 'out_of_memory'],
    3000,
  ],
  'an mp4 of 50 MB of extra data': [() => extraData(50 * MB), ['probe', 'transcode'], damaged, 3000],

  'a Matroska of 10 attachments of 20 MB': [
    () =>
      attached(
        ...Array.from({ length: 10 }, (_, index) => attachment('font/ttf', Buffer.alloc(20 * MB), index)),
      ),
    ['probe', 'transcode'],
    done,
    1200,
  ],
  'a Matroska of 10 attachments of 20 MB before all else': [
    () =>
      attachedFirst(
        ...Array.from({ length: 10 }, (_, index) => attachment('font/ttf', Buffer.alloc(20 * MB), index)),
      ),
    ['probe', 'transcode'],
    done,
    1200,
  ],
  'a Matroska whose cover is a PNG of 1 GB of texts': [
    () => attachedFirst(attachment('image/png', textPng(), 0)),
    ['probe', 'transcode'],
    [...done, ...tooLarge],
    3000,
  ],
  'a Matroska of 5000 attachments': [
    () =>
      attachedFirst(
        ...Array.from({ length: 5000 }, (_, index) => attachment('font/ttf', Buffer.from('a'), index)),
      ),
    ['probe'],
    [...tooLarge, 'source_not_media'],
    600,
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

/** Files that are small, and ask for memory in every way known to us. */
export const memoryCases: MemoryCase[] = Object.entries(rows).flatMap(([name, [make, asked, ends, mostMb]]) =>
  asked.map((operation) => ({
    name: `${name}, by /${operation}`,
    answer: () => serve(make()),
    request: (url: string) => requestOf(operation, url),
    ...{ ends, within: 300, mostBytes: mostMb * MB },
  })),
);

/** A hostile file that asks for memory, and what it may take of it. */
export interface MemoryCase extends Case {
  /** Most that all processes of the task may hold at once, in bytes. */
  mostBytes: number;
}

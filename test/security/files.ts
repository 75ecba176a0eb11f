import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { box, chunk, gif, list, patched, png, pngChunk, u16le, u32, u32le, withU32 } from './bytes.ts';
import { type Case, type Ending, serve } from './case.ts';
import { makeSeeds } from './seeds.ts';
import { texts } from './texts.ts';

const directory = await mkdtemp(join(tmpdir(), 'spool-seeds-'));
const seeds = await makeSeeds(directory);
await rm(directory, { recursive: true });
const seed = (name: string) => seeds.get(name) ?? Buffer.alloc(0);
const mp4 = seed('seed.mp4');

/** Damaged media may be read as far as it goes, or not at all. */
const damaged: readonly Ending[] = ['completed', 'source_not_media', 'source_truncated', 'source_damaged'];
const WITHIN = 60;

const textCases: Case[] = Object.entries(texts).map(([name, make]) => ({
  name,
  answer: ({ canary }) => serve(Buffer.from(make(`http://127.0.0.1:${canary.port}`))),
  ends: name === 'nothing at all' ? ['source_not_media', 'source_truncated'] : ['source_not_media'],
  within: WITHIN,
}));

type Make = () => Buffer;
type Asked = 'probe' | 'frame' | 'transcode' | 'cut';

function media(
  asked: Asked,
  made: Record<string, [Make, readonly Ending[]]>,
  more: readonly Ending[] = [],
): Case[] {
  return Object.entries(made).map(([name, [make, ends]]) => ({
    name: `${name}, by /${asked}`,
    answer: () => serve(make()),
    request: (url) => requestOf(asked, url),
    ...{ ends: [...ends, ...more], within: WITHIN },
  }));
}

function requestOf(operation: Asked, url: string) {
  if (operation === 'probe') return { operation, input: { url } };
  if (operation === 'frame') return { operation, input: { video_url: url, timestamps: [0] } };
  if (operation === 'cut') return { operation, input: { video_url: url, start: 0.1, duration: 0.3 } };
  return { operation, input: { video_url: url, height: 32 } };
}

const header = (bytes: string, ...more: Buffer[]) =>
  Buffer.concat([Buffer.from(bytes, 'latin1'), ...more, Buffer.alloc(5000, 7)]);
const jpegHead = (side: number) =>
  header('\xff\xd8\xff\xc0\x00\x11\x08', Buffer.from([side >> 8, side & 255, side >> 8, side & 255, 3]));
const bomb = () => deflateSync(Buffer.alloc(100e6), { level: 1 });

const huge = ['source_too_large'] as const;
const pictures: Record<string, [Make, readonly Ending[]]> = {
  'a PNG of 16 000 × 16 000': [() => png(16_000, 16_000, Buffer.alloc(16_000 * 2001)), huge],
  'a PNG of 30 000 × 30 000': [() => png(30_000, 30_000, Buffer.alloc(3000)), huge],
  'a PNG of 65 000 × 65 000': [() => png(65_000, 65_000, Buffer.alloc(3000)), huge],
  'a PNG of 1 × 2³⁰': [() => png(1, 2 ** 30, Buffer.alloc(3000)), huge],
  'a JPEG of 65 500 × 65 500': [() => jpegHead(65_500), huge],
  'a WebP of 16 383 × 16 383': [
    () => header('RIFF\x00\x20\x00\x00WEBPVP8L\x00\x10\x00\x00\x2f\xfe\xbf\xff\x0f'),
    huge,
  ],
  'a GIF of 65 535 × 65 535': [() => header('GIF89a\xff\xff\xff\xff\x80\x00\x00'), huge],
  'a PNG of 64 × 64 that inflates to 100 MB': [() => png(64, 64, Buffer.alloc(100e6)), damaged],
  'a PNG whose color profile inflates to 100 MB': [
    () => png(8, 8, Buffer.alloc(16), pngChunk('iCCP', Buffer.concat([Buffer.from('a\0\0'), bomb()]))),
    [...damaged, 'source_too_large'],
  ],
  'a PNG whose text inflates to 100 MB': [
    () => png(8, 8, Buffer.alloc(16), pngChunk('zTXt', Buffer.concat([Buffer.from('a\0\0'), bomb()]))),
    damaged,
  ],
  'a GIF of 600 frames of 4000 × 4000': [() => gif(4000, 600), ['completed']],
};

const trak = 'moov/trak/mdia';
const table = `${trak}/minf/stbl`;
const NEVER = 0xffff_ffff;
/** Durations of every box that states one, in units of the box. */
function lasting(seconds: number, file = mp4): Buffer {
  const bare = patched(file, 'moov/trak/edts', () => Buffer.alloc(0));
  const stretched = patched(bare, `${table}/stts`, (content) =>
    content.readUInt32BE(4) === 0
      ? content
      : withU32(withU32(content, 4, 1), 12, Math.round(seconds * 1700)).subarray(0, 16),
  );
  return patched(stretched, `${trak}/mdhd`, (content) =>
    withU32(content, 16, seconds * content.readUInt32BE(12)),
  );
}
const sized = (width: number, height: number, file: Buffer) =>
  patched(
    patched(file, `${table}/stsd`, (content) =>
      content.toString('latin1', 12, 16) === 'avc1'
        ? Buffer.concat([
            content.subarray(0, 40),
            Buffer.from([width >> 8, width & 255, height >> 8, height & 255]),
            content.subarray(44),
          ])
        : content,
    ),
    'moov/trak/tkhd',
    (content) => withU32(withU32(content, 76, width * 65536), 80, height * 65536),
  );
const counting = (name: string, at: number, value: number) => () =>
  patched(mp4, `${table}/${name}`, (content) => withU32(content, at, value));
const nested = (type: string, depth: number) => {
  const shell = Buffer.alloc(depth * 8);
  for (let level = 0; level < depth; level++) {
    shell.writeUInt32BE((depth - level) * 8, level * 8);
    shell.write(type, level * 8 + 4, 'latin1');
  }
  return shell;
};
const edits =
  (...entries: [duration: number, time: number, rate: number][]) =>
  () =>
    patched(mp4, 'moov/trak/edts/elst', () =>
      Buffer.concat([
        u32(0),
        u32(entries.length),
        ...entries.flatMap((entry) => entry.map((value) => u32(value))),
      ]),
    );
const streams = (count: number) => () =>
  patched(mp4, 'moov', (content) => {
    const first = content.indexOf('trak') - 4;
    const one = content.subarray(first, first + content.readUInt32BE(first));
    return Buffer.concat([content, ...Array.from({ length: count }, () => one)]);
  });
const alias = (reference: string, name: string) => () =>
  patched(mp4, `${trak}/minf/dinf/dref`, () =>
    Buffer.concat([u32(0), u32(1), box(reference, u32(0), Buffer.from(`${name}\0`))]),
  );

const long = ['source_too_long', 'source_too_large', ...damaged] as const;
const files: Record<string, [Make, readonly Ending[]]> = {
  'ten hours of 8K in a few kilobytes': [
    () => sized(7680, 4320, lasting(36_000)),
    ['source_too_long', 'source_too_large'],
  ],
  'an mp4 whose mvhd tells of one second': [
    () => patched(lasting(36_000), 'moov/mvhd', (content) => withU32(content, 16, 1000)),
    long,
  ],
  'an mp4 whose mvhd tells of 49 days': [
    () => patched(mp4, 'moov/mvhd', (content) => withU32(content, 16, NEVER)),
    long,
  ],
  'an mp4 of a timescale of 0': [
    () => patched(mp4, `${trak}/mdhd`, (content) => withU32(content, 12, 0)),
    long,
  ],
  'an mp4 that tells of 8K and holds 64 × 48': [() => sized(7680, 4320, mp4), damaged],
  'an mp4 that tells of 65 535 × 65 535': [() => sized(65_535, 65_535, mp4), [...huge, ...damaged]],
  'an stsz of 2³² entries': [counting('stsz', 8, NEVER), damaged],
  'an stsz of 2³² samples of one size': [
    () => patched(mp4, `${table}/stsz`, (content) => withU32(withU32(content, 4, 1), 8, NEVER)),
    damaged,
  ],
  'an stts of 2³² entries': [counting('stts', 4, NEVER), long],
  'an stts of 2³² samples': [counting('stts', 8, NEVER), long],
  'an stsc of 2³² entries': [counting('stsc', 4, NEVER), damaged],
  'an stco of 2³² entries': [counting('stco', 4, NEVER), damaged],
  'a table of samples past the end': [counting('stco', 8, 0x7fff_0000), damaged],
  'atoms nested 10 000 deep': [() => Buffer.concat([mp4, nested('moov', 10_000)]), damaged],
  'atoms nested 10 000 deep from the start': [
    () => Buffer.concat([box('ftyp', Buffer.from('isom\0\0\0\0')), nested('trak', 10_000)]),
    damaged,
  ],
  'an edit list of no length': [edits([0, 0, 65536]), long],
  'an edit list of nothing but gaps': [
    edits(...Array.from({ length: 1000 }, () => [NEVER, NEVER, 65536] as [number, number, number])),
    long,
  ],
  'an edit list of the same half second 50 000 times': [
    edits(...Array.from({ length: 50_000 }, () => [500, 0, 65536] as [number, number, number])),
    [...long, 'timed_out', 'out_of_memory'],
  ],
  'an edit list that stands still': [edits([500, 0, 0]), long],
  '42 streams': [streams(40), [...huge, 'source_not_media']],
  '202 streams': [streams(200), [...huge, 'source_not_media']],
  'an alias of a local file': [alias('alis', '/etc/passwd'), damaged],
  'a URL in the place of its data': [alias('url ', 'file:///etc/passwd'), damaged],
  'an mp4 of a moov without end': [
    () => header('\0\0\0\x18ftypisom\0\0\0\0isom\0\0\0\0\0\0\0\0moov'),
    damaged,
  ],
  'an mp4 with a box of 2⁶³ bytes': [
    () => header('\0\0\0\x18ftypisom\0\0\0\0isom\0\0\0\0\0\0\0\x01moov\x7f\xff\xff\xff\xff\xff\xff\xff'),
    damaged,
  ],
  'a playlist behind the head of an mp4': [
    () => Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isomiso2#EXTM3U\n#EXTINF:1,\n/etc/passwd\n'),
    damaged,
  ],
};

const format = (channels: number, rate: number, bits: number, align: number) =>
  chunk('fmt ', u16le(1, channels), u32le(rate, rate * align), u16le(align, bits));
const wav = (description: Buffer, data = chunk('data', Buffer.alloc(20_000, 3))) =>
  chunk('RIFF', Buffer.from('WAVE'), description, data);
const sounds: Record<string, [Make, readonly Ending[]]> = {
  'a WAV of 256 channels': [() => wav(format(256, 8000, 16, 512)), huge],
  'a WAV of 65 535 channels': [() => wav(format(65_535, 8000, 16, 65_535)), [...huge, 'source_not_media']],
  'a WAV of no channels': [() => wav(format(0, 8000, 16, 2)), damaged],
  'a WAV of a rate of 0': [() => wav(format(1, 0, 16, 2)), damaged],
  'a WAV of a rate of 2³²': [() => wav(format(1, NEVER, 16, 2)), damaged],
  'a WAV whose data is said to be of 4 GB': [
    () => wav(format(1, 8000, 16, 2), Buffer.concat([Buffer.from('data'), u32le(NEVER), Buffer.alloc(9000)])),
    long,
  ],
  'an ID3 tag of 256 MB': [() => header('ID3\x04\x00\x00\x7f\x7f\x7f\x7f'), [...damaged, 'source_truncated']],
  'an mp3 with a cover of 30 000 × 30 000': [
    () => {
      const cover = Buffer.concat([
        Buffer.from('\0image/png\0\x03\0', 'latin1'),
        png(30_000, 30_000, Buffer.alloc(3000)),
      ]);
      const frame = Buffer.concat([Buffer.from('APIC'), u32(cover.length), Buffer.from([0, 0]), cover]);
      const size = Buffer.from([21, 14, 7, 0].map((shift) => (frame.length >> shift) & 0x7f));
      return Buffer.concat([Buffer.from('ID3\x03\0\0', 'latin1'), size, frame, seed('seed.mp3')]);
    },
    [...huge, ...damaged],
  ],
  'an FLV of nothing': [() => Buffer.from('FLV\x01\x05\0\0\0\x09\0\0\0\0', 'latin1'), damaged],
  'a transport stream of null packets': [
    () =>
      Buffer.concat(
        Array.from({ length: 2000 }, () =>
          Buffer.concat([Buffer.from([0x47, 0x1f, 0xff, 0x10]), Buffer.alloc(184, 255)]),
        ),
      ),
    ['source_not_media'],
  ],
  'a Matroska of unknown sizes': [
    () => Buffer.concat([seed('seed.mkv').subarray(0, 40), Buffer.from('18538067'.repeat(2000), 'hex')]),
    damaged,
  ],
  'an AVI with a playlist for its subtitles': [avi, damaged],
};

/** A stream of texts, in the first packet of which a playlist stands where GAB2 has subtitles. */
function avi(): Buffer {
  const head = chunk('avih', u32le(100_000, 0, 0, 0x10, 2, 0, 2, 0, 64, 48, 0, 0, 0, 0));
  const of = (kind: string, codec: string, form: Buffer) =>
    list(
      'strl',
      chunk('strh', Buffer.from(kind + codec), u32le(0, 0, 0, 1, 10, 0, 2, 0, NEVER, 0, 0, 0)),
      chunk('strf', form),
    );
  const picture = of(
    'vids',
    'MJPG',
    Buffer.concat([u32le(40, 64, 48), u16le(1, 24), Buffer.from('MJPG'), u32le(9216, 0, 0, 0, 0)]),
  );
  const playlist = Buffer.from(
    '#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n',
  );
  const gab2 = Buffer.concat([
    Buffer.from('GAB2\0'),
    u16le(2),
    u32le(2),
    u16le(97, 0),
    u16le(4),
    u32le(playlist.length),
    playlist,
  ]);
  const movie = list(
    'movi',
    chunk('01tx', gab2),
    chunk('00dc', seed('seed.jpg')),
    chunk('00dc', seed('seed.jpg')),
  );
  return chunk(
    'RIFF',
    Buffer.from('AVI '),
    list('hdrl', head, picture, of('txts', '\0\0\0\0', Buffer.alloc(0))),
    movie,
  );
}

const cutShort: Record<string, [Make, readonly Ending[]]> = Object.fromEntries(
  ['seed.mp4', 'seed.mkv', 'seed.webm', 'seed.gif'].flatMap((name) =>
    [10, 50, 90].map((percent) => [
      `the first ${percent} % of ${name}`,
      [
        () => seed(name).subarray(0, Math.floor((seed(name).length * percent) / 100)),
        // Half a GIF may be left with a single frame, which is a still picture.
        [...damaged, 'time_out_of_range', ...(name === 'seed.gif' ? ['source_no_video' as const] : [])],
      ],
    ]),
  ),
);
const flipped: Record<string, [Make, readonly Ending[]]> = Object.fromEntries(
  ['seed.mp4', 'seed.mkv', 'seed.webm', 'seed.png', 'seed.jpg'].map((name) => [
    `${name} with a bit of every hundredth byte flipped`,
    [
      () => Buffer.from(seed(name).map((byte, at) => (at > 60 && at % 100 === 0 ? byte ^ 16 : byte))),
      [...long, 'time_out_of_range', 'source_no_video'],
    ],
  ]),
);

/** Every file of the table that the service must be tried with, and how each may end. */
export const fileCases: Case[] = [
  ...textCases,
  ...media('probe', { ...pictures, ...files, ...sounds }),
  ...media('frame', pictures),
  ...media('frame', { ...cutShort, ...flipped }, ['source_no_video']),
  ...media('transcode', files, ['out_of_memory']),
  ...media('cut', cutShort),
];

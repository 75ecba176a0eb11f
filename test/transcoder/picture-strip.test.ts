import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Demuxer } from '../../schema/media/demuxers.ts';
import { run } from '../../transcoder/ffmpeg/run.ts';
import { orientationIn } from '../../transcoder/media/analyses/exif-orientation.ts';
import { headOf } from '../../transcoder/media/analyses/still-display.ts';
import { stripPicture } from '../../transcoder/source/picture/strip.ts';
import { demuxerOfFile } from '../../transcoder/source/sniff.ts';
import { programs } from '../fixtures/make.ts';
import { chunk, pngChunk, u16le } from '../security/bytes.ts';

let directory: string;
let count = 0;
const pictures = new Map<string, Buffer>();
const made: Record<string, string[]> = {
  png: ['-pix_fmt', 'rgba', '-frames:v', '1'],
  jpg: ['-frames:v', '1', '-pix_fmt', 'yuvj420p'],
  webp: ['-frames:v', '1', '-c:v', 'libwebp'],
  gif: [],
  apng: ['-plays', '0'],
};

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'spool-strip-'));
  for (const [extension, options] of Object.entries(made)) {
    const path = join(directory, `made.${extension}`);
    await run(programs, 'ffmpeg', [
      ...['-v', 'error', '-nostdin', '-y', '-bitexact', '-f', 'lavfi', '-i', 'testsrc2=s=320x200:r=5:d=1'],
      ...[...options, path],
    ]);
    pictures.set(extension, await readFile(path));
  }
});
afterAll(() => rm(directory, { recursive: true }));

const picture = (extension: string) => pictures.get(extension) ?? Buffer.alloc(0);

async function stripped(bytes: Buffer, format: Demuxer): Promise<{ path: string; bytes: Buffer }> {
  const path = join(directory, `source-${count++}`);
  await writeFile(path, bytes);
  await stripPicture(path, format);
  return { path, bytes: await readFile(path) };
}

/** A checksum of every frame as ffmpeg decodes it. */
async function frames(path: string, format: Demuxer): Promise<string> {
  const { stdout } = await run(programs, 'ffmpeg', [
    ...['-v', 'error', '-nostdin', '-noautorotate', '-f', format, '-i', path, '-f', 'framemd5', '-'],
  ]);
  return stdout;
}

const segment = (marker: number, content: Buffer) =>
  Buffer.concat([
    Buffer.from([0xff, marker, (content.length + 2) >> 8, (content.length + 2) & 255]),
    content,
  ]);
/** EXIF that says nothing but how the picture is turned. */
const tiff = (orientation: number) =>
  Buffer.concat([
    Buffer.from('MM\0*\0\0\0\x08\0\x01', 'latin1'),
    Buffer.from([0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]),
  ]);
const exif = (orientation: number) => Buffer.concat([Buffer.from('Exif\0\0'), tiff(orientation)]);
const text = Buffer.from('unwanted text '.repeat(4000));

const dressed: { format: Demuxer; extension: string; dress: (bytes: Buffer) => Buffer }[] = [
  {
    format: 'png_pipe',
    extension: 'png',
    dress: (bytes) =>
      Buffer.concat([
        bytes.subarray(0, 33),
        ...[
          pngChunk('tEXt', text),
          pngChunk('eXIf', tiff(6)),
          pngChunk('zTXt', text),
          pngChunk('prVt', text),
        ],
        pngChunk('iCCP', Buffer.concat([Buffer.from('a\0\0'), deflateSync(Buffer.alloc(2000))])),
        ...[bytes.subarray(33), text],
      ]),
  },
  {
    format: 'jpeg_pipe',
    extension: 'jpg',
    dress: (bytes) => {
      const scan = bytes.indexOf(Buffer.from('ffda', 'hex'));
      return Buffer.concat([
        ...[bytes.subarray(0, 2), segment(0xfe, text), segment(0xe1, exif(6))],
        segment(0xe1, Buffer.concat([Buffer.from('http://ns.adobe.com/xap/1.0/\0'), text])),
        ...[segment(0xed, text), bytes.subarray(2, scan), segment(0xfe, text), bytes.subarray(scan), text],
      ]);
    },
  },
  {
    format: 'webp_pipe',
    extension: 'webp',
    dress: (bytes) => {
      const size = Buffer.from([0x0c, 0, 0, 0, 63, 1, 0, 199, 0, 0]);
      return chunk(
        'RIFF',
        ...[Buffer.from('WEBP'), chunk('VP8X', size), bytes.subarray(12)],
        ...[chunk('EXIF', tiff(6)), chunk('XMP ', text), chunk('junk', text)],
      );
    },
  },
  {
    format: 'gif',
    extension: 'gif',
    dress: (bytes) => {
      const head = 13 + 3 * 2 ** (((bytes[10] ?? 0) & 7) + 1) * ((bytes[10] ?? 0) >> 7);
      const block = Buffer.concat([Buffer.from([200]), text.subarray(0, 200)]);
      const comment = Buffer.concat([
        Buffer.from([0x21, 0xfe]),
        ...Array.from({ length: 400 }, () => block),
        Buffer.from([0]),
      ]);
      return Buffer.concat([bytes.subarray(0, head), comment, bytes.subarray(head), text]);
    },
  },
];

describe.each(dressed)('a picture in $extension', ({ format, extension, dress }) => {
  test('shows the same without its texts, which are gone', async () => {
    const original = join(directory, `made.${extension}`);
    const { path, bytes } = await stripped(dress(picture(extension)), format);
    expect(bytes.includes('unwanted text')).toBe(false);
    expect(await frames(path, format)).toBe(await frames(original, format));
  });

  test('that is cut short stays so', async () => {
    for (const share of [0.2, 0.6, 0.95]) {
      const whole = dress(picture(extension));
      const cut = whole.subarray(0, Math.floor(whole.length * share));
      expect((await stripped(cut, format)).bytes.length).toBeLessThanOrEqual(cut.length);
    }
  });

  test('that nobody has dressed is not touched', async () => {
    const { bytes } = await stripped(picture(extension), format);
    const own = format === 'jpeg_pipe' ? bytes.length : 0;
    if (own > 0) expect(picture(extension).length - bytes.length).toBeLessThan(100);
    else expect(bytes.equals(picture(extension))).toBe(true);
  });
});

test.each(dressed.filter(({ extension }) => extension !== 'gif'))(
  'how a picture in $extension is turned stays',
  async ({ format, extension, dress }) => {
    const { path } = await stripped(dress(picture(extension)), format);
    expect(orientationIn(await headOf(path))).toBe(6);
  },
);

describe('a color profile that is larger than any real one', () => {
  const bomb = deflateSync(Buffer.alloc(50_000_000), { level: 9 });
  const profile = (index: number) =>
    segment(
      0xe2,
      Buffer.concat([Buffer.from('ICC_PROFILE\0'), Buffer.from([index, 100]), Buffer.alloc(60_000)]),
    );
  const large: [string, Demuxer, () => Buffer][] = [
    [
      'PNG',
      'png_pipe',
      () => {
        const png = picture('png');
        const icc = pngChunk('iCCP', Buffer.concat([Buffer.from('a\0\0'), bomb]));
        return Buffer.concat([png.subarray(0, 33), icc, png.subarray(33)]);
      },
    ],
    [
      'JPEG',
      'jpeg_pipe',
      () => {
        const jpg = picture('jpg');
        const all = Array.from({ length: 100 }, (_, index) => profile(index + 1));
        return Buffer.concat([jpg.subarray(0, 2), ...all, jpg.subarray(2)]);
      },
    ],
    [
      'WebP',
      'webp_pipe',
      () =>
        chunk(
          'RIFF',
          ...[Buffer.from('WEBP'), chunk('VP8X', Buffer.from([0x20, 0, 0, 0, 63, 1, 0, 199, 0, 0]))],
          ...[chunk('ICCP', Buffer.alloc(5_000_000)), picture('webp').subarray(12)],
        ),
    ],
  ];
  test.each(large)('of a %s is refused', async (_, format, make) => {
    await expect(stripped(make(), format)).rejects.toMatchObject({ code: 'source_too_large' });
  });
});

test('a picture of hundreds of thousands of parts is refused, whatever they are', async () => {
  const png = picture('png');
  const empty = pngChunk('IDAT', Buffer.alloc(0));
  const many = Buffer.concat([png.subarray(0, 33), ...Array.from({ length: 250_001 }, () => empty)]);
  await expect(stripped(many, 'png_pipe')).rejects.toMatchObject({ code: 'source_too_large' });
});

test('frames of an animation stay as they are, with how often it is repeated', async () => {
  const loop = Buffer.concat([
    Buffer.from('\x21\xff\x0bNETSCAPE2.0\x03\x01', 'latin1'),
    u16le(3),
    Buffer.from([0]),
  ]);
  const gif = picture('gif');
  const head = 13 + 3 * 2 ** (((gif[10] ?? 0) & 7) + 1) * ((gif[10] ?? 0) >> 7);
  const { bytes } = await stripped(Buffer.concat([gif.subarray(0, head), loop, gif.subarray(head)]), 'gif');
  expect(bytes.includes(loop)).toBe(true);
  expect(bytes.length).toBe(gif.length + loop.length);
});

test('an animated PNG loses its texts, and none of its frames', async () => {
  const apng = picture('apng');
  const dressed = Buffer.concat([apng.subarray(0, 33), pngChunk('tEXt', text), apng.subarray(33)]);
  const { path, bytes } = await stripped(dressed, 'apng');
  expect(await demuxerOfFile(path)).toBe('apng');
  expect(bytes.equals(apng)).toBe(true);
});

describe('an animation that is damaged', () => {
  /** The checksums of its pictures. */
  const listed = async (path: string) =>
    (await frames(path, 'gif')).split('\n').flatMap((line) => /^\d.* (\w+)$/.exec(line)?.[1] ?? []);
  const TRAILER = 0x3b;

  test.each([0.3, 0.6, 0.95])('has its whole pictures, if it is cut off after %s of it', async (share) => {
    const gif = picture('gif');
    const { path, bytes } = await stripped(gif.subarray(0, Math.floor(gif.length * share)), 'gif');
    const found = await listed(path);
    const all = await listed(join(directory, 'made.gif'));
    expect(found.length).toBeGreaterThan(0);
    expect(found.length).toBeLessThan(all.length);
    expect(found).toEqual(all.slice(0, found.length));
    expect(bytes.at(-1)).not.toBe(TRAILER);
  });

  test('ends where it goes on with what is no block, as in browsers', async () => {
    const gif = picture('gif');
    // The control extension before the last picture, of which the delay would be another one.
    const at = gif.lastIndexOf(Buffer.from('21f904', 'hex'));
    const { path, bytes } = await stripped(
      Buffer.concat([gif.subarray(0, at), Buffer.from([0x7f, 0x7f, 0x7f]), gif.subarray(at)]),
      'gif',
    );
    const all = await listed(join(directory, 'made.gif'));
    expect(await listed(path)).toEqual(all.slice(0, -1));
    expect(bytes.at(-1)).toBe(TRAILER);
  });

  test('keeps as much of its only picture as there is', async () => {
    const gif = picture('gif');
    const cut = gif.subarray(0, 2000);
    expect((await stripped(cut, 'gif')).bytes.equals(cut)).toBe(true);
  });

  test('is whole without a trailer, if its pictures are', async () => {
    const gif = picture('gif');
    expect((await stripped(gif.subarray(0, -1), 'gif')).bytes.equals(gif)).toBe(true);
  });
});

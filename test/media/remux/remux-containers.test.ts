import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { packagedFontPath } from '../../../transcoder/letters/packaged-fonts.ts';
import { readSound } from '../../fixtures/barcode.ts';
import { fixture, programs, turn } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';
import { type Done, failureOf, operate } from '../operate.ts';
import { scratch } from '../scratch.ts';
import { contentsOf } from './contents.ts';

interface Shown {
  time: number;
  hash: string;
}

/** Frames as a player shows them, with their times. */
async function framesOf(path: string): Promise<Shown[]> {
  const { stdout } = await run(programs, 'ffmpeg', [
    ...[
      '-v',
      'error',
      '-copyts',
      '-i',
      path,
      '-map',
      '0:v:0',
      '-fps_mode',
      'passthrough',
      '-enc_time_base',
      '1:90000',
    ],
    ...['-f', 'framemd5', '-'],
  ]);
  const lines = stdout.split('\n').filter((line) => /^\d/.test(line));
  return lines.map((line) => {
    const cells = line.split(',');
    return { time: Number(cells[2]) / 90_000, hash: (cells[5] ?? '').trim() };
  });
}

/** A hash of the sound as a player decodes it. */
async function soundOf(path: string): Promise<string> {
  const args = ['-v', 'error', '-i', path, '-map', '0:a:0', '-c:a', 'pcm_s24le', '-f', 'md5', '-'];
  return (await run(programs, 'ffmpeg', args)).stdout;
}

async function expectSameFrames(source: string, done: Done, tolerance: number): Promise<void> {
  const [wanted, made] = [await framesOf(source), await framesOf(done.path)];
  expect(made.map(({ hash }) => hash)).toEqual(wanted.map(({ hash }) => hash));
  const [first, other] = [wanted[0]?.time ?? 0, made[0]?.time ?? 0];
  const apart = made.map(({ time }, at) => Math.abs(time - other - ((wanted[at]?.time ?? 0) - first)));
  expect(Math.max(...apart)).toBeLessThanOrEqual(tolerance);
}

/** IVF, each of whose packets ends with an OBU of padding (AV1, 5.3.1 and 6.2.2). */
function withPadding(ivf: Buffer): Buffer {
  const padding = Buffer.from([(15 << 3) | 2, 3, 1, 2, 0x80]);
  const [head, packet] = [32, 12];
  const parts = [ivf.subarray(0, head)];
  for (let at = head; at < ivf.length; ) {
    const length = ivf.readUInt32LE(at);
    const header = Buffer.from(ivf.subarray(at, at + packet));
    header.writeUInt32LE(length + padding.length);
    parts.push(header, ivf.subarray(at + packet, at + packet + length), padding);
    at += packet + length;
  }
  return Buffer.concat(parts);
}

/** Half a tick of Matroska on either side. */
const MS = 0.001;
const TICK = 2 / 90_000;

describe('a remux between containers', () => {
  test.each<[string, string | undefined, string[], number]>(
    sampled(
      [
        ['plain.mp4', undefined, ['h264', 'aac'], TICK],
        ['plain.mp4', 'mov', ['h264', 'aac'], TICK],
        ['plain.mp4', 'mkv', ['h264', 'aac'], MS],
        ['plain.mkv', undefined, ['h264', 'aac'], MS],
        ['plain.mkv', 'mp4', ['h264', 'aac'], MS],
        ['late.mkv', 'mp4', ['h264', 'aac'], MS],
        ['late.ts', 'mp4', ['h264', 'aac'], TICK],
        ['late.ts', undefined, ['h264', 'aac'], MS],
        ['pcm.mov', undefined, ['h264', 'pcm_s16le'], TICK],
        ['pcm.mov', 'mkv', ['h264', 'pcm_s16le'], MS],
        ['vp9.webm', undefined, ['vp9', 'opus'], MS],
        ['vp9.webm', 'mkv', ['vp9', 'opus'], MS],
        ['vp9.webm', 'mp4', ['vp9', 'opus'], MS],
        ['av1.mp4', 'webm', ['av1'], MS],
        ['hevc.mp4', 'mkv', ['hevc', 'aac'], MS],
        ['hdr10.mp4', 'mkv', ['hevc', 'aac'], MS],
        ['vfr.mp4', undefined, ['h264', 'aac'], TICK],
        ['rotated.mp4', 'mov', ['h264', 'aac'], TICK],
        ['open-gop.mp4', 'mkv', ['h264', 'aac'], MS],
        ['late-sound.mp4', 'mp4', ['h264', 'aac'], TICK],
        ['edit-list.mp4', 'mp4', ['h264', 'aac'], TICK],
        ['edit-list.mp4', 'mov', ['h264', 'aac'], TICK],
      ],
      3,
    ),
  )('%s as %s shows the same frames at the same times', async (name, format, codecs, tolerance) => {
    const tracks = name === 'av1.mp4' ? [{ index: 1, keep: false }] : [];
    const done = await operate('remux', name, { ...(format ? { format } : {}), tracks });
    const { streams } = await contentsOf(done.path);
    expect(streams.map(({ codec }) => codec)).toEqual(codecs);
    await expectSameFrames(fixture(name), done, tolerance);
    // Matroska rounds to milliseconds, and mp4 then skips other samples of Opus at its beginning.
    if (format !== 'mkv' && name !== 'av1.mp4' && !(name === 'vp9.webm' && format === 'mp4'))
      expect(await soundOf(done.path)).toBe(await soundOf(fixture(name)));
  });

  test.each(sampled(['mkv', 'mp4', 'webm'], 3))(
    'AV1 with padding, which muxers leave out, is copied into %s',
    async (format) => {
      const [plain, padded] = [join(scratch(), 'plain.ivf'), join(scratch(), 'padded.ivf')];
      const encode = ['-an', '-c:v', 'libsvtav1', '-preset', '12', '-pix_fmt', 'yuv420p', plain];
      await run(programs, 'ffmpeg', ['-v', 'error', '-y', '-t', '1', '-i', fixture('plain.mp4'), ...encode]);
      await writeFile(padded, withPadding(await readFile(plain)));
      const done = await operate('remux', padded, { format });
      await expectSameFrames(padded, done, MS);
    },
  );

  /** A clock in its header instead of a frame rate, and a rate that is off by 0.04 %: libav then states no duration of any packet. */
  test.each(sampled(['0', '3'], 3))(
    'shows the last frame of H.264 without a rate, with %s B-frames in a row',
    async (most) => {
      const source = join(scratch(), `clock-${most}.ts`);
      const clock = 'h264_metadata=tick_rate=2000000:fixed_frame_rate_flag=0';
      await run(programs, 'ffmpeg', [
        ...[
          '-v',
          'error',
          '-y',
          '-t',
          '2',
          '-i',
          fixture('plain.mp4'),
          '-c:v',
          'libx264',
          '-preset',
          'veryfast',
        ],
        ...[
          '-bf',
          most,
          '-c:a',
          'aac',
          '-bsf:v',
          `${clock},setts=pts=round(PTS*1.0004):dts=round(DTS*1.0004)`,
        ],
        source,
      ]);
      for (const format of ['mp4', 'mov'])
        await expectSameFrames(source, await operate('remux', source, { format }), TICK);
    },
  );

  test.each<[string, string, string, string[]]>(
    sampled(
      [
        ['libmp3lame', 'mp4', 'mp3', ['mp3']],
        ['libmp3lame', 'mkv', 'mp3', ['mp3']],
        ['flac', 'mkv', 'flac', ['flac']],
        ['flac', 'mkv', 'ogg', ['flac']],
        ['flac', 'mkv', 'mp4', ['h264', 'flac']],
        ['libopus', 'webm', 'ogg', ['opus']],
        ['libopus', 'mp4', 'ogg', ['opus']],
        ['libopus', 'mp4', 'mkv', ['h264', 'opus']],
        ['libvorbis', 'mkv', 'ogg', ['vorbis']],
        ['pcm_s24le', 'mov', 'wav', ['pcm_s24le']],
        ['aac', 'mkv', 'm4a', ['aac']],
      ],
      3,
    ),
  )('moves %s from %s to %s', async (encoder, from, format, codecs) => {
    const source = join(scratch(), `${encoder}.${from}`);
    await run(programs, 'ffmpeg', [
      ...[
        '-v',
        'error',
        '-y',
        '-f',
        'lavfi',
        '-i',
        'testsrc=s=160x120:d=2',
        '-f',
        'lavfi',
        '-i',
        'sine=d=2:r=48000',
      ],
      ...[
        '-c:v',
        from === 'webm' ? 'libvpx-vp9' : 'libx264',
        '-c:a',
        encoder,
        '-metadata',
        'title=T',
        source,
      ],
    ]);
    const set = { artist: 'Ann ü', comment: 'c' };
    const done = await operate('remux', source, { format, set });
    const { streams, tags } = await contentsOf(done.path);
    expect(streams.map(({ codec }) => codec)).toEqual(codecs);
    const own = { ...streams[0]?.tags, ...tags };
    const named = Object.fromEntries(Object.entries(own).map(([name, value]) => [name.toLowerCase(), value]));
    expect(named).toMatchObject({ title: 'T', ...set });
    expect(done.width).toBe(codecs.length > 1 ? 160 : null);
  });

  test('refuses a container that would show frames which an edit list hides', async () => {
    const failed = await failureOf(operate('remux', 'edit-list.mp4', { format: 'mkv' }));
    expect(failed).toMatchObject({ code: 'codec_unsupported', detail: expect.stringContaining('edit list') });
  });

  test.each(sampled(['mkv', 'webm'], 3))(
    'refuses %s, which cannot say how a picture is turned',
    async (format) => {
      const source = format === 'webm' ? join(scratch(), 'turned-vp9.mp4') : fixture('rotated.mp4');
      if (format === 'webm') {
        const copied = ['-map', '0:v', '-c', 'copy', source];
        await run(programs, 'ffmpeg', ['-v', 'error', '-y', '-i', fixture('vp9.webm'), ...copied]);
        await turn(source);
      }
      const failed = await failureOf(
        operate('remux', source, { format, tracks: format === 'mkv' ? [{ index: 1, keep: false }] : [] }),
      );
      expect(failed).toMatchObject({ code: 'codec_unsupported', detail: expect.stringContaining('turn') });
    },
  );

  test('refuses mp2 in mp4, where it is taken for mp3', async () => {
    const source = join(scratch(), 'mp2.mkv');
    const sound = ['-c:v', 'copy', '-c:a', 'mp2', source];
    await run(programs, 'ffmpeg', ['-v', 'error', '-y', '-i', fixture('plain.mp4'), ...sound]);
    expect(await failureOf(operate('remux', source, { format: 'mp4' }))).toMatchObject({
      code: 'codec_unsupported',
      detail: expect.stringContaining('mp2'),
    });
  });

  test.each(sampled([2, 6], 3))(
    'moves WavPack with %i channels into Matroska with all that is heard',
    async (channels) => {
      const source = join(scratch(), `sound-${channels}.wv`);
      const how = ['-map', 'a', '-ac', `${channels}`, '-c:a', 'wavpack'];
      await run(programs, 'ffmpeg', ['-v', 'error', '-y', '-i', fixture('plain.mp4'), ...how, source]);
      const done = await operate('remux', source, { audio_url: '', format: 'mkv' });
      expect(await soundOf(done.path)).toBe(await soundOf(source));
    },
  );

  test.each(sampled(['mkv', 'avi', 'mp4', 'mp3'], 3))(
    'moves mp3 out of %s with all that is heard',
    async (from) => {
      const source = join(scratch(), `mp3-in.${from}`);
      const sound = ['-vn', '-c:a', 'libmp3lame', source];
      await run(programs, 'ffmpeg', ['-v', 'error', '-y', '-i', fixture('plain.mp4'), ...sound]);
      const done = await operate('remux', source, { format: 'mp3' });
      const [before, after] = [await readSound(source), await readSound(done.path)];
      expect(before.length).toBeGreaterThan(0);
      expect(after.findIndex((sample, at) => at < before.length && sample !== before[at])).toBe(-1);
      expect(after.length).toBeGreaterThanOrEqual(before.length);
    },
  );

  test.each(sampled(['libopus', 'alac'], 3))(
    'keeps the last packet of %s that begins after the picture',
    async (codec) => {
      const path = join(scratch(), `late-${codec}.mp4`);
      const source = ['-i', fixture('plain.mp4')];
      const late = [...source, '-itsoffset', '0.5', ...source, '-map', '0:v', '-map', '1:a'];
      const made = ['-c:v', 'copy', '-c:a', codec, '-movflags', 'frag_keyframe+empty_moov'];
      const flags = codec === 'alac' ? made : made.slice(0, 4);
      await run(programs, 'ffmpeg', ['-v', 'error', '-y', ...late, ...flags, path]);
      const done = await operate('remux', path, {});
      const [wanted, found] = [await readSound(path), await readSound(done.path)];
      expect(Math.abs(found.length - wanted.length)).toBeLessThan(0.1 * 48_000);
      expect(found.length).toBeGreaterThan(wanted.length - 480);
    },
  );

  test('keeps the subtitles and fonts of Matroska with codecs that WebM has, too', async () => {
    const [text, source] = [join(scratch(), 'said.srt'), join(scratch(), 'subtitled.mkv')];
    await writeFile(text, '1\n00:00:00,000 --> 00:00:01,000\nHello\n');
    const font = ['-attach', packagedFontPath('Bangers', true), '-metadata:s:t', 'mimetype=font/ttf'];
    const inputs = ['-i', fixture('vp9.webm'), '-i', text, '-map', '0', '-map', '1'];
    await run(programs, 'ffmpeg', [
      ...['-v', 'error', '-y', ...inputs, '-c', 'copy', '-c:s', 'srt', ...font, source],
    ]);
    const done = await operate('remux', source, { set: { title: 'New' } });
    expect(done.warnings).toEqual([]);
    const { streams } = await contentsOf(done.path);
    expect(streams.map(({ type }) => type)).toEqual(['video', 'audio', 'subtitle', 'attachment']);
  });

  test('keeps what an own cut hides', async () => {
    const cut = await operate('cut', 'long-gop.mp4', { start: 1.3, duration: 2.5, mode: 'keyframe' });
    const done = await operate('remux', cut.path, { strip: 'all' });
    await expectSameFrames(cut.path, done, TICK);
  });
});

describe('a source that is damaged', () => {
  test('and ends early is named as incomplete', async () => {
    const failed = await failureOf(operate('remux', 'truncated.mp4', {}));
    expect(failed.code).toBe('source_truncated');
  });
});

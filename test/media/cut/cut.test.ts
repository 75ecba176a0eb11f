import { describe, expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import {
  lagOf,
  readColor,
  readNumbers,
  readPulses,
  readSound,
  readTimes,
  streamOf,
} from '../../fixtures/barcode.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';
import { failureOf, operate, range } from '../operate.ts';

const numbers = async (source: string, request: Record<string, unknown>) =>
  readNumbers((await operate('cut', source, request)).path);

describe('a precise cut keeps exactly the frames from start − ½f to end − ½f', () => {
  const second = { start: 1.5, duration: 1 };
  test.each(
    sampled(
      [
        ['of closed groups of pictures', 'plain.mp4', second, range(45, 75)],
        ['of open groups of pictures', 'open-gop.mp4', second, range(45, 75)],
        [
          'just behind the keyframe of an open group',
          'open-gop.mp4',
          { start: 2.0, end: 2.2 },
          range(60, 66),
        ],
        ['before the keyframe of an open group', 'open-gop.mp4', { start: 1.9, end: 2.0 }, range(57, 60)],
        ['of one long group', 'long-gop.mp4', second, range(45, 75)],
        ['at 24000/1001 frames a second', 'ntsc-film.mp4', second, range(36, 60)],
        ['at 60 frames a second', 'sixty.mp4', second, range(90, 150)],
        ['turned by its display matrix', 'rotated.mp4', second, range(45, 75)],
        ['with wide pixels', 'wide-pixels.mp4', second, range(45, 75)],
        ['with odd sides', 'odd-444.mp4', second, range(45, 75)],
        ['with 10 bit', 'h264-10bit.mp4', second, range(45, 75)],
        ['without sound', 'no-sound.mp4', second, range(45, 75)],
        ['in HEVC', 'hevc.mp4', second, range(45, 75)],
        ['in AV1', 'av1.mp4', second, range(45, 75)],
        ['in VP9', 'vp9.webm', second, range(45, 75)],
        ['in a transport stream that begins at 11.4 s', 'late.ts', second, range(44, 74)],
        ['in a Matroska file that begins at 5 s', 'late.mkv', second, range(44, 74)],
        ['whose video begins a second late', 'late-video.mkv', second, range(14, 44)],
        ['behind an edit list', 'edit-list.mp4', second, range(90, 120)],
        ['beside an attached picture', 'cover.mp4', second, range(45, 75)],
        ['whose file ends behind the cut', 'truncated.mp4', second, range(45, 75)],
        ['in a GIF', 'anim.gif', { start: 0.3, end: 0.6 }, [10, 13, 16]],
        ['from the very start', 'plain.mp4', { start: 0, duration: 0.5 }, range(0, 15)],
        ['up to the very end', 'plain.mp4', { start: 5.5, end: 6 }, range(165, 180)],
        ['between frames', 'plain.mp4', { start: 1.51, end: 1.62 }, range(45, 49)],
        ['half a frame before a frame', 'plain.mp4', { start: 44.5 / 30, end: 1.6 }, range(44, 48)],
        ['of a single frame', 'plain.mp4', { start: 1, duration: 0.03 }, [30]],
        ['with a time as text', 'plain.mp4', { start: '00:00:01.500', duration: '1' }, range(45, 75)],
      ],
      3,
    ),
  )('%s', async (_, source, request, expected) => {
    expect(await numbers(source, request)).toEqual(expected);
  });

  test.each(
    sampled(
      [
        ['vfr.mp4', 0],
        ['vfr.mkv', 0.0213],
      ],
      3,
    ),
  )('with their own times where the rate varies: %s', async (source, late) => {
    const done = await operate('cut', source, { start: 2, end: 4 });
    const [start = 0] = done.time_map[0]?.in ?? [];
    const found = await readNumbers(done.path);
    const all = await readNumbers(fixture(source));
    const at = (number: number) => number / 30 + late;
    const near = all.find((number) => Math.abs(at(number) - 2) < 1 / 60);
    const shown = near ?? all.findLast((number) => at(number) <= 2) ?? 0;
    expect(start).toBeCloseTo(near === undefined ? 2 : at(near), 3);
    expect(found).toEqual(all.filter((number) => number >= shown && at(number) < 3.98));
    const times = await readTimes(done.path);
    for (const [index, number] of found.entries()) {
      expect(times[index]).toBeCloseTo(Math.max(0, at(number) - start), 2);
    }
    expect(done.warnings.map((warning) => warning.code)).toContain('source_vfr');
  });
});

describe('a precise cut keeps', () => {
  test.each(sampled(['plain.mp4', 'pcm.mov', 'two-tracks.mp4'], 3))(
    'sound to the sample, from the instant of the first frame: %s',
    async (source) => {
      const done = await operate('cut', source, { start: 1.234567, duration: 2 });
      const whole = await readSound(fixture('plain.mp4'));
      const from = Math.round((37 / 30) * 48_000);
      expect(done.time_map).toEqual([{ source: 0, in: [1.233333, 3.233333], out: [0, 2] }]);
      const found = await readSound(done.path);
      expect(Math.abs(lagOf(found, whole.subarray(from, from + 96_000)))).toBeLessThanOrEqual(1);
      expect(Math.abs(found.length - 96_000)).toBeLessThanOrEqual(1024);
    },
  );

  test('size, sample aspect ratio and frame rate', async () => {
    const done = await operate('cut', 'wide-pixels.mp4', { start: 1, duration: 1 });
    expect(await streamOf(done.path, 'v')).toMatchObject({
      width: 240,
      height: 180,
      sample_aspect_ratio: '4:3',
      avg_frame_rate: '30/1',
    });
  });

  test('pictures upright, without a display matrix where they are rendered', async () => {
    const done = await operate('cut', 'rotated.mp4', { start: 1, duration: 0.5, quality: 'high' });
    const stream = await streamOf(done.path, 'v');
    expect(stream).toMatchObject({ width: 320, height: 180 });
    expect(stream.side_data_list).toBeUndefined();
    const corner = await readColor(done.path, { x: 0.01, y: 0.02, width: 0.07, height: 0.08 });
    expect(corner.r).toBeGreaterThan(180);
    expect(corner.g + corner.b).toBeLessThan(90);
  });

  test.each(
    sampled(
      [
        ['h264-10bit.mp4', { codec_name: 'h264', pix_fmt: 'yuv420p10le' }],
        ['hevc-10bit.mp4', { codec_name: 'hevc', pix_fmt: 'yuv420p10le', codec_tag_string: 'hvc1' }],
        [
          'hdr10.mp4',
          {
            codec_name: 'hevc',
            color_transfer: 'smpte2084',
            color_primaries: 'bt2020',
            color_space: 'bt2020nc',
          },
        ],
        [
          'tagged.mp4',
          {
            codec_name: 'h264',
            color_transfer: 'bt709',
            color_primaries: 'bt709',
            color_space: 'bt709',
            color_range: 'tv',
          },
        ],
        ['av1.mp4', { codec_name: 'av1' }],
      ],
      3,
    ),
  )('codec, depth and color of %s', async (source, expected) => {
    const done = await operate('cut', source, { start: 1, duration: 0.5 });
    expect(await streamOf(done.path, 'v')).toMatchObject(expected);
  });

  test('the channels of surround sound', async () => {
    const done = await operate('cut', 'surround.mp4', { start: 1, duration: 0.5 });
    expect(await streamOf(done.path, 'a')).toMatchObject({ codec_name: 'aac', channels: 6 });
  });

  test('about the bitrate of the source', async () => {
    const done = await operate('cut', 'plain.mp4', { start: 0, duration: 5 });
    const [before, after] = [await streamOf(fixture('plain.mp4'), 'v'), await streamOf(done.path, 'v')];
    const ratio = Number(after.bit_rate) / Number(before.bit_rate);
    expect(ratio).toBeGreaterThan(0.5);
    expect(ratio).toBeLessThan(1.3);
  });
});

describe('a cut', () => {
  test('ends at the end of the source and says so', async () => {
    const done = await operate('cut', 'plain.mp4', { start: 5, end: 60 });
    expect(done.duration).toBe(1);
    expect(done.warnings).toMatchObject([{ code: 'range_clamped' }]);
    expect(done.time_map).toEqual([{ source: 0, in: [5, 6], out: [0, 1] }]);
  });

  test('that begins behind the end names the field and the duration', async () => {
    const failure = await failureOf(operate('cut', 'plain.mp4', { start: 7, duration: 1 }));
    expect(failure.code).toBe('time_out_of_range');
    expect(failure.detail).toMatch(/start.*7.*6/);
  });

  test.each(
    sampled(
      [
        ['still.png', { start: 0, duration: 1 }, 'source_no_video'],
        ['sound.mp3', { start: 0, duration: 1 }, 'source_no_video'],
        ['cover.m4a', { start: 0, duration: 1 }, 'source_no_video'],
        ['no-sound.mp4', { audio_url: 'x', start: 0, duration: 1 }, 'source_no_audio'],
        ['truncated.mp4', { start: 2, end: 5 }, 'source_truncated'],
        ['late-video.mkv', { start: 0, end: 0.5 }, 'time_out_of_range'],
      ],
      3,
    ),
  )('of %s ends in a code that says why', async (source, request, code) => {
    expect((await failureOf(operate('cut', source, request))).code).toBe(code);
  });

  test('larger than the plan allows names both figures', async () => {
    const work = operate('cut', 'plain.mp4', { start: 0, duration: 1 }, { limits: { output_side_px: 256 } });
    expect(await failureOf(work)).toMatchObject({
      code: 'output_too_large',
      detail: expect.stringMatching(/320.*256/),
    });
  });

  test('without sound where mute was asked for, with a word where the source has none', async () => {
    const mute = await operate('cut', 'plain.mp4', { start: 0, duration: 1, audio: 'mute' });
    expect(await streamOf(mute.path, 'a')).toEqual({});
    expect(mute.warnings).toEqual([]);
    const silent = await operate('cut', 'no-sound.mp4', { start: 0, duration: 1 });
    expect(silent.warnings).toMatchObject([{ code: 'audio_missing' }]);
    const behind = await operate('cut', 'short-sound.mp4', { start: 4, duration: 1 });
    expect(behind.warnings).toMatchObject([{ code: 'audio_missing' }]);
  });

  test('lets sound that ends early end early', async () => {
    const done = await operate('cut', 'short-sound.mp4', { start: 2, end: 5 });
    expect(await readNumbers(done.path)).toEqual(range(60, 150));
    expect(Number((await streamOf(done.path, 'a')).duration)).toBeCloseTo(1, 1);
  });

  test('ends where its sound does, if it is cut as sound', async () => {
    const asSound = { audio_url: 'https://media.example.com/source', video_url: undefined };
    const done = await operate('cut', 'short-sound.mp4', { ...asSound, start: 1, end: 6 });
    expect(Number((await streamOf(done.path, 'a')).duration)).toBeCloseTo(2, 1);
    expect(done.warnings).toMatchObject([{ code: 'range_clamped' }]);
    const behind = operate('cut', 'short-sound.mp4', { ...asSound, start: 4, end: 5 });
    expect((await failureOf(behind)).code).toBe('time_out_of_range');
  });

  test('fades from and to black and silence', async () => {
    const done = await operate('cut', 'plain.mp4', { start: 0.5, end: 3.5, fade_in: 1, fade_out: 1 });
    const middle = { x: 0.9, y: 0.3, width: 0.1, height: 0.3 };
    const first = await readColor(done.path, middle);
    expect(first.r + first.g + first.b).toBeLessThan(20);
    const [early = 0, full = 0, late = 0] = await peaks(done.path, [0.5, 1.5, 2.5]);
    expect(early / full).toBeCloseTo(0.5, 1);
    expect(late / full).toBeCloseTo(0.5, 1);
  });

  test.each(
    sampled(
      [
        [{ codec: 'hevc' }, { codec_name: 'hevc', codec_tag_string: 'hvc1' }],
        [{ codec: 'vp9', format: 'webm' }, { codec_name: 'vp9' }],
        [{ codec: 'av1', format: 'mkv' }, { codec_name: 'av1' }],
        [{ format: 'mov' }, { codec_name: 'h264', codec_tag_string: 'avc1' }],
        [{ format: 'webm' }, { codec_name: 'vp9' }],
      ],
      3,
    ),
  )('is encoded as asked: %o', async (asked, expected) => {
    const done = await operate('cut', 'plain.mp4', { start: 1, duration: 0.5, ...asked });
    expect(await streamOf(done.path, 'v')).toMatchObject(expected);
    expect(await readNumbers(done.path)).toEqual(range(30, 45));
  });

  test('grows with the quality that is asked for', async () => {
    const sizes: number[] = [];
    for (const quality of ['low', 'medium', 'high', { crf: 5 }]) {
      const done = await operate('cut', 'plain.mp4', { start: 0, duration: 2, quality });
      sizes.push(Number((await streamOf(done.path, 'v')).bit_rate));
    }
    expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
    expect(new Set(sizes).size).toBe(4);
  });

  test('tells nothing of the source: its tags and chapters are dropped', async () => {
    const done = await operate('cut', 'tagged.mp4', { start: 0, duration: 0.5 });
    expect(await everyTag(fixture('tagged.mp4'))).toContain('Secret title');
    expect(await everyTag(done.path)).not.toContain('Secret');
  });
});

describe('a cut of sound alone', () => {
  test.each(sampled(['mp3', 'm4a', 'wav', 'flac', 'ogg'], 3))(
    'is exact to the sample: sound.%s',
    async (extension) => {
      const done = await operate('cut', `sound.${extension}`, { audio_url: 'x', start: 1.5, end: 3.6 });
      expect(done.files[0]).toMatchObject({ role: 'audio', extension: 'm4a', media_type: 'audio/mp4' });
      const whole = await readSound(fixture(`sound.${extension}`));
      const found = await readSound(done.path);
      expect(Math.abs(lagOf(found, whole.subarray(72_000, 72_000 + 100_800)))).toBeLessThanOrEqual(1);
      expect(await streamOf(done.path, 'v')).toEqual({});
    },
  );

  test('copies the packets of AAC, of which the first and the last are heard in part', async () => {
    const span = { audio_url: 'x', start: 1.234_567, end: 3.6 };
    const done = await operate('cut', 'sound.m4a', span);
    const rendered = await operate('cut', 'sound.m4a', span, { libav: null });
    const packets = async (path: string) => {
      const args = ['-v', 'error', '-i', path, '-map', '0:a', '-c', 'copy', '-f', 'framemd5', '-'];
      const { stdout } = await run(programs, 'ffmpeg', args);
      return stdout.match(/^\d.*$/gm)?.map((line) => line.split(',')[5]) ?? [];
    };
    const source = new Set(await packets(fixture('sound.m4a')));
    const copied = await packets(done.path);
    expect(copied.length).toBeGreaterThan(110);
    expect(copied.filter((hash) => !source.has(hash))).toEqual([]);
    expect((await packets(rendered.path)).some((hash) => !source.has(hash))).toBe(true);
    const stream = await streamOf(done.path, 'a');
    expect(Math.abs(Number(stream.duration_ts) - Math.round((3.6 - 1.234_567) * 48_000))).toBeLessThanOrEqual(
      1,
    );
  });

  test('joins ranges in any order', async () => {
    const segments = [
      { start: 3.5, end: 4.6 },
      { start: 0.3, end: 2.1 },
    ];
    const done = await operate('cut', 'sound.wav', { audio_url: 'x', segments });
    const pulses = await readPulses(done.path);
    expect(pulses.map((time) => Number(time.toFixed(3)))).toEqual([0.5, 1.8, 2.8]);
  });

  test('takes the sound of a video', async () => {
    const done = await operate('cut', 'plain.mp4', { audio_url: 'x', start: 1, end: 2, format: 'webm' });
    expect(done.files[0]).toMatchObject({ role: 'audio', media_type: 'audio/webm' });
  });
});

/** The highest sample around each time. */
async function peaks(path: string, times: number[]): Promise<number[]> {
  const sound = await readSound(path);
  return times.map((time) =>
    Math.max(...sound.subarray(Math.round((time - 0.05) * 48_000), Math.round((time + 0.05) * 48_000))),
  );
}

async function everyTag(path: string): Promise<string> {
  const { stdout } = await run(programs, 'ffprobe', [
    '-v',
    'error',
    '-show_format',
    '-show_streams',
    '-show_chapters',
    path,
  ]);
  return stdout;
}

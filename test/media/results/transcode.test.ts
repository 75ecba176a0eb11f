import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import {
  firstFrameOf,
  readNumbers,
  readPulses,
  readSound,
  readTimes,
  streamOf,
} from '../../fixtures/barcode.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';
import { ctx, failureOf, operate, operateOn, range } from '../operate.ts';
import { scratch } from '../scratch.ts';

describe('a transcode', () => {
  test.each(sampled(['h264', 'hevc', 'vp9'], 3))('of RGB video keeps its colors: %s', async (codec) => {
    const source = join(scratch(), 'rgb.mp4');
    await run(programs, 'ffmpeg', [
      ...['-v', 'error', '-nostdin', '-y', '-f', 'lavfi', '-i', 'color=0xc83214:s=64x48:r=10:d=0.5'],
      ...['-vf', 'format=gbrp', '-c:v', 'libx264rgb', '-crf', '0', source],
    ]);
    const made = await operate('transcode', source, { codec, format: codec === 'vp9' ? 'webm' : 'mp4' });
    const raw = join(scratch(), 'rgb.raw');
    const decoded = [
      '-vf',
      'scale=1:1:in_color_matrix=bt709,format=rgb24',
      '-frames:v',
      '1',
      '-f',
      'rawvideo',
      raw,
    ];
    await run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', '-i', made.path, ...decoded]);
    const [red = 0, green = 0, blue = 0] = await readFile(raw);
    for (const [found, wanted] of [
      [red, 0xc8],
      [green, 0x32],
      [blue, 0x14],
    ] as const) {
      expect(Math.abs(found - wanted)).toBeLessThan(8);
    }
    expect(await streamOf(made.path, 'v')).toMatchObject({ color_space: 'bt709' });
  });

  // x265 may write past the end of its memory there, and the process then ends.
  test.each(sampled([16, 38, 48], 3))('to hevc may be %i px wide', async (width) => {
    for (const quality of [{ video_bitrate_kbps: 50 }, 'low']) {
      const request = { codec: 'hevc', width, height: 200, fit: 'stretch', quality };
      const done = await operate('transcode', 'plain.mp4', request);
      expect(await readTimes(done.path)).toHaveLength(180);
    }
  });

  test.each(
    sampled(
      [
        ['plain.mp4', { format: 'webm', height: 90 }, { codec_name: 'vp9', width: 160, height: 90 }],
        ['pcm.mov', { format: 'mkv' }, { codec_name: 'h264' }],
        ['plain.mp4', { codec: 'hevc' }, { codec_name: 'hevc', codec_tag_string: 'hvc1' }],
        ['vp9.webm', { format: 'mov' }, { codec_name: 'h264' }],
        ['vp9.webm', {}, { codec_name: 'vp9' }],
        ['hevc-10bit.mp4', { codec: 'h264' }, { codec_name: 'h264', pix_fmt: 'yuv420p' }],
        ['hevc-10bit.mp4', { codec: 'vp9', format: 'webm' }, { codec_name: 'vp9', pix_fmt: 'yuv420p10le' }],
        ['rotated.mp4', { width: 160 }, { width: 160, height: 90 }],
        ['odd.webm', { format: 'webm' }, { codec_name: 'vp9', width: 321, height: 181 }],
        ['wide-pixels.mp4', {}, { width: 240, height: 180, sample_aspect_ratio: '4:3' }],
        ['wide-pixels.mp4', { height: 90 }, { width: 160, height: 90, sample_aspect_ratio: '1:1' }],
        ['plain.mp4', { width: 160, height: 160, fit: 'contain' }, { width: 160, height: 160 }],
        ['plain.mp4', { width: 160, height: 160, fit: 'stretch' }, { width: 160, height: 160 }],
      ],
      3,
    ),
  )('of %s with %o has every frame', async (source, request, expected) => {
    const done = await operate('transcode', source, request);
    expect(await streamOf(done.path, 'v')).toMatchObject(expected);
    const boxed = 'fit' in request && request.fit === 'contain';
    const region = { x: 0.3, y: (35 + 37) / 160, width: 0.4, height: 16 / 160 };
    expect(await readNumbers(done.path, ...(boxed ? [region] : []))).toEqual(range(0, 180));
  });

  test('keeps the times of a varying rate', async () => {
    const done = await operate('transcode', 'vfr.mp4', { format: 'mkv' });
    const times = await readTimes(done.path);
    const first = times[0] ?? 0;
    for (const [index, number] of (await readNumbers(done.path)).entries()) {
      expect((times[index] ?? 0) - first).toBeCloseTo(number / 30, 2);
    }
  });

  test.each(sampled(['plain.mp4', 'vfr.mp4', 'late.ts'], 3))(
    'gives a constant rate where one is asked for: %s',
    async (source) => {
      const done = await operate('transcode', source, { fps: 25 });
      const times = await readTimes(done.path);
      // The first frame stands where it does in the source, which may begin with sound.
      const [first = 0] = times;
      expect(first).toBeLessThan(1 / 30);
      for (const [index, time] of times.entries()) expect(time - first).toBeCloseTo(index / 25, 4);
      expect(Math.abs(times.length - 150)).toBeLessThanOrEqual(1);
      expect(await streamOf(done.path, 'v')).toMatchObject({ avg_frame_rate: '25/1' });
    },
  );

  test.each(sampled(['transcode', 'merge_urls'] as const, 3))(
    'to a higher rate shows the last frame of a source that states no durations: %s',
    async (operation) => {
      const source = join(scratch(), 'no-durations.ts');
      await run(programs, 'ffmpeg', [
        ...['-v', 'error', '-nostdin', '-y', '-i', fixture('plain.mp4'), '-an', '-vf', 'fps=24000/1001'],
        ...['-frames:v', '47', '-c:v', 'mpeg4', '-q:v', '2', source],
      ]);
      const last = (await readNumbers(source)).at(-1);
      const url = 'https://media.example.com/clip.ts';
      const { path } =
        operation === 'transcode'
          ? await operate('transcode', source, { fps: 30 })
          : await operateOn('merge_urls', [source, source], { urls: [url, url], fps: 30 });
      expect((await readNumbers(path)).at(-1)).toBe(last);
    },
  );

  test.each(sampled([1, 2, 5, 7], 3))('ends with the source at a rate as low as %i', async (fps) => {
    const source = join(scratch(), `ends-at-${fps}.mp4`);
    await run(programs, 'ffmpeg', [
      ...['-v', 'error', '-nostdin', '-y', '-i', fixture('plain.mp4'), '-t', `${2 + 1.01 / 30}`],
      ...['-c:v', 'libx264', '-c:a', 'aac', source],
    ]);
    const done = await operate('transcode', source, { fps });
    const times = await readTimes(done.path);
    expect(times.length).toBe(Math.round(2.033 * fps));
  });

  test('takes 29.97 for 30000/1001', async () => {
    const done = await operate('transcode', 'plain.mp4', { fps: 29.97 });
    expect(await streamOf(done.path, 'v')).toMatchObject({ r_frame_rate: '30000/1001' });
  });

  test('maps HDR to BT.709 where the codec gets 8 bit', async () => {
    const done = await operate('transcode', 'hdr10.mp4', { codec: 'h264' });
    expect(done.warnings).toMatchObject([{ code: 'hdr_tonemapped' }]);
    expect(await streamOf(done.path, 'v')).toMatchObject({
      pix_fmt: 'yuv420p',
      color_transfer: 'bt709',
      color_space: 'bt709',
    });
    expect(await readNumbers(done.path)).toEqual(range(0, 180));
  });

  test('keeps HDR10 metadata', async () => {
    const done = await operate('transcode', 'hdr10.mp4', {});
    const stream = await streamOf(done.path, 'v');
    expect(stream).toMatchObject({ color_transfer: 'smpte2084', color_primaries: 'bt2020' });
    const frame = JSON.stringify(await firstFrameOf(done.path));
    expect(frame).toMatch(/"max_luminance":"10000000\/10000".*"max_content":1000/);
  });

  test.each(
    sampled(
      [
        ['mp4', 'mp3', 'mp3'],
        ['mp4', 'opus', 'opus'],
        ['mp4', 'flac', 'flac'],
        ['mov', 'pcm', 'pcm_s16le'],
        ['webm', 'vorbis', 'vorbis'],
        ['mkv', 'auto', 'aac'],
      ],
      3,
    ),
  )('puts sound into %s as %s', async (format, audio_codec, expected) => {
    const done = await operate('transcode', 'plain.mp4', { format, audio_codec });
    expect(await streamOf(done.path, 'a')).toMatchObject({ codec_name: expected });
  });

  test.each(
    sampled(
      [
        ['transcode', 8000, {}, '48000'],
        ['transcode', 11_025, {}, '44100'],
        ['transcode', 44_100, {}, '44100'],
        ['cut', 8000, { start: 1, duration: 2, quality: 'high' }, '48000'],
      ] as const,
      3,
    ),
  )('puts sound of few samples a second into mkv: %s, %i', async (name, rate, request, made) => {
    const source = join(scratch(), `few-${rate}.mov`);
    const sound = ['-map', '0', '-c:v', 'copy', '-c:a', 'pcm_s16le', '-ar', `${rate}`, '-t', '4'];
    await run(programs, 'ffmpeg', ['-v', 'error', '-y', '-i', fixture('plain.mp4'), ...sound, source]);
    const done = await operate(name, source, { ...request, format: 'mkv' });
    expect(await streamOf(done.path, 'a')).toMatchObject({ codec_name: 'aac', sample_rate: made });
    // The packet in front of the sound moves the picture.
    const [first = 1] = await readTimes(done.path);
    expect(first).toBeLessThan(0.03);
  });

  test.each(
    sampled(
      [
        [8000, { audio_codec: 'mp3' }, '48000'],
        [11_025, { audio_codec: 'mp3' }, '44100'],
        [192_000, { audio_codec: 'vorbis', format: 'webm' }, '48000'],
        [88_200, { audio_codec: 'vorbis', format: 'mkv' }, '44100'],
      ],
      3,
    ),
  )('brings sound of %i Hz to a rate that can be encoded: %j', async (rate, request, made) => {
    const source = join(scratch(), `rate-${rate}.mov`);
    const sound = ['-map', '0', '-c:v', 'copy', '-c:a', 'pcm_s16le', '-ar', `${rate}`, '-t', '2'];
    await run(programs, 'ffmpeg', ['-v', 'error', '-y', '-i', fixture('plain.mp4'), ...sound, source]);
    const done = await operate('transcode', source, request);
    expect(await streamOf(done.path, 'a')).toMatchObject({ sample_rate: made });
  });

  test.each(
    sampled(
      [
        ['mp2', 'ts'],
        ['mp2', 'mkv'],
        ['ac3', 'mkv'],
        ['wmav2', 'asf'],
      ],
      3,
    ),
  )('is compared with the sound of its source: %s in %s', async (codec, container) => {
    const source = join(scratch(), `${codec}.${container}`);
    const sound = ['-map', '0', '-c:v', 'copy', '-c:a', codec, '-t', '3'];
    await run(programs, 'ffmpeg', ['-v', 'error', '-y', '-i', fixture('plain.mp4'), ...sound, source]);
    const warnings: string[] = [];
    await operate('transcode', source, {}, { onWarning: (message) => warnings.push(message) });
    expect(warnings).toEqual([]);
  });

  test('needs a picture', async () => {
    expect((await failureOf(operate('transcode', 'sound.mp3', {}))).code).toBe('source_no_video');
  });

  test('with a side beyond the plan names the figures', async () => {
    const work = operate('transcode', 'plain.mp4', { width: 2000 });
    expect(await failureOf(work)).toMatchObject({
      code: 'output_too_large',
      detail: expect.stringMatching(/2000.*1920/),
    });
  });

  test('without an encoder says which', async () => {
    const encoders = new Set([...ctx.capabilities.encoders].filter((name) => name !== 'libx265'));
    const work = operate(
      'transcode',
      'plain.mp4',
      { codec: 'hevc' },
      { capabilities: { ...ctx.capabilities, encoders } },
    );
    expect(await failureOf(work)).toMatchObject({
      code: 'engine_unavailable',
      detail: expect.stringContaining('hevc'),
    });
  });
});

describe('sound that fits as it is', () => {
  test.each(sampled(['plain.mp4', 'edit-list.mp4', 'short-sound.mp4', 'late-sound.mp4', 'surround.mp4'], 3))(
    'is copied, sample by sample: %s',
    async (source) => {
      const done = await operate('transcode', source, { height: 90 });
      const [made, wanted] = [await readSound(done.path), await readSound(fixture(source))];
      expect(made.length).toBe(wanted.length);
      expect(made.findIndex((sample, index) => sample !== wanted[index])).toBe(-1);
    },
  );
});

describe('sound that outlasts the picture', () => {
  test.each(sampled([0.03, 0.045, 0.07, 0.2], 3))('by %f s is kept in every container', async (more) => {
    const source = join(scratch(), `sound-longer-by-${more}.mov`);
    const sound = `sine=duration=${1 + more}:sample_rate=48000`;
    await run(programs, 'ffmpeg', [
      ...['-v', 'error', '-y', '-f', 'lavfi', '-i', 'testsrc2=size=64x64:rate=25:duration=1'],
      ...['-f', 'lavfi', '-i', sound, '-c:v', 'libx264', '-c:a', 'pcm_s16le', source],
    ]);
    for (const format of ['mp4', 'mkv', 'mov', 'webm']) {
      const made = await readSound((await operate('transcode', source, { format })).path);
      expect(made.length / 48_000).toBeGreaterThan(1 + more - 0.001);
    }
  });
});

describe('sound alone', () => {
  test.each(
    sampled(
      [
        ['mp3', 'audio/mpeg', 'mp3'],
        ['m4a', 'audio/mp4', 'aac'],
        ['wav', 'audio/wav', 'pcm_s16le'],
        ['flac', 'audio/flac', 'flac'],
        ['ogg', 'audio/ogg', 'opus'],
      ],
      3,
    ),
  )('comes as %s', async (format, media_type, codec) => {
    const done = await operate('transcode', 'surround.mp4', { audio_only: true, format });
    expect(done.files[0]).toMatchObject({ role: 'audio', extension: format, media_type });
    expect(await streamOf(done.path, 'a')).toMatchObject({ codec_name: codec });
    expect((await readPulses(done.path)).map((time) => Number(time.toFixed(2)))).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test('is refused where there is none', async () => {
    expect((await failureOf(operate('transcode', 'no-sound.mp4', { audio_only: true }))).code).toBe(
      'source_no_audio',
    );
  });
});

describe('loudness', () => {
  test.each(sampled([-16, -30], 3))('is brought to %i LUFS', async (normalize_lufs) => {
    const done = await operate('transcode', 'tone.wav', { audio_only: true, format: 'flac', normalize_lufs });
    expect(done.data.measured_lufs).toBeCloseTo(-26, -1);
    const probed = await operate('probe', done.path, { loudness: true });
    const { integrated_lufs } = probed.data.loudness as { integrated_lufs: number };
    expect(Math.abs(integrated_lufs - normalize_lufs)).toBeLessThanOrEqual(0.15);
  });

  test.each(
    sampled(
      [
        ['mp3', 96],
        ['mp3', 176],
        ['mp3', 192],
        ['mp3', 224],
        ['mp3', 320],
        ['m4a', 128],
        ['wav', undefined],
      ],
      3,
    ),
  )('is that of %s at %s kbit/s too, with its peaks within bounds', async (format, audio_bitrate_kbps) => {
    const request = { audio_only: true, format, audio_bitrate_kbps, normalize_lufs: -6 };
    const done = await operate('transcode', 'tone.wav', request);
    const probed = await operate('probe', done.path, { loudness: true });
    const { integrated_lufs = 0, true_peak_db = 0 } = probed.data.loudness as Record<string, number>;
    expect(Math.abs(integrated_lufs + 6)).toBeLessThanOrEqual(0.15);
    expect(true_peak_db).toBeLessThanOrEqual(-1.4);
  });

  test('of sound that is too short to be measured is refused as that', async () => {
    const short = join(scratch(), 'short.mp3');
    const sine = ['-v', 'error', '-nostdin', '-y', '-f', 'lavfi', '-i', 'sine=d=0.39:r=44100', short];
    await run(programs, 'ffmpeg', sine);
    const { code, detail } = await failureOf(
      operate('transcode', short, { audio_only: true, normalize_lufs: -16 }),
    );
    expect([code, detail]).toEqual(['all_silent', expect.stringContaining('shorter than 0.4 s')]);
  });

  test('of silence is refused', async () => {
    expect((await failureOf(operate('transcode', 'mute.mp4', { normalize_lufs: -16 }))).code).toBe(
      'all_silent',
    );
  });
});

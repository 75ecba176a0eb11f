import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { waveBytes } from '../../../transcoder/engines/speech/wave.ts';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { completeSource } from '../../../transcoder/media/execute/complete-source.ts';
import { probeMedia } from '../../../transcoder/media/probe/probe-media.ts';
import { loudnessOf } from '../../fixtures/loudness.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';
import { type Attempts, startAttempts } from '../attempt.ts';
import { ctx, failureOf, operate, operateOn } from '../operate.ts';
import { scratch } from '../scratch.ts';

const streamsOf = async (source: string) => {
  const done = await operate('probe', source, {});
  return done.data.streams as Record<string, unknown>[];
};

describe('probe', () => {
  test('writes the document that is the data', async () => {
    const done = await operate('probe', 'plain.mp4', {});
    expect(done.files).toMatchObject([{ role: 'document', media_type: 'application/json' }]);
    expect(JSON.parse(await readFile(done.path, 'utf8'))).toEqual(done.data);
    expect(done.data).toMatchObject({
      container: 'mp4',
      duration: 6,
      keyframe_interval: { mean: 1, max: 1, count: 6 },
      loudness: null,
    });
  });

  test.each(sampled(['late.mkv', 'anim.gif', 'ntsc-film.mp4', 'sound.mp3'], 3))(
    'states times of %s in microseconds',
    async (name) => {
      const { data } = await operate('probe', name, {});
      const streams = data.streams as Record<'duration' | 'start_time', number | null>[];
      const times = [data, ...streams].flatMap(({ duration, start_time }) => [duration, start_time]);
      for (const time of times) {
        if (typeof time === 'number') expect(Number(time.toFixed(6))).toBe(time);
        else expect(time).toBeNull();
      }
    },
  );

  test.each(
    sampled(
      [
        [
          'plain.mp4',
          { codec: 'h264', width: 320, frames: 180, variable_frame_rate: false, bit_depth: 8, rotation: 0 },
        ],
        ['rotated.mp4', { width: 180, height: 320, display_width: 320, display_height: 180, rotation: 90 }],
        ['wide-pixels.mp4', { width: 240, display_width: 320, sample_aspect_ratio: '4:3' }],
        ['vfr.mp4', { variable_frame_rate: true, frames: 103 }],
        ['vfr.mkv', { variable_frame_rate: true, frames: 103 }],
        ['late.mkv', { variable_frame_rate: false, frames: 180 }],
        ['ntsc-film.mp4', { variable_frame_rate: false }],
        ['edit-list.mp4', { frames: 135 }],
        ['hevc-10bit.mp4', { codec: 'hevc', bit_depth: 10, pixel_format: 'yuv420p10le' }],
        ['hdr10.mp4', { color_transfer: 'smpte2084', color_primaries: 'bt2020' }],
      ],
      3,
    ),
  )('tells the facts of the video of %s', async (source, expected) => {
    expect((await streamsOf(source))[0]).toMatchObject(expected);
  });

  test('tells attached pictures, default tracks and sound apart', async () => {
    expect((await streamsOf('cover.mp4')).map(({ type }) => type)).toEqual([
      'video',
      'audio',
      'attached_picture',
    ]);
    expect((await streamsOf('two-tracks.mp4')).map((stream) => stream.default)).toEqual([true, false, true]);
    expect(await streamsOf('surround.mp4')).toMatchObject([
      {},
      { type: 'audio', channels: 6, sample_rate: 48_000 },
    ]);
  });

  test.each(
    sampled(
      [
        ['late.ts', 'mpegts', 6.021],
        ['late.mkv', 'mkv', 6.021],
        ['vp9.webm', 'webm', 6.007],
        ['pcm.mov', 'mov', 6],
        ['sound.mp3', 'mp3', 6],
        ['sound.ogg', 'ogg', 6],
        ['anim.gif', 'gif', 1],
        ['still.png', 'png', null],
      ],
      3,
    ),
  )('names container and length of %s', async (source, container, duration) => {
    const { data } = await operate('probe', source, {});
    expect(data.container).toBe(container);
    if (duration === null) expect(data.duration).toBeNull();
    else expect(data.duration).toBeCloseTo(duration, 1);
  });

  test('measures loudness where asked', async () => {
    const { data } = await operate('probe', 'tone.wav', { loudness: true });
    expect(data.loudness).toMatchObject({
      integrated_lufs: expect.any(Number),
      true_peak_db: expect.any(Number),
    });
    const silent = await operate('probe', 'mute.mp4', { loudness: true });
    expect(silent.data.loudness).toEqual({ integrated_lufs: null, range_lu: null, true_peak_db: null });
    expect((await failureOf(operate('probe', 'no-sound.mp4', { loudness: true }))).code).toBe(
      'source_no_audio',
    );
  });

  test('measures what ITU-R BS.1770 says of sounds with pauses, and nothing of one under 400 ms', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'spool-loudness-'));
    const measured = async (seconds: number, loud: (time: number) => boolean) => {
      const tone = (time: number) => 0.25 * Math.sin(2 * Math.PI * 1000 * time) * (loud(time) ? 1 : 0.005);
      const samples = Float32Array.from({ length: seconds * 48_000 }, (_, index) => tone(index / 48_000));
      const file = join(directory, 'sound.wav');
      await writeFile(file, waveBytes({ samples, sampleRate: 48_000 }));
      const { data } = await operate('probe', file, { loudness: true });
      return { found: data.loudness as Record<string, number>, truth: loudnessOf(samples) };
    };
    try {
      for (const [seconds, loud] of [
        [4, (time: number) => time > 3.5],
        [12, (time: number) => time % 1.5 < 0.2],
        [10, (time: number) => time % 3 < 1],
      ] as const) {
        const { found, truth } = await measured(seconds, loud);
        console.log(`probe: ${found.integrated_lufs} LUFS measured of ${truth.toFixed(2)}`);
        expect(Math.abs((found.integrated_lufs ?? 0) - truth)).toBeLessThanOrEqual(0.06);
        expect(found.true_peak_db).toBeCloseTo(-12, 0);
      }
      expect((await measured(0.3, () => true)).found.integrated_lufs).toBeNull();
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  test('reads with the one demuxer it was told to', async () => {
    const wrong = probeMedia(ctx, await completeSource({ path: fixture('plain.mp4'), format: 'matroska' }));
    expect((await failureOf(wrong)).code).toBe('source_not_media');
    const empty = probeMedia(ctx, await completeSource({ path: fixture('empty.mp4'), format: 'mov' }));
    expect((await failureOf(empty)).code).toBe('source_not_media');
  });
});

describe('probe of a distant file over 64 MB without an index of its frames', () => {
  const at = (name: string) => join(scratch(), name);
  const ffmpeg = (...args: string[]) => run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args]);
  const names = ['long.mkv', 'long.ts', 'fragments.mp4', 'long.avi'];
  let attempts: Attempts;

  beforeAll(async () => {
    await ffmpeg(
      ...[
        '-f',
        'lavfi',
        '-i',
        'testsrc2=s=640x360:r=25:d=8,noise=alls=60:allf=t',
        '-f',
        'lavfi',
        '-i',
        'sine=d=8',
      ],
      ...['-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '0', '-g', '50', '-b:v', '8M', '-maxrate', '8M'],
      ...['-bufsize', '4M', '-pix_fmt', 'yuv420p', '-c:a', 'ac3', at('short.mp4')],
    );
    await ffmpeg(
      ...['-i', at('short.mp4'), '-c:v', 'mpeg4', '-b:v', '8M', '-g', '50', '-sc_threshold', '1000000000'],
      ...['-c:a', 'copy', at('short-part-2.mp4')],
    );
    for (const name of names) {
      const fragments = name.endsWith('mp4') ? ['-movflags', 'frag_keyframe+delay_moov'] : [];
      await ffmpeg('-stream_loop', '9', '-i', at('short.mp4'), '-c', 'copy', ...fragments, at(name));
    }
    await ffmpeg('-stream_loop', '9', '-i', at('short-part-2.mp4'), '-c', 'copy', at('part-2.mp4'));
    const long = await readFile(at('long.ts'));
    await writeFile(
      at('joined.ts'),
      Buffer.concat([long, long.subarray(0, Math.floor(long.length / 376) * 188)]),
    );
    attempts = await startAttempts(scratch());
  }, 300_000);
  afterAll(() => attempts?.close());

  async function probed(name: string, more: Record<string, unknown> = {}) {
    const input = { url: attempts.media(name), ...more };
    const outcome = await attempts.run('probe', input, AbortSignal.timeout(120_000));
    if (outcome.type !== 'completed') throw new Error(JSON.stringify(outcome));
    const { data, warnings, bytes_read = 0 } = outcome.result;
    const share = bytes_read / (await stat(at(name))).size;
    const details = warnings.map(({ detail }) => detail).join('\n');
    return { data: data as unknown as Probed, warned: warnings.map(({ code }) => code), details, share };
  }

  interface Probed {
    duration: number;
    keyframe_interval: object | null;
    streams: object[];
  }

  const uncounted = ({ streams, ...rest }: Probed) => ({
    ...{ ...rest, keyframe_interval: null },
    streams: streams.map((stream) => ({
      ...stream,
      ...('width' in stream && stream.width !== null ? { frames: null, variable_frame_rate: null } : {}),
    })),
  });

  test.each(sampled(names, 3))('reads little of %s, and counts its frames if asked to', async (name) => {
    const outline = await probed(name);
    expect(outline.share).toBeLessThan(0.4);
    expect(outline.warned).toEqual(['frames_not_counted']);
    expect(outline.data.keyframe_interval).toBeNull();
    expect(outline.data.streams[0]).toMatchObject({ variable_frame_rate: null });
    const counted = await probed(name, { count_frames: true });
    expect(counted.share).toBeGreaterThan(0.9);
    expect(counted.warned).toEqual([]);
    expect(counted.data.keyframe_interval).toMatchObject({ count: 40 });
    expect(counted.data.streams[0]).toMatchObject({ frames: 2000, variable_frame_rate: false });
    expect(uncounted(outline.data)).toEqual(uncounted(counted.data));
    const { data } = await operateOn('probe', [at(name)], { url: 'https://media.example.com/a' });
    expect(counted.data).toEqual(data);
  });

  test('reads little of MPEG-4 Part 2 in an MP4, whose index is not relied on for keyframes', async () => {
    const { data, warned, details, share } = await probed('part-2.mp4');
    expect(share).toBeLessThan(0.1);
    expect(warned).toEqual(['frames_not_counted']);
    expect(data.keyframe_interval).toBeNull();
    expect(data.streams[0]).toMatchObject({ frames: 2000, variable_frame_rate: false });
    expect(details).toContain('`variable_frame_rate` and `frames` are null or what the source states');
    const counted = await probed('part-2.mp4', { count_frames: true });
    expect(counted.data.keyframe_interval).toMatchObject({ count: 40 });
  });

  test('reads all of a transport stream whose clock begins again', async () => {
    const { data, warned } = await probed('joined.ts');
    expect(data.duration).toBeGreaterThan(115);
    expect(data.keyframe_interval).toMatchObject({ count: 60 });
    expect(warned).not.toContain('frames_not_counted');
  });
});

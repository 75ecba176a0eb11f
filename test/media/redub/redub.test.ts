import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { readNumbers, readPulses, readSound, streamOf } from '../../fixtures/barcode.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { packetHashes } from '../../fixtures/packets.ts';
import { RATE, rooms, writeRoom } from '../../fixtures/rooms.ts';
import { sampled } from '../../sampled.ts';
import { type Done, failureOf, operate, operateOn, range } from '../operate.ts';

const url = 'https://media.example.com/source';
const directory = mkdtempSync(join(tmpdir(), 'spool-test-redub-'));
const at = (name: string) => join(directory, name);

const make = (name: string, graph: string, ...more: string[]) =>
  run(programs, 'ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', graph, ...more, at(name)]);

/** A short pulse at every second and a half, over a tone so low that it is none. */
const voice = (seconds: number, channels = 1) => {
  const value = 'if(lt(mod(t-0.5\\,1.5)\\,0.002)*gte(t\\,0.5)\\,0.9\\,0.02*sin(1500*t))';
  return `aevalsrc=${Array(channels).fill(value).join('|')}:s=44100:d=${seconds}`;
};

beforeAll(async () => {
  await make('voice4.wav', voice(4));
  await make('voice1.mp3', 'aevalsrc=0.5*sin(2*PI*300*t)*between(t\\,0.5\\,0.9):s=44100:d=3');
  await make('voice6.wav', voice(6, 2));
  await make('voice9.m4a', voice(9));
  await make('tone.wav', 'aevalsrc=0.5*sin(2*PI*300*t)*between(t\\,2\\,4):s=48000:d=6');
  await make('music.wav', 'aevalsrc=0.2*sin(2*PI*2000*t)|0.2*sin(2*PI*2500*t):s=48000:d=2.5');
  await make(
    'loud.wav',
    'aevalsrc=0.7*sin(2*PI*200*t)*(1+sin(3*t))/2+0.25*(random(0)-0.5)*lt(mod(t\\,0.7)\\,0.2):s=48000:d=6',
  );
  const wide =
    'aevalsrc=0.4*sin(2*PI*440*t)+0.3*sin(2*PI*1000*t)|0.4*sin(2*PI*440*t)-0.3*sin(2*PI*1000*t):s=48000:d=6';
  const film = [
    '-i',
    fixture('plain.mp4'),
    '-map',
    '1:v',
    '-map',
    '0:a',
    '-c:v',
    'copy',
    '-c:a',
    'flac',
    '-strict',
    '-2',
  ];
  await make('wide.mp4', wide, ...film);
  const chosen = (frames: string) => ['-i', fixture('plain.mp4'), '-map', '1:v', '-vf', `select='${frames}'`];
  const x264 = ['-fps_mode', 'vfr', '-c:v', 'libx264', '-preset', 'veryfast', '-bf', '2', '-t', '6'];
  await make('pause.mp4', 'anullsrc', ...chosen('not(between(n,100,118))'), ...x264);
  await make('pause.mkv', 'anullsrc', ...chosen('not(between(n,100,118))'), ...x264);
  await make('slow.mp4', 'anullsrc', ...chosen('not(mod(n,21))'), ...x264);
  const sounding = ['-map', '0:a', '-c:a', 'aac'];
  await make('bursts.mp4', 'anullsrc', ...chosen('lt(mod(n,90),20)'), ...sounding, ...x264);
}, 60_000);
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const redub = (video: string, sound: string, request: object = {}, background?: string): Promise<Done> =>
  operateOn('redub', [video, at(sound), ...(background ? [at(background)] : [])], {
    ...{ video_url: url, voice_url: url },
    ...(background ? { bg_url: url } : {}),
    ...request,
  });

const seconds = async (path: string, kind: 'v' | 'a') => Number((await streamOf(path, kind)).duration);

/** Amplitude of a frequency between two moments, in decibels of full scale. */
function toneOf(sound: Float32Array, hertz: number, from: number, to: number): number {
  let [re, im] = [0, 0];
  const [first, last] = [Math.round(from * 48_000), Math.round(to * 48_000)];
  for (let index = first; index < last; index++) {
    const angle = (2 * Math.PI * hertz * index) / 48_000;
    re += (sound[index] ?? 0) * Math.cos(angle);
    im += (sound[index] ?? 0) * Math.sin(angle);
  }
  return 20 * Math.log10((2 * Math.hypot(re, im)) / (last - first));
}

describe('another voice', () => {
  test('takes the place of the sound, and every packet of the picture stays', async () => {
    const done = await redub('plain.mp4', 'voice6.wav');
    expect(await packetHashes(done.path)).toEqual(await packetHashes(fixture('plain.mp4')));
    const pulses = await readPulses(done.path);
    expect(pulses).toHaveLength(4);
    const off = pulses.map((time, index) => (time - (0.5 + 1.5 * index)) * 1000);
    console.log(`redub: voice off by ${off.map((ms) => ms.toFixed(2)).join(', ')} ms`);
    for (const ms of off) expect(Math.abs(ms)).toBeLessThanOrEqual(2.5);
    expect(done.data).toMatchObject({
      copied_seconds: 6,
      rendered_seconds: 0,
      drift_ms: 0,
      background: 'none',
    });
    expect(Math.abs((await seconds(done.path, 'a')) - 6)).toBeLessThan(0.025);
  });

  test.each(
    sampled(
      [
        [1.25, [1.75, 3.25, 4.75]],
        [-0.75, [1.25, 2.75]],
      ],
      3,
    ),
  )('begins at an offset of %s s', async (offset, expected) => {
    const done = await redub('plain.mp4', 'voice4.wav', { offset });
    const pulses = await readPulses(done.path);
    expect(pulses).toHaveLength(expected.length);
    for (const [index, time] of pulses.entries()) expect(time).toBeCloseTo(expected[index] ?? 0, 2);
  });

  test.each(sampled(['vp9.webm', 'vfr.mp4', 'hevc.mp4'], 3))(
    'is laid under %s without a frame being lost',
    async (name) => {
      const format = name.endsWith('webm') ? 'webm' : 'mp4';
      const done = await redub(name, 'voice4.wav', { format });
      expect(await readNumbers(done.path)).toEqual(await readNumbers(fixture(name)));
      const pulses = await readPulses(done.path);
      for (const index of [0, 1, 2]) {
        expect(Math.abs((pulses[index] ?? 0) - (0.5 + 1.5 * index))).toBeLessThan(0.01);
      }
    },
  );
});

describe('the length', () => {
  const frames = range(0, 180);
  test.each(
    sampled(
      [
        ['video', 'voice9.m4a', {}, frames],
        ['video', 'voice4.wav', {}, frames],
        ['shortest', 'voice4.wav', {}, range(0, 120)],
        ['shortest', 'voice9.m4a', {}, frames],
        ['audio', 'voice4.wav', { offset: 0.5 }, range(0, 135)],
        ['audio', 'voice1.mp3', { offset: 9.5 }, [...frames, ...Array.from({ length: 195 }, () => 179)]],
        ['audio', 'voice9.m4a', { when_video_shorter: 'freeze' }, [...frames, ...Array(90).fill(179)]],
        ['audio', 'voice9.m4a', { when_video_shorter: 'loop' }, [...frames, ...range(0, 90)]],
      ],
      3,
    ),
  )('is that of the %s with %s and %j', async (length_policy, sound, more, expected) => {
    const done = await redub('plain.mp4', sound, { length_policy, ...more });
    expect(await readNumbers(done.path)).toEqual(expected);
    expect(Math.abs((await seconds(done.path, 'v')) - expected.length / 30)).toBeLessThan(0.002);
    expect(Math.abs((await seconds(done.path, 'a')) - expected.length / 30)).toBeLessThan(0.025);
    expect(Math.abs(Number(done.data.drift_ms))).toBeLessThan(1);
  });

  test.each(
    sampled(
      [
        ['pause.mp4', 'voice9.m4a', 179],
        ['pause.mkv', 'voice9.m4a', 179],
        ['bursts.mp4', 'voice9.m4a', 109],
        ['bursts.mp4', 'voice4.wav', 109],
        ['vfr.mp4', 'voice9.m4a', 178],
        ['vfr.mkv', 'voice9.m4a', 178],
        ['slow.mp4', 'voice9.m4a', 168],
        ['slow.mp4', 'voice4.wav', 105],
      ],
      3,
    ),
  )(
    'of a picture of irregular or long frames, %s, that stays for %s is that of the voice',
    async (name, sound, last) => {
      const video = name.startsWith('vfr') ? fixture(name) : at(name);
      const done = await redub(video, sound, { length_policy: 'audio' });
      const wanted = done.duration ?? 0;
      expect(Math.abs(wanted - (sound === 'voice9.m4a' ? 9 : 4))).toBeLessThan(0.002);
      const [shown, own] = [await readNumbers(done.path), await readNumbers(video)];
      expect(shown.slice(0, own.length)).toEqual(own.slice(0, shown.length));
      expect(shown.at(-1)).toBe(last);
      expect(Math.abs((await seconds(done.path, 'v')) - wanted)).toBeLessThan(0.03);
      expect(Math.abs((await seconds(done.path, 'a')) - wanted)).toBeLessThan(0.025);
    },
  );

  test('copies the beginning of a video that is cut, and a video that is repeated', async () => {
    for (const request of [
      { length_policy: 'shortest' },
      { when_video_shorter: 'loop', length_policy: 'audio' },
    ]) {
      const done = await redub(
        'plain.mp4',
        request.length_policy === 'audio' ? 'voice9.m4a' : 'voice4.wav',
        request,
      );
      expect(Number(done.data.copied_seconds) / (done.duration ?? 1)).toBeGreaterThan(0.9);
    }
  });

  test('of a voice that is repeated is filled to the end', async () => {
    const done = await redub('plain.mp4', 'voice4.wav', { when_audio_shorter: 'loop' });
    const pulses = await readPulses(done.path);
    expect(pulses).toHaveLength(4);
    for (const [index, time] of [0.5, 2, 3.5, 4.5].entries()) expect(pulses[index]).toBeCloseTo(time, 2);
  });
});

describe('the background', () => {
  test('keeps what the video sounds like', async () => {
    const done = await redub('plain.mp4', 'voice6.wav', { mode: 'mix', duck: false, bg_volume_db: 0 });
    const sound = await readSound(done.path);
    const loudest = (from: number, to: number) =>
      sound.subarray(from * 48_000, to * 48_000).reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    for (const time of [1, 3, 4]) expect(loudest(time - 0.01, time + 0.01)).toBeGreaterThan(0.2);
    expect(loudest(0.49, 0.51)).toBeGreaterThan(0.2);
    expect(loudest(2.3, 2.7)).toBeLessThan(0.2);
    expect(done.data.background).toBe('keep');
  });

  test('of a video that is repeated begins again with its picture, even if it is shorter', async () => {
    const cut = ['-i', fixture('plain.mp4'), '-map', '1', '-t', '6', '-c:v', 'copy', '-af', 'atrim=end=5.2'];
    await make('brief.mp4', 'anullsrc', ...cut);
    await make('quiet.wav', 'anullsrc=d=17');
    const request = { mode: 'mix', duck: false, bg_volume_db: 0, length_policy: 'audio' };
    const done = await redub(at('brief.mp4'), 'quiet.wav', { ...request, when_video_shorter: 'loop' });
    const [own, sound] = [await readPulses(at('brief.mp4')), await readSound(done.path)];
    const loudest = (from: number, to: number) =>
      sound.subarray(from * 48_000, to * 48_000).reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    expect(own.length).toBeGreaterThan(3);
    for (const time of [...own, ...own.map((each) => each + 6), ...own.map((each) => each + 12)]) {
      if (time > 16.9) continue;
      expect([time, loudest(Math.max(0, time - 0.01), time + 0.01) > 0.2]).toEqual([time, true]);
      expect([time, loudest(time + 0.1, time + 0.8) > 0.2]).toEqual([time, false]);
    }
  });

  test('is lowered by what was asked for while the voice is heard, and comes back', async () => {
    const request = { bg_volume_db: 0, duck_db: 12 };
    const done = await redub('plain.mp4', 'tone.wav', request, 'music.wav');
    const sound = await readSound(done.path);
    const [before, during, after] = [
      toneOf(sound, 2000, 0.5, 1.5),
      toneOf(sound, 2000, 2.5, 3.5),
      toneOf(sound, 2000, 5.2, 5.9),
    ];
    console.log(
      `redub: ducked by ${(before - during).toFixed(1)} dB of 12, back to ${(after - before).toFixed(1)} dB`,
    );
    expect(before - during).toBeGreaterThan(10);
    expect(before - during).toBeLessThan(12.5);
    expect(Math.abs(after - before)).toBeLessThan(1);
  });

  test.each(sampled(['silence', 'loop'], 3))(
    'is heard up to a late voice, and after it (%s)',
    async (when_audio_shorter) => {
      const request = { bg_volume_db: 0, offset: 4.4, length_policy: 'video', when_audio_shorter };
      const done = await redub('plain.mp4', 'voice1.mp3', request, 'music.wav');
      const sound = await readSound(done.path);
      const levels = range(0, 11).map((tenth) => toneOf(sound, 2000, 0.2 + tenth * 0.4, 0.6 + tenth * 0.4));
      for (const level of levels) expect(Math.abs(level - (levels[0] ?? 0))).toBeLessThan(1);
    },
  );

  test('comes back between the sentences of a voice in a loud room', async () => {
    const loud = rooms.find(({ name }) => name === 'noise');
    if (!loud) throw new Error('no room has noise');
    const { speech, samples } = await writeRoom({ ...loud, noise: -42 }, at('room.wav'));
    const offset = 0.5;
    const request = { bg_volume_db: 0, length_policy: 'audio', offset, when_video_shorter: 'freeze' };
    const done = await redub('plain.mp4', 'room.wav', request, 'music.wav');
    const sound = await readSound(done.path);
    const levels = (spans: { start: number; end: number }[]) =>
      spans
        .filter(({ start, end }) => end - start > 0.4)
        .map(({ start, end }) => toneOf(sound, 2000, start + offset, end + offset));
    const spoken = levels(speech.map(({ start, end }) => ({ start: start + 0.3, end: end - 0.3 })));
    const next = [...speech.slice(1).map(({ start }) => start), samples.length / RATE];
    const pauses = levels(
      speech.map(({ end }, index) => ({ start: end + 1, end: (next[index] ?? 0) - 0.3 })),
    );
    expect(pauses.length).toBeGreaterThan(2);
    for (const level of pauses) expect(level).toBeGreaterThan(Math.max(...spoken) + 8);
  });

  test('without what stands in the middle keeps the sides', async () => {
    const done = await redub(at('wide.mp4'), 'tone.wav', {
      bg_source: 'centerremove',
      duck: false,
      bg_volume_db: 0,
    });
    const sound = await readSound(done.path);
    const [middle, side] = [toneOf(sound, 440, 0.5, 1.5), toneOf(sound, 1000, 0.5, 1.5)];
    console.log(`redub: middle ${middle.toFixed(1)} dB, sides ${side.toFixed(1)} dB`);
    expect(side).toBeGreaterThan(-12);
    expect(middle).toBeLessThan(-40);
    expect(done.data.engine).toMatchObject({ id: 'centre_mask', tier: 'embedded', quality: 'basic' });
  });

  test('cannot be taken out of one channel, nor out of two that are the same', async () => {
    const request = { bg_source: 'separate' };
    await make(
      'mono.mp4',
      'sine=d=6',
      '-i',
      fixture('plain.mp4'),
      '-map',
      '1:v',
      '-map',
      '0:a',
      '-c:v',
      'copy',
    );
    await make(
      'same.mp4',
      'sine=d=6',
      '-i',
      fixture('plain.mp4'),
      '-map',
      '1:v',
      '-map',
      '0:a',
      '-ac',
      '2',
      '-c:v',
      'copy',
    );
    expect(await failureOf(redub(at('mono.mp4'), 'tone.wav', request))).toMatchObject({
      code: 'source_not_stereo',
      detail: expect.stringContaining('`bg_source: keep` or `none`'),
    });
    expect((await failureOf(redub(at('same.mp4'), 'tone.wav', request))).code).toBe('source_not_stereo');
  });

  test('of a video without sound is none, with a warning', async () => {
    const done = await redub('no-sound.mp4', 'voice4.wav', { mode: 'mix' });
    expect(done.warnings.map(({ code }) => code)).toContain('audio_missing');
    expect(done.data.background).toBe('none');
  });
});

test('a loudness is reached within half a unit, and no true peak is over −1.4 dB', async () => {
  for (const normalize_lufs of [-23, -16, -9]) {
    const done = await redub('plain.mp4', 'loud.wav', { normalize_lufs });
    const probed = await operate('probe', done.path, { loudness: true });
    const { integrated_lufs, true_peak_db } = probed.data.loudness as Record<string, number>;
    console.log(
      `redub: ${normalize_lufs} LUFS asked, ${integrated_lufs} found, true peak ${true_peak_db} dB; said ${JSON.stringify(done.data)}`,
    );
    expect(Math.abs((integrated_lufs ?? 0) - normalize_lufs)).toBeLessThanOrEqual(0.5);
    expect(done.data.true_peak_db).toBeLessThanOrEqual(-1.4);
    // What AAC adds to noise that a limiter has pressed is beyond what was asked for.
    expect(true_peak_db).toBeLessThanOrEqual(normalize_lufs <= -16 ? -1.4 : 0.5);
    expect(Number(done.data.loudness_lufs)).toBeCloseTo(integrated_lufs ?? 0, 0);
  }
});

test('what cannot be is refused with the reason', async () => {
  expect(await failureOf(redub('plain.mp4', 'voice4.wav', { offset: -5 }))).toMatchObject({
    code: 'time_out_of_range',
  });
  for (const length_policy of ['video', 'shortest'])
    expect(await failureOf(redub('plain.mp4', 'voice4.wav', { offset: 6, length_policy }))).toMatchObject({
      code: 'time_out_of_range',
      detail: 'With an offset of 6 s, the voice lies completely outside the output. Use another offset.',
    });
  expect(await failureOf(redub('sound.mp3', 'voice4.wav'))).toMatchObject({ code: 'source_no_video' });
  const silent = operateOn('redub', ['plain.mp4', 'no-sound.mp4'], { video_url: url, voice_url: url });
  expect(await failureOf(silent)).toMatchObject({ code: 'source_no_audio' });
});

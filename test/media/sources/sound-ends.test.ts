import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { readPulses, readSound } from '../../fixtures/barcode.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';
import { operate } from '../operate.ts';
import { scratch } from '../scratch.ts';

const SECONDS = 1.3;

/** Codecs of which Matroska states no length of a packet; of TTA, the length of a whole one. */
test.each(sampled(['alac', 'wavpack', 'tta', 'libspeex'], 3))(
  '%s in Matroska is read to its end',
  async (codec) => {
    const file = join(scratch(), `${codec}.mka`);
    await run(programs, 'ffmpeg', [
      ...['-v', 'error', '-nostdin', '-y', '-f', 'lavfi', '-i', `sine=440:r=48000:d=${SECONDS}`],
      ...['-af', 'volume=3', ...(codec === 'libspeex' ? ['-ar', '16000'] : []), '-c:a', codec, file],
    ]);
    const probed = await operate('probe', file, {});
    expect(probed.data).toMatchObject({ duration: expect.closeTo(SECONDS, 2) });

    const asked = { audio_url: 'https://media.example.com/tone', start: 0.1, end: SECONDS };
    const { path } = await operate('cut', file, asked);
    const { stdout } = await run(programs, 'ffprobe', [
      ...['-v', 'error', '-show_entries', 'format=duration', '-of', 'csv=p=0', path],
    ]);
    expect(Number(stdout)).toBeCloseTo(SECONDS - 0.1, 1);
  },
);

test('Ogg in which large pictures surround long pages of sound is as long as its last page says', async () => {
  const file = join(scratch(), 'pages.ogv');
  const sweep = "aevalsrc='0.5*sin(2000*t*t)+0.4*sin(9000*t)*lt(mod(t,0.37),0.01)':s=44100:d=5.76";
  await run(programs, 'ffmpeg', [
    ...['-v', 'error', '-nostdin', '-y', '-f', 'lavfi', '-i', 'testsrc2=s=160x90:d=5.5:r=30'],
    ...['-f', 'lavfi', '-i', sweep, '-c:v', 'libtheora', '-q:v', '10', '-g', '8'],
    ...['-c:a', 'libvorbis', '-q:a', '5', '-page_duration', '2000000', file],
  ]);
  const probed = await operate('probe', file, {});
  expect(probed.data).toMatchObject({ duration: expect.closeTo(5.76, 2) });
});

test.each(sampled(['flac', 'alac'], 3))(
  '%s that begins a little late in an mp4 is heard to its end',
  async (codec) => {
    const file = join(scratch(), `late-${codec}.mp4`);
    const [late, seconds] = [0.05, 1.6];
    await run(programs, 'ffmpeg', [
      ...['-v', 'error', '-nostdin', '-y', '-f', 'lavfi', '-i', 'testsrc2=s=160x90:d=2:r=30'],
      ...['-itsoffset', `${late}`, '-f', 'lavfi', '-i', `sine=440:r=22050:d=${seconds}`],
      ...['-c:v', 'libx264', '-g', '30', '-c:a', codec, '-strict', '-2', file],
    ]);
    const segments = [
      { start: 0, end: 0.9 },
      { start: 1, end: 2 },
    ];
    const { path, time_map } = await operate('cut', file, { segments, mode: 'keyframe' });
    const [from = 0] = time_map[1]?.in ?? [];
    const [at = 0] = time_map[1]?.out ?? [];
    const last = (await readSound(path)).findLastIndex((sample) => Math.abs(sample) > 0.02) / 48_000;
    expect(Math.abs(last - (at + late + seconds - from))).toBeLessThan(0.012);
  },
);

test.each(sampled(['libmp3lame', 'aac'], 3))(
  '%s with MPEG-4 in .m2ts, which does not name them, is heard',
  async (codec) => {
    const file = join(scratch(), `${codec}.m2ts`);
    await run(programs, 'ffmpeg', [
      ...['-v', 'error', '-nostdin', '-y', '-i', fixture('plain.mp4'), '-t', '3.5', '-c:v', 'mpeg4'],
      ...['-c:a', codec, file],
    ]);
    const { path } = await operate('cut', file, { start: 0.5, end: 3 });
    expect(await readPulses(path)).toHaveLength(2);
  },
);

test('AAC in .m2ts, which does not name it, is heard to its end', async () => {
  const file = join(scratch(), 'end.m2ts');
  await run(programs, 'ffmpeg', [
    ...['-v', 'error', '-nostdin', '-y', '-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=25:d=2'],
    ...['-itsoffset', '1', '-f', 'lavfi', '-i', 'sine=440:r=16000:d=1.4'],
    ...['-c:v', 'mpeg4', '-c:a', 'aac', '-b:a', '64k', file],
  ]);
  const { path } = await operate('silence_process', file, {
    segments: [{ start: 0, end: 0.5, action: 'silent' }],
  });
  const last = (await readSound(path)).findLastIndex((sample) => Math.abs(sample) > 0.02) / 48_000;
  expect(last).toBeCloseTo(1.9, 1);
});

test.each(sampled([1.17, 2.09], 3))(
  'AAC of 8 kHz in fragments ends where it is stated to: %d s',
  async (seconds) => {
    const file = join(scratch(), `fragments-${seconds}.mp4`);
    await run(programs, 'ffmpeg', [
      ...['-v', 'error', '-nostdin', '-y', '-i', fixture('plain.mp4'), '-t', `${seconds}`, '-c:v', 'libx264'],
      ...['-c:a', 'aac', '-ar', '8000', '-movflags', '+frag_keyframe+empty_moov', file],
    ]);
    const { duration } = await operate('transcode', file, { height: 100 });
    expect(Math.abs((duration ?? 0) - seconds)).toBeLessThan(0.2);
  },
);

/** Without the packets between 1.7 and 2.8 s. */
test.each(
  sampled(
    [
      ['flac', 'mka', "noise=drop='between(n,20,30)'"],
      ['aac', 'mka', "noise=drop='between(n,80,130)'"],
    ],
    3,
  ),
)(
  'a cut of sound that ends in a gap lasts as long as its range: %s',
  async (codec, extension, gap) => {
    const path = join(scratch(), `gap-${codec}.${extension}`);
    const tone = ['-f', 'lavfi', '-i', 'sine=f=440:r=48000:d=4', '-ac', '2', '-c:a', codec];
    await run(programs, 'ffmpeg', ['-v', 'error', '-y', ...tone, '-bsf:a', gap, path]);
    for (const ends of [2.3, 3.5]) {
      const asked = { audio_url: 'https://media.example.com/gap', start: 0.5, end: ends };
      const { length } = await readSound((await operate('cut', path, asked)).path);
      expect(Math.abs(length / 48_000 - (ends - 0.5))).toBeLessThan(0.05);
    }
  },
  60_000,
);

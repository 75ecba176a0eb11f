import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AVMEDIA_TYPE_AUDIO, AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import type { Packet, Stream } from 'node-av/lib';
import { expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { ClockJumps } from '../../../transcoder/media/libav/child/remux/clock-jumps.ts';
import { programs } from '../../fixtures/make.ts';
import { VP8 } from '../../fixtures/vp8.ts';
import { operate } from '../operate.ts';
import { scratch } from '../scratch.ts';

/** Times as they are stated, in ticks of a millisecond. */
type Sent = readonly [stream: 0 | 1, time: number];
const streams = [AVMEDIA_TYPE_VIDEO, AVMEDIA_TYPE_AUDIO].map((codecType) => ({
  ...{ codecpar: { codecType }, timeBase: { num: 1, den: 1000 }, avgFrameRate: { num: 0, den: 1 } },
})) as unknown as Stream[];

/** How far each packet of a list is moved. */
function moves(sent: readonly Sent[]): number[] {
  const jumps = new ClockJumps(streams);
  return sent.map(([stream, time]) => {
    const packet = { pts: BigInt(time), dts: BigInt(time), isKeyframe: true };
    jumps.follow(packet as unknown as Packet, stream, null);
    return Number(packet.pts) - time;
  });
}

/** 30 s of which the sound comes 0.7 s behind the picture in the file, as broadcasts have it; it lacks what is in the hole. */
function sentWith(hole: (sent: Sent) => boolean): Sent[] {
  const steps = Array.from({ length: 300 }, (_, at) => at * 100);
  return steps
    .flatMap((time): Sent[] => [[0, time], ...(time < 700 ? [] : [[1, time - 700] as const])])
    .filter((sent) => !hole(sent));
}

test.each([1, 0] as const)('a hole of 13 s in stream %i does not move what comes behind it', (stream) => {
  const sent = sentWith(([of, time]) => of === stream && time > 3000 && time < 16_000);
  expect(moves(sent).filter((by) => by !== 0)).toEqual([]);
});

test('a recording that follows one with a hole begins where that one ends', () => {
  const first = sentWith(([of, time]) => of === 0 && time > 10_000 && time < 25_000);
  const sent = [...first, ...sentWith(() => false)];
  const moved = moves(sent).slice(first.length);
  expect([...new Set(moved)]).toEqual([30_000]);
});

test('a clock that goes on 13 s later in both streams is another recording', () => {
  const sent = sentWith(() => false).map(([of, time]): Sent => [of, time < 15_000 ? time : time + 13_000]);
  const moved = moves(sent).map((by, at) => ({ by, time: sent[at]?.[1] ?? 0 }));
  for (const { by, time } of moved) expect(Math.abs(by - (time < 28_000 ? 0 : -13_000))).toBeLessThan(200);
});

test('a recording ends with its sound, not as long behind its last picture as that one was waited for', async () => {
  const one = join(scratch(), 'still.webm');
  await run(programs, 'ffmpeg', [
    ...['-v', 'error', '-y', '-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=10:d=5.1'],
    ...['-f', 'lavfi', '-i', 'sine=440:d=6', '-vf', "select='lt(t,1)+eq(n,50)'", '-fps_mode', 'vfr'],
    ...[...VP8, '-deadline', 'realtime', '-cpu-used', '8', '-c:a', 'libopus', one],
  ]);
  const recording = await readFile(one);
  const path = join(scratch(), 'still-twice.webm');
  await writeFile(path, Buffer.concat([recording, recording]));
  const made = await operate('transcode', path, { quality: 'low' });
  expect(made.duration).toBeCloseTo(12, 0);
}, 60_000);

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { completeSource } from '../../../transcoder/media/execute/complete-source.ts';
import { SampleReader, sampledPicture } from '../../../transcoder/media/libav/child/mp4/sample-reader.ts';
import { Tracks } from '../../../transcoder/media/libav/child/mp4/tracks.ts';
import { Reader } from '../../../transcoder/media/libav/child/read/reader.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';
import { scratch } from '../scratch.ts';

type Packets = Pick<Reader, 'find' | 'next'>;

async function read(from: Packets, seek: number, pts: number, count: number) {
  const found = [];
  for (let packet = await from.find(seek, pts); found.length < count; ) {
    const { pts, dts, isKeyframe, streamIndex, data } = packet;
    found.push({ pts, dts, isKeyframe, streamIndex, data: Buffer.from(data ?? []).toString('base64') });
    const next = await from.next();
    if (!next) break;
    packet = next;
  }
  return found;
}

async function expectSame(path: string): Promise<void> {
  const source = (await completeSource({ path, format: 'mov' })).parts();
  const [reader, tracks] = [await Reader.open({ source, stream: 0 }), new Tracks()];
  try {
    const all = [];
    for (let packet = await reader.next(); packet; packet = await reader.next())
      all.push({ key: packet.isKeyframe, dts: Number(packet.dts), pts: Number(packet.pts) });
    const keys = all.filter(({ key }) => key);
    const [first] = keys;
    const track = await tracks.of({ source, stream: 0 }, reader.stream.id);
    const at = { seek: first?.dts ?? 0, pts: first?.pts ?? 0 };
    const picture = track && (await sampledPicture(reader, track, at));
    if (!picture) throw new Error('the picture has no samples');
    const samples = new SampleReader(picture);
    for (const { dts, pts } of [...keys.toReversed(), ...all.slice(-5)]) {
      const packets = await read(reader, dts, pts, 40);
      expect(packets.length).toBeGreaterThan(0);
      expect(await read(samples, dts, pts, 40)).toEqual(packets);
    }
    // As ranges are read, whose first packet is known by when it is shown.
    for (const { pts } of keys) expect(Number((await samples.find(pts, pts)).pts)).toBe(pts);
    await expect(samples.find(at.seek, at.pts + 1)).rejects.toThrow('no packet');
    samples.close();
  } finally {
    await reader.close();
    tracks.close();
  }
}

test.each(sampled(['plain.mp4', 'hevc.mp4', 'open-gop.mp4', 'sixty.mp4', 'rotated.mp4', 'long-gop.mp4'], 3))(
  'samples of %s are the packets that libav reads',
  (name) => expectSame(fixture(name)),
);

test('and likewise of keyframes that are decoded before an earlier one is shown', async () => {
  const path = join(scratch(), 'close-keyframes.mp4');
  const keys = ['-force_key_frames', 'expr:eq(n,30)+eq(n,31)', '-forced-idr', '1', '-bf', '3'];
  await run(programs, 'ffmpeg', [
    ...['-v', 'error', '-y', '-i', fixture('plain.mp4'), '-t', '3', '-c:v', 'libx264', ...keys, path],
  ]);
  await expectSame(path);
});

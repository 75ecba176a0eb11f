import { expect, test } from 'vitest';
import { completeSource } from '../../../transcoder/media/execute/complete-source.ts';
import { SampleReader, sampledPicture } from '../../../transcoder/media/libav/child/mp4/sample-reader.ts';
import { Tracks } from '../../../transcoder/media/libav/child/mp4/tracks.ts';
import { Reader } from '../../../transcoder/media/libav/child/read/reader.ts';
import { fixture } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';

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

test.each(sampled(['plain.mp4', 'hevc.mp4', 'open-gop.mp4', 'sixty.mp4', 'rotated.mp4', 'long-gop.mp4'], 3))(
  'samples of %s are the packets that libav reads',
  async (name) => {
    const source = (await completeSource({ path: fixture(name), format: 'mov' })).parts();
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
      await expect(samples.find(at.seek, at.pts + 1)).rejects.toThrow('no packet');
      samples.close();
    } finally {
      await reader.close();
      tracks.close();
    }
  },
);

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Avcc, parseAvcc } from '../../../transcoder/bitstream/avcc.ts';
import { codecs } from '../../../transcoder/bitstream/codecs.ts';
import { parsePps, parseSps } from '../../../transcoder/bitstream/h264-sets.ts';
import { isSlice, parseSlice, ppsIdOf } from '../../../transcoder/bitstream/h264-slice.ts';
import { splitLengths } from '../../../transcoder/bitstream/nal.ts';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { configurationOf, Decoder } from '../../../transcoder/media/libav/child/av.ts';
import { Reader } from '../../../transcoder/media/libav/child/read/reader.ts';
import { pictureHashes } from '../../fixtures/decoded.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { complaints } from '../../fixtures/packets.ts';
import { sampled } from '../../sampled.ts';
import { scratch } from '../scratch.ts';

const START = Uint8Array.of(0, 0, 0, 1);

/** Parameters of x264 for open groups, and more arguments. */
const streams: Record<string, [string, string[]?]> = {
  'a pyramid that keeps its pictures': ['bframes=3:b-pyramid=normal:ref=4:b-adapt=0'],
  'a strict pyramid': ['bframes=3:b-pyramid=strict:ref=4:b-adapt=0'],
  'no pyramid': ['bframes=3:b-pyramid=none:ref=3:b-adapt=0'],
  'sixteen B-frames and references': ['bframes=16:b-pyramid=normal:ref=16:b-adapt=0'],
  'one reference': ['bframes=3:ref=1'],
  'two references, with leading ones in their place': ['bframes=3:ref=2:b-adapt=0'],
  'four slices in CAVLC': ['cabac=0:bframes=3:slices=4:ref=5:b-adapt=0'],
  'weighted prediction': ['bframes=4:weightp=2:weightb=1:ref=5:b-adapt=0', ['-vf', 'fade=in:0:100']],
  'temporal direct prediction': ['direct=temporal:bframes=3:ref=4:b-adapt=0'],
  'ten bits': ['bframes=3:ref=3', ['-pix_fmt', 'yuv420p10le']],
  'slices, delimiters and buffering periods as on a disc': [
    'bluray-compat=1:bframes=3:slices=4:ref=4:nal-hrd=vbr:vbv-maxrate=2000:vbv-bufsize=2000:aud=1',
  ],
};

async function encoded(name: string, [params, more = []]: [string, string[]?]): Promise<string> {
  const path = join(scratch(), `${name.replaceAll(/\W/g, '-')}.mp4`);
  await run(programs, 'ffmpeg', [
    ...['-v', 'error', '-nostdin', '-y', '-i', fixture('no-sound.mp4'), '-t', '5', '-pix_fmt', 'yuv420p'],
    ...[...more, '-c:v', 'libx264', '-preset', 'medium', '-x264-params'],
    ...[`open-gop=1:keyint=25:min-keyint=25:scenecut=0:${params}`, path],
  ]);
  return path;
}

interface Listed {
  pts: number;
  data: Uint8Array;
  open: boolean;
}

/** The packets of an mp4, and how its stream is decoded from an entry on. */
async function opened(path: string) {
  const reader = await Reader.ofFile({ path, format: 'mov' }, 0);
  const configuration = configurationOf(reader.stream);
  const coded = codecs.h264.coded(configuration);
  if ('unfit' in coded) throw new Error(coded.unfit);
  const packets: Listed[] = [];
  for (let packet = await reader.next(); packet; packet = await reader.next()) {
    const data = Uint8Array.from(packet.data ?? []);
    packets.push({ pts: Number(packet.pts), data, open: packet.isKeyframe && coded.entry(data) === 'open' });
  }
  await reader.close();
  return { packets, coded, avcc: parseAvcc(configuration.extradata) };
}

/** The first slice. */
function headOf(nals: readonly Uint8Array[], avcc: Avcc) {
  const slice = nals.find(isSlice) ?? new Uint8Array();
  const sps = parseSps(avcc.sps[0] ?? new Uint8Array());
  const pps = avcc.pps.map((nal) => parsePps(nal)).find(({ id }) => id === ppsIdOf(slice));
  if (!pps) throw new Error('the first slice has no PPS');
  return parseSlice(slice, { sps, pps });
}

/** Frames that libav decodes, where any damage is an error. */
async function decodedByEngine(path: string): Promise<number> {
  const reader = await Reader.ofFile({ path, format: 'h264' }, 0);
  const decoder = await Decoder.open(reader.stream);
  let frames = 0;
  const count = async () => {
    frames += 1;
  };
  for (let packet = await reader.next(); packet; packet = await reader.next()) {
    await decoder.send(packet, count);
  }
  await decoder.send(null, count);
  decoder.close();
  await reader.close();
  return frames;
}

describe('H.264 that is entered at an open group decodes as from its beginning', () => {
  test.each(sampled(Object.entries(streams), 3))(
    '%s',
    async (name, stream) => {
      const path = await encoded(name, stream);
      const { packets, coded, avcc } = await opened(path);
      const whole = await pictureHashes(path);
      const entries = packets.flatMap(({ open }, index) => (open ? [index] : []));
      expect(entries.length).toBeGreaterThanOrEqual(4);
      for (const at of entries.slice(-2)) {
        const first = packets[at]?.pts ?? 0;
        const entrance = coded.entered();
        const nals = packets.slice(at).flatMap(({ pts, data }) => {
          const made = entrance.packet(data, pts < first);
          expect(made === null).toBe(pts < first);
          return made ? splitLengths(made, avcc.lengthSize) : [];
        });
        expect(headOf(nals, avcc)).toMatchObject({ frameNum: 0, pocLsb: 0, idrPicId: expect.any(Number) });
        const bytes = [...avcc.sps, ...avcc.pps, ...nals].flatMap((nal) => [START, nal]);
        const file = path.replace('.mp4', `-${at}.h264`);
        await writeFile(file, Buffer.concat(bytes));
        const shown = packets.filter(({ pts }) => pts < first).length;
        expect(await pictureHashes(file), `from packet ${at}`).toEqual(whole.slice(shown));
        expect(await complaints(file), `from packet ${at}`).toBe('');
        expect(await decodedByEngine(file)).toBe(whole.length - shown);
      }
    },
    60_000,
  );
});

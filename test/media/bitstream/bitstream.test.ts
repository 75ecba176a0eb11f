import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type Pps, parsePps, parseSps, typeOf } from '../../../transcoder/bitstream/h264-sets.ts';
import { emitSlice, isSlice, parseSlice, ppsIdOf } from '../../../transcoder/bitstream/h264-slice.ts';
import { Splicer, spliceOf } from '../../../transcoder/bitstream/h264-splice.ts';
import { splitStartCodes } from '../../../transcoder/bitstream/nal.ts';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { fixture, programs } from '../../fixtures/make.ts';

const directory = mkdtempSync(join(tmpdir(), 'spool-bitstream-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** NAL units of a stream that x264 makes with these parameters. */
async function encode(params: string, more: string[] = []): Promise<Uint8Array[]> {
  const path = join(directory, 'stream.h264');
  await run(programs, 'ffmpeg', [
    ...['-v', 'error', '-nostdin', '-y', '-i', fixture('plain.mp4'), '-t', '2', '-an', ...more],
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-x264-params', params, '-f', 'h264', path],
  ]);
  return splitStartCodes(await readFile(path));
}

function setsOf(nals: readonly Uint8Array[]) {
  const sps = parseSps(nals.find((nal) => typeOf(nal) === 7) ?? new Uint8Array());
  const pps = nals.filter((nal) => typeOf(nal) === 8).map((nal) => parsePps(nal, sps.chromaFormat));
  return { sps, ppsOf: (nal: Uint8Array) => pps.find(({ id }) => id === ppsIdOf(nal)) as Pps };
}

const streams: Record<string, [string, string[]?]> = {
  'High with B-frames and weighted prediction': ['bframes=4:b-pyramid=normal:ref=5:weightp=2:weightb=1'],
  Baseline: ['ref=3', ['-profile:v', 'baseline']],
  'Main, CABAC without 8x8': ['bframes=2', ['-profile:v', 'main']],
  'High, CAVLC': ['cabac=0:bframes=3:ref=3'],
  'several slices a picture': ['slices=4:bframes=2'],
  'ten bits': ['bframes=3', ['-pix_fmt', 'yuv420p10le']],
  'open GOPs': ['open-gop=1:keyint=20:bframes=4'],
  'no deblocking, other ids': ['no-deblock=1:sps-id=3:bframes=1'],
  'intra frames alone': ['keyint=1'],
};

describe('H.264 slices', () => {
  for (const [name, [params, more]] of Object.entries(streams)) {
    it(`come out as they went in: ${name}`, async () => {
      const nals = await encode(params, more);
      const { sps, ppsOf } = setsOf(nals);
      const slices = nals.filter(isSlice);
      expect(slices.length).toBeGreaterThan(50);
      for (const nal of slices) {
        const pps = ppsOf(nal);
        const slice = parseSlice(nal, { sps, pps });
        const again = emitSlice(slice, slice, sps, pps.cabac);
        expect(Buffer.compare(again, nal)).toBe(0);
      }
    });
  }

  it('keep everything behind the fields that are rewritten', async () => {
    const nals = await encode('bframes=0:weightp=0:ref=1', ['-profile:v', 'main']);
    const { sps, ppsOf } = setsOf(nals);
    const wider = { ...sps, frameNumBits: 11, pocType: 0, pocLsbBits: 9 };
    for (const nal of nals.filter(isSlice)) {
      const pps = ppsOf(nal);
      const slice = parseSlice(nal, { sps, pps });
      const place = { ppsId: 37, frameNum: 1234, idrPicId: slice.idrPicId === null ? null : 5, pocLsb: 300 };
      const moved = parseSlice(emitSlice(slice, place, wider, pps.cabac), { sps: wider, pps });
      expect(moved).toMatchObject({ ...place, firstMb: slice.firstMb, type: slice.type });
      const back = emitSlice(moved, slice, sps, pps.cabac);
      expect(Buffer.compare(back, nal)).toBe(0);
    }
  });

  it('move onto the parameter sets of another stream', async () => {
    const source = await encode('bframes=3:ref=4:keyint=60');
    const encoder = await encode('bframes=0:ref=1:weightp=0:sps-id=0');
    const ofType = (type: number) => source.filter((nal) => typeOf(nal) === type).slice(0, 1);
    const [sps] = ofType(7);
    if (!sps) throw new Error('no parameter set');
    const [profile = 0, compatibility = 0, level = 0] = sps.subarray(1);
    const head = { profile, compatibility, level, lengthSize: 4, extension: new Uint8Array() };
    const splice = spliceOf({ ...head, sps: [sps], pps: ofType(8) });
    if ('unfit' in splice) throw new Error(splice.unfit);
    const splicer = new Splicer(splice, encoder, () => 1);
    const { pps } = splicer.sets;
    expect(pps).toMatchObject({ id: 1, spsId: 0 });
    const move = splicer.stretch([0]);
    const frames = encoder.filter(isSlice).map((nal) => move([nal]));
    const places = frames.flat().map((nal) => parseSlice(nal, { sps: splice.sps, pps }));
    expect(places.map(({ frameNum }) => frameNum).slice(0, 18)).toEqual(
      Array.from({ length: 18 }, (_, index) => index % 2 ** splice.sps.frameNumBits),
    );
    expect(places[0]?.idrPicId).toBe(1);
  });
});

import { mkdtempSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parseHevcPps } from '../../../transcoder/bitstream/hevc-pps.ts';
import { hevcNal, hevcType, parseVps, renumber } from '../../../transcoder/bitstream/hevc-sets.ts';
import {
  asEntry,
  hevcPpsIdOf,
  isHevcSlice,
  isRandomAccess,
  moveHevcSlice,
  parseHevcSlice,
} from '../../../transcoder/bitstream/hevc-slice.ts';
import { enteredUnit, hevcEntry, hevcSpliceOf } from '../../../transcoder/bitstream/hevc-splice.ts';
import { parseHevcSps } from '../../../transcoder/bitstream/hevc-sps.ts';
import { type Hvcc, parseHvcc } from '../../../transcoder/bitstream/hvcc.ts';
import { splitStartCodes } from '../../../transcoder/bitstream/nal.ts';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { fixture, programs } from '../../fixtures/make.ts';

const directory = mkdtempSync(join(tmpdir(), 'spool-hevc-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** NAL units of a stream that x265 makes with these parameters. */
async function encode(params: string, more: string[] = []): Promise<Uint8Array[]> {
  const path = join(directory, 'stream.hevc');
  await run(programs, 'ffmpeg', [
    ...['-v', 'error', '-nostdin', '-y', '-i', fixture('plain.mp4'), '-t', '2', '-an', ...more],
    ...['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', `log-level=none:${params}`, path],
  ]);
  return splitStartCodes(await readFile(path));
}

function setsOf(nals: readonly Uint8Array[]) {
  const first = (type: number) => nals.find((nal) => hevcType(nal) === type) ?? new Uint8Array();
  const pps = nals.filter((nal) => hevcType(nal) === hevcNal.pps).map(parseHevcPps);
  const sps = parseHevcSps(first(hevcNal.sps));
  const of = (nal: Uint8Array) => {
    const set = pps.find(({ id }) => id === hevcPpsIdOf(nal));
    if (!set) throw new Error('a slice without its parameter set');
    return { sps, pps: set };
  };
  return { vps: parseVps(first(hevcNal.vps)), sps, pps, of };
}

/** A hash of each picture that ffmpeg decodes, and what it has to say. */
async function decoded(nals: readonly Uint8Array[]): Promise<string[]> {
  const path = join(directory, 'decoded.hevc');
  await writeFile(path, Buffer.concat(nals.flatMap((nal) => [Buffer.of(0, 0, 0, 1), nal])));
  const args = ['-v', 'warning', '-xerror', '-err_detect', 'explode', '-i', path, '-f', 'framemd5', '-'];
  const { stdout, stderrTail } = await run(programs, 'ffmpeg', args);
  expect(stderrTail).toBe('');
  return stdout
    .split('\n')
    .flatMap((line) => (/^\d/.test(line) ? (line.split(',').at(-1)?.trim() ?? []) : []));
}

const streams: Record<string, [string, string[]?]> = {
  'B-pyramid, several references, weighted prediction': [
    'bframes=4:b-adapt=1:ref=4:weightp=1:weightb=1:keyint=30:b-pyramid=1:limit-refs=0',
  ],
  'open GOPs': ['open-gop=1:keyint=20:bframes=4:b-adapt=0:ref=3'],
  'leading pictures that can be decoded': ['keyint=20:bframes=4:radl=2:open-gop=0'],
  'wavefronts with entry points': ['wpp=1:ctu=16:bframes=2'],
  'four slices with wavefronts': ['slices=4:wpp=1:ctu=16'],
  'ten bits': ['bframes=3', ['-pix_fmt', 'yuv420p10le']],
  'no SAO, no deblocking, no temporal motion vectors': ['no-sao=1:no-deblock=1:no-temporal-mvp=1'],
  'deblocking with offsets, SAO': ['deblock=2,-3:sao=1:no-wpp=1'],
  'scaling lists, transform skip': ['scaling-list=default:tskip=1:cu-lossless=0'],
  'quantiser offsets of chroma': ['cbqpoffs=2:crqpoffs=-2:aq-mode=2:hme=0'],
  'intra frames alone': ['keyint=1'],
  'periodic intra refresh': ['intra-refresh=1:keyint=20:bframes=0'],
  'parameter sets and delimiters in each access unit': [
    'repeat-headers=1:aud=1:hrd=1:vbv-maxrate=900:vbv-bufsize=900',
  ],
  'color and fields of display': ['colorprim=bt709:transfer=bt709:colormatrix=bt709:range=full:sar=4'],
};

describe('slices of HEVC', () => {
  for (const [name, [params, more]] of Object.entries(streams)) {
    it(`come out as they went in, and decode alike on other parameter sets: ${name}`, async () => {
      const nals = (await encode(params, more)).filter((nal) => hevcType(nal) !== hevcNal.prefixSei);
      const sets = setsOf(nals);
      const slices = nals.filter(isHevcSlice);
      expect(slices.length).toBe(60 * (params.includes('slices=4') ? 4 : 1));
      const ids = { vps: 9, sps: 13, pps: 62 };
      const moved = nals.map((nal) => {
        if ([hevcNal.vps, hevcNal.sps, hevcNal.pps].some((type) => type === hevcType(nal))) {
          return renumber(nal, ids);
        }
        if (!isHevcSlice(nal)) return nal;
        const slice = parseHevcSlice(nal, sets.of(nal));
        expect(Buffer.compare(moveHevcSlice(slice, slice.ppsId), nal)).toBe(0);
        return moveHevcSlice(slice, ids.pps);
      });
      const there = setsOf(moved);
      expect([there.vps.id, there.sps.vpsId, there.sps.id]).toEqual([ids.vps, ids.vps, ids.sps]);
      expect(there.pps[0]).toMatchObject({ id: ids.pps, spsId: ids.sps });
      const pictures = await decoded(nals);
      expect(pictures).toHaveLength(60);
      expect(await decoded(moved)).toEqual(pictures);
    });
  }

  it('begin a stream at a CRA picture that became one of a broken link', async () => {
    const nals = await encode('open-gop=1:keyint=20:bframes=4:b-adapt=0');
    const units = accessUnits(nals.filter(isHevcSlice));
    expect(units.map(hevcEntry).filter(Boolean)).toEqual(['closed', 'open', 'open']);
    const at = units.findIndex((unit) => hevcEntry(unit) === 'open');
    const leading = units.slice(at + 1).findIndex(([nal]) => nal && hevcType(nal) < 6);
    expect(leading).toBeGreaterThan(0);
    const splice = hevcSpliceOf(configuration(nals));
    if ('unfit' in splice) throw new Error(splice.unfit);
    const rest = units.slice(at + 1 + leading).flat();
    const entered = enteredUnit(units[at] ?? [], splice);
    expect(entered.map(hevcType)).toEqual([32, 33, 34, 18]);
    const whole = await decoded(nals);
    const pictures = await decoded([...entered, ...rest]);
    expect(pictures).toEqual(whole.slice(-pictures.length));
    expect(pictures.length).toBeGreaterThanOrEqual(40);
  });

  it('do not give up frames that wait to be shown', async () => {
    const nals = await encode('keyint=20:open-gop=0:bframes=3');
    const idr = nals.find((nal) => isRandomAccess(hevcType(nal))) ?? new Uint8Array();
    const given = Uint8Array.from(idr);
    given[2] = (given[2] ?? 0) | 0x40;
    const sets = setsOf(nals).of(idr);
    expect(parseHevcSlice(given, sets).noOutputOfPriorPics).toBe(true);
    expect(Buffer.compare(asEntry(given), idr)).toBe(0);
  });
});

describe('the configuration of a file', () => {
  it('survives being taken apart', async () => {
    const { stdout } = await run(programs, 'ffprobe', [
      ...['-v', 'error', '-show_data', '-select_streams', 'v', '-show_entries', 'stream=extradata'],
      ...['-of', 'json', fixture('hdr10.mp4')],
    ]);
    const dump = (JSON.parse(stdout) as { streams: { extradata: string }[] }).streams[0]?.extradata ?? '';
    const hex = dump.split('\n').map((line) => line.slice(10, 50).replaceAll(' ', ''));
    const hvcc = parseHvcc(Buffer.from(hex.join(''), 'hex'));
    expect(hvcc).toMatchObject({ profile: 2, tier: 0, lengthSize: 4 });
    const splice = hevcSpliceOf(hvcc);
    expect(splice).toMatchObject({ profile: 'main10' });
    expect(splice).toMatchObject({ sps: { width: 320, height: 192, bitDepthLuma: 10, fields: false } });
  });
});

/** Slices of the same picture together. */
function accessUnits(slices: readonly Uint8Array[]): Uint8Array[][] {
  const units: Uint8Array[][] = [];
  for (const nal of slices) {
    if ((nal[2] ?? 0) >> 7 === 1) units.push([]);
    units.at(-1)?.push(nal);
  }
  return units;
}

function configuration(nals: readonly Uint8Array[]): Hvcc {
  const { general } = setsOf(nals).sps;
  const arrays = [hevcNal.vps, hevcNal.sps, hevcNal.pps].map((type) => ({
    complete: true,
    type,
    nals: nals.filter((nal) => hevcType(nal) === type).slice(0, 1),
  }));
  return { profileSpace: 0, ...general, format: new Uint8Array(8), layers: 0, lengthSize: 4, arrays };
}

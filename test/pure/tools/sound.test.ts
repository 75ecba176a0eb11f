import { describe, expect, it } from 'vitest';
import { downmixer, downmixWeights } from '../../../web/tools/mp4-to-mp3/sound/downmix.ts';
import { isCutOffMp4 } from '../../../web/tools/mp4-to-mp3/sound/mp4-index.ts';
import { Resampler } from '../../../web/tools/mp4-to-mp3/sound/resampler.ts';
import { type Planes, Timeline } from '../../../web/tools/mp4-to-mp3/sound/timeline.ts';

const RATE = 1000;
const ramp = (from: number, length: number): Planes => [
  Float32Array.from({ length }, (_, index) => from + index),
];
const flat = (pieces: Iterable<Planes>) => [...pieces].flatMap(([plane]) => [...(plane ?? [])]);

describe('the timeline', () => {
  const open = (from = 0, to = Infinity) => new Timeline({ sampleRate: RATE, channels: 1, from, to });

  it('drops what comes before its start, and begins with silence where sound begins late', () => {
    const early = open();
    expect(flat(early.place(-0.003, ramp(1, 5)))).toEqual([4, 5]);
    const late = open(1);
    expect(flat(late.place(1.003, ramp(1, 2)))).toEqual([0, 0, 0, 1, 2]);
    expect(late.written).toBe(5);
  });

  it('takes timestamps that are a little off for what follows, and fills or drops what is more than that', () => {
    const timeline = open();
    expect(flat(timeline.place(0, ramp(1, 100)))).toHaveLength(100);
    expect(flat(timeline.place(0.099, ramp(101, 2)))).toEqual([101, 102]);
    expect(flat(timeline.place(0.111, ramp(103, 1)))).toEqual([103]);
    expect(flat(timeline.place(0.2, ramp(200, 1)))).toEqual([...new Array(97).fill(0), 200]);
    expect(flat(timeline.place(0.15, ramp(0, 55)))).toEqual([51, 52, 53, 54]);
    expect(timeline.written).toBe(205);
  });

  it('ends at its end, silence included', () => {
    const timeline = open(0, 0.01);
    expect(flat(timeline.place(0.008, ramp(1, 5)))).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 1, 2]);
    expect(timeline.isComplete).toBe(true);
    expect(flat(timeline.place(0.013, ramp(1, 5)))).toEqual([]);
    expect(flat(open(0, 0.01).place(50, ramp(1, 5)))).toHaveLength(10);
  });

  it('fills an hour without holding it at once', () => {
    const pieces = [...open().place(3600, ramp(1, 1))];
    expect(Math.max(...pieces.map(([plane]) => plane?.length ?? 0))).toBeLessThanOrEqual(RATE);
  });
});

describe('the resampler', () => {
  const through = (from: number, to: number, samples: Float32Array<ArrayBuffer>, block: number) => {
    const resampler = new Resampler(from, to, 1);
    const out: number[] = [];
    for (let at = 0; at < samples.length; at += block)
      out.push(...flat([resampler.push([samples.slice(at, at + block)])]));
    return [...out, ...flat([resampler.end()])];
  };
  const sine = (frequency: number, rate: number) =>
    Float32Array.from({ length: rate / 2 }, (_, index) => Math.sin((2 * Math.PI * frequency * index) / rate));

  it.each([
    [48000, 44100],
    [44100, 48000],
    [96000, 48000],
    [22050, 44100],
    [8000, 32000],
    [37800, 44100],
  ])('keeps a tone where it is, from %i to %i Hz, whatever the blocks', (from, to) => {
    const samples = through(from, to, sine(1000, from), 1024);
    expect(samples).toHaveLength(to / 2);
    expect(through(from, to, sine(1000, from), 333)).toEqual(samples);
    const inside = samples.slice(400, -400);
    const furthest = Math.max(
      ...inside.map((sample, index) =>
        Math.abs(sample - Math.sin((2 * Math.PI * 1000 * (index + 400)) / to)),
      ),
    );
    expect(furthest).toBeLessThan(1e-4);
  });

  it('leaves nothing of what the lower rate cannot have', () => {
    const samples = through(96000, 48000, sine(30000, 96000), 1024).slice(400, -400);
    expect(Math.max(...samples.map(Math.abs))).toBeLessThan(1e-4);
  });
});

describe('the mix', () => {
  it('weighs the channels as FFmpeg does, with a sum of 1', () => {
    for (let source = 1; source <= 10; source++)
      for (const target of [1, 2] as const)
        for (const row of downmixWeights(source, target))
          expect([source, target, row.reduce((sum, weight) => sum + weight, 0)]).toEqual([
            source,
            target,
            expect.closeTo(1),
          ]);
    const [left] = downmixWeights(6, 2);
    expect(left?.map((weight) => Number(weight.toFixed(4)))).toEqual([0.4142, 0, 0.2929, 0, 0.2929, 0]);
  });

  it('gives mono to both sides, half of both to mono, and leaves stereo alone', () => {
    const [left, right] = [Float32Array.of(0.5, 1), Float32Array.of(-0.5, 0)];
    expect(flat([downmixer(2, 1)([left, right])])).toEqual([0, 0.5]);
    expect(downmixer(1, 2)([left])).toEqual([left, left]);
    const stereo = [left, right];
    expect(downmixer(2, 2)(stereo)).toBe(stereo);
  });
});

describe('an MP4 without its index', () => {
  const box = (type: string, length: number, claims = length) => {
    const bytes = Buffer.alloc(length);
    bytes.writeUInt32BE(claims);
    bytes.write(type, 4);
    return bytes;
  };
  const isCutOff = (...boxes: Buffer[]) => {
    const file = Buffer.concat(boxes);
    return isCutOffMp4(file.length, async (start, end) => new Uint8Array(file.subarray(start, end)));
  };
  const huge = box('mdat', 40, 1);
  huge.writeBigUInt64BE(5_000_000_000n, 8);

  it.each([
    ['media that reaches beyond the end', [box('ftyp', 16), box('mdat', 40, 400)], true],
    ['media with a length of 64 bits', [box('ftyp', 16), huge], true],
    ['an index that reaches beyond the end', [box('ftyp', 16), box('moov', 40, 400)], true],
    ['a whole file', [box('ftyp', 16), box('mdat', 40), box('moov', 40)], false],
    ['a file that is cut behind its index', [box('ftyp', 16), box('moov', 40), box('mdat', 40, 400)], false],
    ['another kind of file', [box('RIFF', 40, 400)], false],
    ['boxes without a length', [box('ftyp', 16), box('free', 40, 3)], false],
  ] as const)('%s', async (_, boxes, expected) => {
    expect(await isCutOff(...boxes)).toBe(expected);
  });
});

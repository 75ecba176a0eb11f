import { describe, expect, test } from 'vitest';
import type { AskOptions } from '../../../transcoder/media/libav/pool.ts';
import type { SpliceRequest } from '../../../transcoder/model/splice.ts';
import { lagOf, readNumbers, readSound, readTimes } from '../../fixtures/barcode.ts';
import { pictureHashes } from '../../fixtures/decoded.ts';
import { complaints } from '../../fixtures/packets.ts';
import { sampled } from '../../sampled.ts';
import { libav, operate } from '../operate.ts';
import { checkPacketTimes, makeSource, random, type Structure, sweep } from './structures.ts';

const sound = ['-c:a', 'aac', '-b:a', '96k'];
const structures: Record<string, Structure> = {
  'eight B-frames at 25 and a scaling matrix': {
    ...{ rate: '25', params: 'bframes=8:b-adapt=0:keyint=60:ref=4:cqm=jvt', sound },
  },
  'a pyramid of three at 23.976': {
    ...{ rate: '24000/1001', params: 'bframes=3:b-pyramid=normal:keyint=36:min-keyint=36', sound },
  },
  'no B-frames at 60': { rate: '60', params: 'bframes=0:keyint=100', sound },
  'open groups at 29.97': { rate: '30000/1001', params: 'open-gop=1:bframes=4:keyint=30', sound },
  'a rate that varies': {
    ...{ rate: '30', params: 'bframes=2:keyint=40', sound },
    filters: "select='gt(mod(n*7,10),2)'",
  },
  'an edit list that hides the beginning': {
    ...{ rate: '30', params: 'bframes=3:keyint=50:min-keyint=50:scenecut=0', sound },
    again: ['-ss', '1.1', '-i', 'INPUT', '-c', 'copy'],
  },
  'a picture that begins late': {
    ...{ rate: '30', params: 'bframes=2:keyint=30', sound },
    again: ['-itsoffset', '0.5', '-i', 'INPUT', '-i', 'INPUT', '-map', '0:v', '-map', '1:a', '-c', 'copy'],
  },
  'ten bits, turned, with wide pixels': {
    ...{ rate: '30', params: 'bframes=2:keyint=25', sound, filters: 'setsar=4/3' },
    more: ['-pix_fmt', 'yuv420p10le'],
    turned: true,
  },
  'large frames, encoded in several lanes': {
    ...{ rate: '30', params: 'bframes=3:keyint=250', sound, filters: 'scale=960:540:flags=neighbor' },
  },
  'Baseline and a sound that is not copied': {
    ...{ rate: '30', params: 'keyint=45', more: ['-profile:v', 'baseline'] },
    sound: ['-c:a', 'pcm_s16le', '-f', 'mov'],
  },
};

const real = libav;
if (!real) throw new Error('libav cannot be loaded');
/** What libav could not do: a render that stands in for it would hide that. */
const failures: unknown[] = [];
const watched = {
  splice: (request: SpliceRequest, options?: AskOptions) =>
    real.ask(request, options).catch((error: unknown) => {
      failures.push(error);
      throw error;
    }),
};

interface Reference {
  path: string;
  numbers: number[];
  /** Seconds from the start of the container. */
  times: number[];
  /** Hashes of the decoded frames. */
  pictures: Set<string>;
  sound: Float32Array;
}

async function referenceOf(name: string, structure: Structure): Promise<Reference> {
  const path = await makeSource(`ranges ${name}`, structure, sweep);
  const [numbers, times] = [await readNumbers(path), await readTimes(path)];
  return { path, numbers, times, pictures: new Set(await pictureHashes(path)), sound: await readSound(path) };
}

/** Ranges that begin and end where a frame does, or so near that there is no doubt which frames they hold. */
function segmentsOf({ times }: Reference, next: () => number) {
  return Array.from({ length: 2 + Math.floor(next() * 4) }, () => {
    const from = Math.floor(next() * (times.length - 80));
    const to = from + 5 + Math.floor(next() * 75);
    const edge = (index: number) => {
      const [here = 0, after = here + 0.01] = [times[index], times[index + 1]];
      return Math.round((here + (after - here) * 0.2 * next()) * 1e6) / 1e6;
    };
    // Picture and sound are cut at the frames' own instants.
    const [start = 0, end = 0] = [times[from], times[to]];
    return { frames: [from, to] as const, asked: { start: edge(from), end: edge(to) }, start, end };
  });
}

describe('ranges in any order are exact, and what was copied is what was there', () => {
  test.each(sampled(Object.entries(structures), 3))('%s', async (name, structure) => {
    const source = await referenceOf(name, structure);
    const next = random(name.length * 7);
    for (let count = 0; count < 2; count++) {
      const fade = count === 1 ? { fade_in: 0.4, fade_out: 0.3 } : { fade_in: 0, fade_out: 0 };
      const segments = segmentsOf(source, next);
      const asked = segments.map((segment) => segment.asked);
      const done = await operate(
        'cut',
        source.path,
        { segments: asked, ...fade },
        {
          libav: watched,
          onWarning: (message) => failures.push(message),
        },
      );
      const said = `${name}: ${JSON.stringify({ segments: asked, ...fade })}`;

      expect(failures, said).toEqual([]);

      let out = 0;
      const wanted = segments.flatMap(({ frames: [from, to], start, end }) => {
        const begin = out;
        out += end - start;
        return source.times.slice(from, to).map((time, index) => ({
          number: source.numbers[from + index],
          time: begin + time - start,
        }));
      });
      const numbers = await readNumbers(done.path);
      const clear = ({ time }: { time: number }) =>
        count === 0 || (time > fade.fade_in * 0.8 && time < out - fade.fade_out * 0.8);
      const legible = wanted.map(clear);
      expect(
        numbers.filter((_, index) => legible[index]),
        said,
      ).toEqual(wanted.filter(clear).map(({ number }) => number));
      expect(numbers).toHaveLength(wanted.length);
      const times = await readTimes(done.path);
      const frame = (source.times.at(-1) ?? 0) / source.times.length;
      for (const [index, { time }] of wanted.entries()) {
        expect(Math.abs((times[index] ?? 0) - time), `${said} frame ${index}`).toBeLessThan(0.0005);
      }

      const { copied_seconds: copied } = done.data as { copied_seconds: number };
      const same = (await pictureHashes(done.path)).filter((hash) => source.pictures.has(hash)).length;
      expect(same * frame, said).toBeGreaterThanOrEqual(copied - segments.length * frame - 0.001);
      await checkPacketTimes(done.path);
      expect(await complaints(done.path), said).toBe('');

      const found = await readSound(done.path);
      let at = 0;
      for (const { start, end } of segments) {
        const part = (samples: Float32Array, from: number) =>
          samples.subarray(
            Math.round((from + 0.05) * 48_000),
            Math.round((from + end - start - 0.05) * 48_000),
          );
        expect(Math.abs(lagOf(part(found, at), part(source.sound, start))), said).toBeLessThanOrEqual(2);
        at += end - start;
      }
    }
  });
});

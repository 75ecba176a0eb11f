import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { boxAt } from '../../../transcoder/bitstream/mp4/boxes.ts';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { pictureHashes } from '../../fixtures/decoded.ts';
import { programs } from '../../fixtures/make.ts';
import { complaints } from '../../fixtures/packets.ts';
import { sampled } from '../../sampled.ts';
import { operate } from '../operate.ts';
import { languagesOf } from '../results/tracked.ts';
import { scratch } from '../scratch.ts';

/** Of Matroska, libav's muxer writes the mp4, and the place for the index is left in front. */
const RATE = 25;
const SECONDS = 12;
const noise = `testsrc2=s=640x360:r=${RATE}:d=${SECONDS},noise=alls=60:allf=t`;
const x264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-b:v', '12M', '-maxrate', '12M', '-bufsize', '12M'];

/** With as many sounds, in codecs that can be copied. */
async function made(name: string, filter: string, sounds: readonly string[]): Promise<string> {
  const path = join(scratch(), name);
  const tones = sounds.flatMap((_, index) => [
    '-f',
    'lavfi',
    '-i',
    `sine=${440 + 110 * index}:r=48000:d=${SECONDS}`,
  ]);
  const maps = sounds.flatMap((codec, index) => [
    ...['-map', `${index + 1}:a`, `-c:a:${index}`, codec],
    ...[
      `-metadata:s:a:${index}`,
      'language=deu',
      `-metadata:s:a:${index}`,
      `title=${'Kommentar '.repeat(20)}${index}`,
    ],
  ]);
  await run(programs, 'ffmpeg', [
    ...['-v', 'error', '-nostdin', '-y', '-f', 'lavfi', '-i', `${noise}${filter}`, ...tones],
    ...['-map', '0:v', ...maps, ...x264, '-g', `${RATE}`, '-fps_mode', 'passthrough', path],
  ]);
  return path;
}

async function boxesOf(path: string): Promise<[type: string, size: number][]> {
  const bytes = await readFile(path);
  const found: [string, number][] = [];
  for (let at = 0; at < bytes.length; ) {
    const box = boxAt(bytes.subarray(at, at + 16), 0, bytes.length - at, at);
    if (!box) throw new Error(`there is no box at ${at}`);
    found.push([box.type, box.to - at]);
    at = box.to;
  }
  return found;
}

describe('a cut of Matroska to mp4', () => {
  test.each(
    sampled(
      [
        ['with AAC', 'aac.mkv', '', ['aac']],
        ['without sound', 'mute.mkv', '', []],
        ['with AC-3, mp3 and AAC, all with long names', 'three.mkv', '', ['ac3', 'libmp3lame', 'aac']],
        [
          'whose frames all have other lengths',
          'varying.mkv',
          `,setpts='PTS+0.6*random(1)/${RATE}/TB'`,
          ['aac'],
        ],
      ],
      3,
    ),
  )(
    '%s has its index in front, and was written once',
    async (_, name, filter, sounds) => {
      const path = await made(name, filter, sounds);
      const done = await operate('cut', path, { start: 1.3, end: 11.1 });
      expect(done.data.copied_seconds).toBeGreaterThan(8);
      const boxes = await boxesOf(done.path);
      expect(boxes.map(([type]) => type)).toEqual(['ftyp', 'moov', 'free', 'free', 'mdat']);
      const [index = 0, empty = 0, , media = 0] = boxes.slice(1).map(([, size]) => size);
      expect(index).toBeGreaterThan(1000);
      expect(empty).toBeLessThan(0.005 * media);
      expect(await complaints(done.path)).toBe('');
      const pictures = new Set(await pictureHashes(path));
      const shown = await pictureHashes(done.path);
      expect(shown.filter((hash) => pictures.has(hash)).length).toBeGreaterThan(8 * RATE);
      expect(await languagesOf(done.path, 'audio')).toEqual(sounds.map(() => 'deu'));
    },
    120_000,
  );
});

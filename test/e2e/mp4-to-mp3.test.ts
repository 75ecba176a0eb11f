import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../transcoder/ffmpeg/run.ts';
import { readMp3Frame } from '../../web/tools/mp4-to-mp3/sound/mp3-frame.ts';
import {
  type Converter,
  type ConverterStand,
  openConverter,
  openOptions,
  savedAs,
  startConverterStand,
} from '../browser/converter.ts';
import { chromiumPath } from '../browser/player.ts';
import { clicksIn, correlation, RATE, soundOf } from '../fixtures/clicks.ts';
import { fixture, programs } from '../fixtures/make.ts';
import { secondsOf } from '../fixtures/saved-files.ts';
import { sampled, thorough } from '../sampled.ts';

const FRAME = 1152;
const MILLISECOND = 0.001;
const hasHeAac = spawnSync(programs.ffmpeg, ['-encoders'], { encoding: 'utf8' }).stdout.includes(
  'libfdk_aac',
);

let stand: ConverterStand;
let browser: Browser;
let origin: string;
let directory: string;
let file: ConverterStand['file'];

beforeAll(async () => {
  if (!chromiumPath) return;
  stand = await startConverterStand(chromiumPath);
  ({ browser, origin, directory, file } = stand);
});
afterAll(() => stand?.close());

interface Probed {
  streams: {
    codec_name: string;
    codec_type: string;
    sample_rate?: string;
    start_time: string;
    channels?: number;
    bit_rate?: string;
    disposition: { attached_pic: number };
  }[];
  format: { duration: string; tags?: Record<string, string> };
}

async function probe(path: string): Promise<Probed> {
  const show = ['-v', 'error', '-show_streams', '-show_format', '-of', 'json', path];
  return JSON.parse((await run(programs, 'ffprobe', show)).stdout) as Probed;
}

/** Saves the MP3 of a file of the list. @returns its path */
async function mp3Of(converter: Converter, path: string): Promise<string> {
  const { name, bytes } = await converter.saved(converter.row(path).getByRole('button', { name: /^Save/ }));
  expect(name).toBe(basename(path).replace(/\.\w+$/, '.mp3'));
  const saved = join(directory, `saved-${name}`);
  await writeFile(saved, bytes);
  return saved;
}

/** What ffmpeg makes of the same sound. */
async function ffmpegsMp3(path: string, track: number, channels: number, rate: number): Promise<string> {
  const mp3 = join(directory, `ffmpeg-${basename(path)}.mp3`);
  const how = [
    '-map',
    `0:a:${track}`,
    '-ac',
    `${channels}`,
    '-ar',
    `${rate}`,
    '-c:a',
    'libmp3lame',
    '-b:a',
    '192k',
  ];
  await run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', '-i', path, ...how, mp3]);
  return mp3;
}

/** The five clicks of a sound that are whole: half of the first and of the last one may be missing. */
const insideClicks = (clicks: readonly number[], late = 0) =>
  clicks.filter((click) => click > late + 0.5 && click < late + 5.5);

/** The sound of an MP3 as `decodeAudioData` of the browser gives it, which here keeps its first channel. */
async function decodedByBrowser({ page }: Converter, path: string): Promise<Float32Array> {
  const text = (await readFile(path)).toString('base64');
  const samples = await page.evaluate<string>(`(async () => {
    const bytes = Uint8Array.from(atob('${text}'), (character) => character.charCodeAt(0));
    const sound = await new OfflineAudioContext(1, 1, ${RATE}).decodeAudioData(bytes.buffer);
    const copy = new Uint8Array(sound.getChannelData(0).buffer);
    const parts = [];
    for (let at = 0; at < copy.length; at += 8192) parts.push(String.fromCharCode(...copy.subarray(at, at + 8192)));
    return btoa(parts.join(''));
  })()`);
  return new Float32Array(Uint8Array.from(Buffer.from(samples, 'base64')).buffer);
}

interface Sound {
  path: () => string;
  channels?: 1 | 2;
  rate?: number;
  /** Which track of the source it is. */
  track?: number;
  /** Whether it begins after the picture. */
  isLate?: boolean;
  isCopy?: boolean;
  /** Whether its bitrate follows the sound. */
  isVariable?: boolean;
}

const sounds: Record<string, Sound> = {
  'AAC, stereo': { path: () => fixture('plain.mp4') },
  'AAC, mono': { path: () => file('mono.m4a'), channels: 1 },
  'AAC at 22.05 kHz': { path: () => file('tagged.m4a'), rate: 44100 },
  'AAC, 5.1': { path: () => fixture('surround.mp4') },
  Opus: { path: () => fixture('vp9.webm') },
  Vorbis: { path: () => fixture('sound.ogg') },
  FLAC: { path: () => fixture('sound.flac') },
  'PCM in MOV': { path: () => fixture('pcm.mov') },
  'PCM in WAV': { path: () => fixture('sound.wav') },
  'AAC in Matroska': { path: () => fixture('plain.mkv') },
  'MP3 in MP4': { path: () => file('mp3-inside.mp4'), isCopy: true },
  'a second track': { path: () => file('ac3-and-aac.mp4'), track: 1 },
  'sound that begins late': { path: () => fixture('late-sound.mp4'), isLate: true },
  'chunks over 4 GB': { path: () => file('four-gigabytes.mp4') },
};

/** Bitrates of the frames of sound; the first frame describes the file. */
function bitratesIn(mp3: Uint8Array): Set<number> {
  const found = new Set<number>();
  let at = mp3.findIndex((byte, index) => byte === 0xff && readMp3Frame(mp3.subarray(index)) !== null);
  for (let count = 0; at < mp3.length; count++) {
    const frame = readMp3Frame(mp3.subarray(at));
    if (!frame) break;
    if (count > 0) found.add(frame.bitrate);
    at += frame.bytes;
  }
  return found;
}

/** Compares the MP3 of a file with the sound of the file, and with the MP3 that ffmpeg makes of it. */
async function expectExact(converter: Converter, name: string, sound: Sound): Promise<void> {
  const {
    path,
    channels = 2,
    rate = 48000,
    track = 0,
    isLate = false,
    isCopy = false,
    isVariable = false,
  } = sound;
  const state = await converter.row(path()).locator('[data-part="state"]').textContent();
  expect([name, state]).toEqual([
    name,
    expect.stringMatching(isCopy ? /^Done.*copied/ : /^Done(?!.*copied)/),
  ]);
  const mp3 = await mp3Of(converter, path());
  const { streams } = await probe(mp3);
  const stream = { codec_name: 'mp3', sample_rate: `${rate}`, channels };
  const constant = isVariable ? {} : { bit_rate: isCopy ? '160000' : '192000' };
  expect([name, streams]).toMatchObject([name, [{ ...stream, ...constant }]]);
  expect([name, bitratesIn(await readFile(mp3)).size > 1]).toEqual([name, isVariable]);
  const audio = (await probe(path())).streams.find(({ codec_type }) => codec_type === 'audio');
  const late = isLate ? Number(audio?.start_time) : 0;
  const source = await soundOf(path(), track);
  const expected = insideClicks(clicksIn(source)).map((click) => click + late);
  expect([name, expected.length]).toEqual([name, 5]);
  const seconds = late + source.length / RATE;
  const byFfmpeg = await soundOf(mp3);
  const byBrowser = await decodedByBrowser(converter, mp3);
  for (const [decoder, decoded] of [
    ['ffmpeg', byFfmpeg],
    ['browser', byBrowser],
  ] as const) {
    const clicks = insideClicks(clicksIn(decoded), late);
    const furthest = Math.max(...expected.map((click, index) => Math.abs(click - (clicks[index] ?? 0))));
    const difference = Math.abs(decoded.length / RATE - seconds);
    const exact = clicks.length === 5 && furthest < MILLISECOND && difference <= FRAME / rate;
    expect({ name, decoder, exact, clicks, seconds: decoded.length / RATE }).toMatchObject({
      exact: true,
    });
  }
  const alike = correlation(
    byFfmpeg.subarray(Math.round(late * RATE)),
    await soundOf(await ffmpegsMp3(path(), track, channels, rate)),
  );
  expect([name, alike > 0.98, alike]).toEqual([name, true, alike]);
}

describe.skipIf(!chromiumPath)('the converter of MP4 to MP3 (needs Chromium)', () => {
  it('keeps every click where it was, to a millisecond, and every length, to a frame', async () => {
    const converter = await openConverter(browser, origin);
    const tried = sampled(Object.entries(sounds), 3);
    await converter.add(...tried.map(([, { path }]) => path()));
    await converter.convert();
    for (const [name, sound] of tried) await expectExact(converter, name, sound);
    expect(converter.complaints).toEqual([]);
    expect(new Set(converter.requests).size).toBe(1);
    expect(converter.requests[0]).toMatch(/^\/tools\/mp4-to-mp3\/converter-\w+\.js$/);
    await converter.close();
  });

  it.each(sampled(['v0', 'v4'], 2))('is as exact at the variable bitrate %s', async (setting) => {
    const converter = await openConverter(browser, origin);
    const stereo = { path: () => fixture('plain.mp4'), isVariable: true };
    const mono = { path: () => file('tagged.m4a'), rate: 44100, isVariable: true };
    await converter.add(stereo.path(), mono.path());
    await converter.page.getByLabel('Bitrate').selectOption(setting);
    await converter.convert();
    await expectExact(converter, 'stereo', stereo);
    await expectExact(converter, 'mono', mono);
    await converter.close();
  });

  it.skipIf(!hasHeAac)('does the same with HE-AAC (needs an ffmpeg with libfdk_aac)', async () => {
    const path = join(directory, 'he.m4a');
    const how = ['-c:a', 'libfdk_aac', '-profile:a', 'aac_he', '-b:a', '48k', path];
    await run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-i', fixture('sound.wav'), ...how]);
    const converter = await openConverter(browser, origin);
    await converter.add(path);
    await converter.convert();
    await expectExact(converter, 'HE-AAC', { path: () => path });
    await converter.close();
  });

  thorough(
    'writes title, artist and a frame as the cover, in the bitrate, channels and rate that were chosen',
    async () => {
      const converter = await openConverter(browser, origin);
      const [video, tagged] = [fixture('plain.mp4'), file('tagged.m4a')];
      await converter.add(video, tagged);
      await converter.page.getByLabel('Bitrate').selectOption('128');
      await converter.page.getByLabel('Channels').selectOption('mono');
      await converter.page.getByLabel('Sample rate').selectOption('32000');
      await openOptions(converter, video);
      const row = converter.row(video);
      await row.getByLabel('Title').fill('Größe & <b>');
      await row.getByLabel('Artist').fill('Ada');
      await row.getByLabel('Cover').selectOption('frame');
      await row.getByLabel('Time of the frame').fill('0:02');
      await row.getByLabel('Time of the frame').press('Enter');
      await row.getByAltText('Frame at 0:02').waitFor();
      await converter.convert();

      const mp3 = await savedAs(converter, video, join(directory, 'tagged-video.mp3'));
      const { streams, format } = await probe(mp3);
      expect(format.tags).toMatchObject({ title: 'Größe & <b>', artist: 'Ada' });
      expect(streams).toMatchObject([
        { codec_name: 'mp3', sample_rate: '32000', channels: 1, bit_rate: '128000' },
        { codec_name: 'mjpeg', width: 320, height: 180, disposition: { attached_pic: 1 } },
      ]);
      const kept = await probe(await savedAs(converter, tagged, join(directory, 'kept.mp3')));
      expect(kept.format.tags).toMatchObject({ title: 'Källa', artist: 'Ada' });
      await converter.close();
    },
  );

  thorough('trims to the sample, also at the end of two hours, and copies two hours', async () => {
    const converter = await openConverter(browser, origin);
    const [video, hours, copied] = [fixture('plain.mp4'), file('two-hours.wav'), file('two-hours.mp4')];
    await converter.add(video, hours, copied);
    for (const [path, from, to] of [
      [video, '1.25', '0:04.75'],
      [hours, '1:59:50', ''],
    ] as const) {
      await openOptions(converter, path);
      const row = converter.row(path);
      await row.getByLabel('Start', { exact: true }).fill(from);
      await row.getByLabel('Start', { exact: true }).press('Tab');
      if (to === '') continue;
      await row.getByLabel('End', { exact: true }).fill(to);
      await row.getByLabel('End', { exact: true }).press('Tab');
    }
    await converter.convert();
    const trimmed = await soundOf(await savedAs(converter, video, join(directory, 'trimmed.mp3')));
    const clicks = clicksIn(trimmed);
    expect(clicks.map((click) => Number(click.toFixed(3)))).toEqual([0.75, 1.75, 2.75]);
    expect(trimmed.length).toBe(3.5 * RATE);
    const end = await soundOf(await savedAs(converter, hours, join(directory, 'end.mp3')));
    expect(Math.abs(end.length / RATE - 10)).toBeLessThan(0.001);
    const whole = await savedAs(converter, copied, join(directory, 'hours.mp3'));
    const seconds = secondsOf(await readFile(whole), 576, 16_000);
    expect(Math.abs(seconds - 7200)).toBeLessThan(576 / 16_000);
    await converter.close();
  });
});

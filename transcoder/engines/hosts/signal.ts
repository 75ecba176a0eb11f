import { appendFile, type FileHandle, open } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { CENTER, centreMask, PLACES } from './center-mask.ts';
import { readFloats, silenceNonNumbers, writeFloats } from './floats.ts';
import {
  type MagnitudesRequest,
  type MaskedRequest,
  type Parted,
  type PartRequest,
  signalRequest,
} from './protocol.ts';
import { serve } from './serve.ts';
import { blockSamples, settledFrom, spleeterFrames } from './spleeter-frames.ts';
import { voiceAnswer } from './voice-answer.ts';
import { areApart, type Place, voicePlace } from './voice-place.ts';

const BYTES = 4;
/** Power of a sample of both channels that counts as silence, about −120 dB. */
const SILENT = 1e-12;
const STEREO = 2;
/** Samples, about. */
const SECOND = 48_000;

serve(signalRequest, async (request, { loaded, progress }) => {
  loaded();
  if (request.kind === 'part') return part(request, progress);
  if (request.kind === 'magnitudes') await magnitudes(request);
  else if (request.kind === 'masked') await masked(request);
  else return voiceAnswer(request);
  return null;
});

async function magnitudes({ from, at, file }: MagnitudesRequest): Promise<void> {
  await writeFloats(file, spleeterFrames().magnitudes(await blockOf(from, at)));
}

async function masked({ from, at, vocals, accompaniment, to, samples }: MaskedRequest): Promise<void> {
  const [voice, rest] = [await readFloats(vocals), await readFloats(accompaniment)];
  const whole = spleeterFrames().masked(await blockOf(from, at), voice, rest);
  const settled = whole.subarray(STEREO * settledFrom, STEREO * (settledFrom + samples));
  await appendFile(to, new Uint8Array(settled.buffer, settled.byteOffset, settled.byteLength));
}

/** A block of the sound, padded with silence outside the file. */
async function blockOf(from: string, at: number): Promise<Float32Array> {
  const samples = new Float32Array(STEREO * blockSamples);
  const lead = Math.max(0, -at);
  const source = await open(from);
  try {
    const bytes = new Uint8Array(samples.buffer).subarray(lead * STEREO * BYTES);
    await source.read(bytes, 0, bytes.length, (at + lead) * STEREO * BYTES);
  } finally {
    await source.close();
  }
  silenceNonNumbers(samples);
  return samples;
}

async function part(
  { from, search, voice, music }: PartRequest,
  progress: (fraction: number) => void,
): Promise<Parted> {
  const source = await open(from);
  const [voiceFile, musicFile] = [await written(voice), await written(music)];
  try {
    const total = Math.floor((await source.stat()).size / BYTES / STEREO);
    const { place, apart } = search ? await placeIn(source, total) : { place: CENTER, apart: true };
    const { hop, delay, middle } = centreMask(place ?? CENTER);
    const waiting = new Float32Array(STEREO * (delay + hop));
    let [left, right, both] = [0, 0, 0];
    for (let at = 0; at < total + delay; at += hop) {
      const samples = await read(source, at, hop);
      for (let index = 0; index < samples.length; index += STEREO) {
        const [l = 0, r = 0] = [samples[index], samples[index + 1]];
        left += l * l;
        right += r * r;
        both += l * r;
      }
      waiting.copyWithin(0, samples.length);
      waiting.set(samples, STEREO * delay);
      const masked = apart ? middle(samples) : null;
      if (at < delay) continue;
      const length = STEREO * Math.min(hop, total - (at - delay));
      const center = masked ?? waiting.slice(0, length);
      const rest = Float32Array.from({ length }, (_, index) => (waiting[index] ?? 0) - (center[index] ?? 0));
      if (search) moveToCenter(center, place ?? CENTER);
      await voiceFile?.write(new Uint8Array(center.buffer, 0, length * BYTES));
      await musicFile?.write(new Uint8Array(rest.buffer));
      if (at % (100 * hop) !== 0) continue;
      progress(Math.min(1, at / total));
      await setImmediate();
    }
    const silent = left + right <= SILENT * total;
    return { apart: apart && (silent || areApart(left, right, both)) };
  } finally {
    await source.close();
    await voiceFile?.close();
    await musicFile?.close();
  }
}

/** Samples of both channels; silence behind the end. */
async function read(source: FileHandle, at: number, length: number): Promise<Float32Array<ArrayBuffer>> {
  const samples = new Float32Array(STEREO * length);
  await source.read(new Uint8Array(samples.buffer), 0, samples.byteLength, at * STEREO * BYTES);
  silenceNonNumbers(samples);
  return samples;
}

/** Where the voice is. If it cannot be found, all of the sound is taken for it. */
async function placeIn(source: FileHandle, total: number): Promise<Place> {
  const places = voicePlace();
  for (let at = 0; at < total; at += SECOND) {
    places.add(await read(source, at, Math.min(SECOND, total - at)));
    await setImmediate();
  }
  const { place, apart } = places.found();
  return { place, apart: apart && place !== null };
}

/** Makes a sound the same in both channels, as loud as both were. */
function moveToCenter(samples: Float32Array, place: number): void {
  const [left, right] = [Math.cos((Math.PI * place) / PLACES), Math.sin((Math.PI * place) / PLACES)];
  for (let at = 0; at + 1 < samples.length; at += STEREO) {
    const moved = Math.SQRT1_2 * (left * (samples[at] ?? 0) + right * (samples[at + 1] ?? 0));
    samples.fill(moved, at, at + STEREO);
  }
}

async function written(file: string | null): Promise<FileHandle | null> {
  return file === null ? null : open(file, 'w');
}

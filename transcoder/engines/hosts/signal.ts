import { appendFile, type FileHandle, open } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { centreMask } from './center-mask.ts';
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

const BYTES = 4;
/** Power of a sample of both channels that counts as silence, about −120 dB. */
const SILENT = 1e-12;
const STEREO = 2;

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
  { from, voice, music }: PartRequest,
  progress: (fraction: number) => void,
): Promise<Parted> {
  const source = await open(from);
  const [voiceFile, musicFile] = [await written(voice), await written(music)];
  try {
    const { hop, delay, middle } = centreMask();
    const total = Math.floor((await source.stat()).size / BYTES / STEREO);
    const waiting = new Float32Array(STEREO * (delay + hop));
    let [sides, sum] = [0, 0];
    for (let at = 0; at < total + delay; at += hop) {
      const samples = new Float32Array(STEREO * hop);
      await source.read(new Uint8Array(samples.buffer), 0, samples.byteLength, at * STEREO * BYTES);
      silenceNonNumbers(samples);
      for (let index = 0; index < samples.length; index += STEREO) {
        const [left = 0, right = 0] = [samples[index], samples[index + 1]];
        sides += (left - right) ** 2;
        sum += (left + right) ** 2;
      }
      waiting.copyWithin(0, samples.length);
      waiting.set(samples, STEREO * delay);
      const center = middle(samples);
      if (at < delay) continue;
      const length = STEREO * Math.min(hop, total - (at - delay));
      const rest = Float32Array.from({ length }, (_, index) => (waiting[index] ?? 0) - (center[index] ?? 0));
      await voiceFile?.write(new Uint8Array(center.buffer, 0, length * BYTES));
      await musicFile?.write(new Uint8Array(rest.buffer));
      if (at % (100 * hop) !== 0) continue;
      progress(Math.min(1, at / total));
      await setImmediate();
    }
    const power = sum + sides;
    return { apart: power <= SILENT * total ? 1 : sides / power };
  } finally {
    await source.close();
    await voiceFile?.close();
    await musicFile?.close();
  }
}

async function written(file: string | null): Promise<FileHandle | null> {
  return file === null ? null : open(file, 'w');
}

import { open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Engines } from '../../engines/engines.ts';
import { silenceNonNumbers } from '../../engines/hosts/floats.ts';
import { settledFrom, settledSamples } from '../../engines/hosts/spleeter-frames.ts';
import type { Raw } from '../../ffmpeg/resample.ts';
import type { Programs } from '../../ffmpeg/run.ts';
import { resampled } from './resample.ts';

/** Parameters of the trained networks. */
const RATE = 44_100;
const CHANNELS = 2;
const FRAME_BYTES = CHANNELS * 4;
const CHUNK = 1 << 20;
/** Channels, blocks of frames, frames per block, bins. */
const DIMS = [CHANNELS, 1, 512, 1024];

interface Asked {
  engines: Engines;
  programs: Programs;
  /** The job's directory. */
  directory: string;
  /** Raw stereo. */
  from: string;
  sampleRate: number;
  vocals: string;
  /** Null if not requested. */
  music: string | null;
  signal?: AbortSignal | undefined;
  onProgress: (fraction: number) => void;
}

/** Separates the vocals with Spleeter; the music is the rest. Throws `engine_unavailable`, `engine_failed`. */
export async function separateBySpleeter(asked: Asked): Promise<void> {
  const { directory, from, sampleRate, vocals, music } = asked;
  const samples = await samplesOf(join(directory, from));
  if (sampleRate === RATE) await voicesOf(asked, from, vocals);
  else {
    const resample = (a: Raw, b: Raw, count: number) => resampled(asked, a, b, CHANNELS, count);
    const [theirs, voices] = ['spleeter-mix.raw', 'spleeter-voices.raw'];
    await resample(
      { file: from, sampleRate },
      { file: theirs, sampleRate: RATE },
      Math.ceil((samples * RATE) / sampleRate),
    );
    await voicesOf(asked, theirs, voices);
    await resample({ file: voices, sampleRate: RATE }, { file: vocals, sampleRate }, samples);
    await Promise.all([theirs, voices].map((file) => rm(join(directory, file))));
  }
  if (music !== null) await subtract(join(directory, from), join(directory, vocals), join(directory, music));
}

async function voicesOf({ engines, directory, signal, onProgress }: Asked, mix: string, voices: string) {
  const at = (name: string) => join(directory, name);
  const models = engines.modelOf('spleeter');
  const total = await samplesOf(at(mix));
  const magnitudes = at('spleeter-in.f32');
  const net = async (role: 'vocals' | 'accompaniment') => {
    const file = at(`spleeter-${role}.f32`);
    const request = {
      model: models[role] ?? '',
      inputs: [{ name: 'x', type: 'float32' as const, dims: DIMS, from: { file: magnitudes } }],
      outputs: [{ name: 'y', file }],
    };
    await engines.infer('spleeter', request, { signal });
    return file;
  };
  // An earlier attempt that failed after this point may have left it.
  await rm(at(voices), { force: true });
  for (let done = 0; done < total; done += settledSamples) {
    const block = { from: at(mix), at: done - settledFrom };
    await engines.magnitudes({ ...block, file: magnitudes }, { signal });
    const masks = { vocals: await net('vocals'), accompaniment: await net('accompaniment') };
    const samples = Math.min(settledSamples, total - done);
    await engines.masked({ ...block, ...masks, to: at(voices), samples }, { signal });
    onProgress(Math.min(1, (done + samples) / total));
  }
}

/** Writes `whole` minus `part`, sample by sample. */
async function subtract(whole: string, part: string, rest: string): Promise<void> {
  const files = [await open(whole), await open(part), await open(rest, 'w')] as const;
  try {
    for (let at = 0; ; ) {
      const [a, b] = [new Float32Array(CHUNK), new Float32Array(CHUNK)];
      const { bytesRead } = await files[0].read(new Uint8Array(a.buffer), 0, a.byteLength, at);
      if (bytesRead === 0) return;
      await files[1].read(new Uint8Array(b.buffer), 0, bytesRead, at);
      silenceNonNumbers(a);
      for (let index = 0; index < bytesRead / 4; index++) a[index] = (a[index] ?? 0) - (b[index] ?? 0);
      await files[2].write(new Uint8Array(a.buffer), 0, bytesRead, at);
      at += bytesRead;
    }
  } finally {
    for (const file of files) await file.close();
  }
}

const samplesOf = async (path: string) => Math.floor((await stat(path)).size / FRAME_BYTES);

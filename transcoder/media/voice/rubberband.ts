import { open, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFloats } from '../../engines/hosts/floats.ts';
import { parseWave, type Sound, waveBytes } from '../../engines/speech/wave.ts';
import { run } from '../../ffmpeg/run.ts';
import { readAt, writeAt } from '../raw-file.ts';
import type { Conversion, Moved, Passage } from './conversion.ts';

/** What is given to rubberband at a time lasts about so long; it begins and ends in a silence where there is one. */
const BLOCK_SECONDS = 60;
/** So many samples it may give beside what it was asked for. */
const OFF = 1;
/** Semitones and dB an octave by which a voice is moved towards a sample at most. */
const MOST_PITCH = 12;
const MOST_TILT = 3;
const FURTHEST = { pitch: 24, formant: 6 };
/** Formants follow the pitch from voice to voice by about this share of it. */
const FOLLOWS = 0.25;
/** Semitones and dB an octave that nobody hears. */
const UNHEARD = 0.01;

const within = (value: number, most: number) => Math.max(-most, Math.min(most, value));
const rounded = (value: number) => Math.round(value * 100) / 100;

/** Two passes of its finer engine: the pitch with the formants kept, then both together. @returns what it did. */
export async function byRubberband(conversion: Conversion): Promise<Moved> {
  const { directory, step, heard, onProgress } = conversion;
  const matched = await towardsSample(conversion);
  const pitch = within(step.shift.pitch + matched.pitch, FURTHEST.pitch);
  const formant = within(step.shift.formant + matched.formant, FURTHEST.formant);
  const whole = await open(join(directory, step.file), 'w');
  try {
    for (const { at, samples } of blocksOf(heard.passages, step.samples, step.sampleRate)) {
      const sound = {
        samples: await readAt(join(directory, step.from), at, samples),
        sampleRate: step.sampleRate,
      };
      const moved = await shifted(conversion, sound, { pitch, formant });
      await writeAt(whole, await timbred(conversion, moved, matched.tilt), at);
      onProgress((at + samples) / step.samples);
    }
  } finally {
    await whole.close();
  }
  return { pitch_semitones: rounded(pitch), formant_semitones: rounded(formant) };
}

/** By the medians of both pitches and the slopes of both spectra. */
async function towardsSample({ engines, directory, step, heard, signal }: Conversion) {
  const { sample, sampleRate } = step;
  if (sample === null) return { pitch: 0, formant: 0, tilt: 0 };
  const other = await engines.listen({ file: join(directory, sample), sampleRate }, { signal });
  const apart = heard.pitch && other.pitch ? 12 * Math.log2(other.pitch / heard.pitch) : 0;
  const pitch = within(apart, MOST_PITCH);
  return {
    pitch,
    formant: FOLLOWS * pitch,
    tilt: other.passages.length > 0 ? within(other.tilt - heard.tilt, MOST_TILT) : 0,
  };
}

/** The whole in parts that meet in the silences between passages. */
function blocksOf(passages: readonly Passage[], total: number, sampleRate: number): Passage[] {
  const edges = passages.slice(1).map(({ at }, index) => {
    const { at: before = 0, samples = 0 } = passages[index] ?? {};
    return Math.round((before + samples + at) / 2);
  });
  const blocks: Passage[] = [];
  let start = 0;
  for (const [index, edge] of edges.entries()) {
    const next = edges[index + 1] ?? total;
    if (next - start <= BLOCK_SECONDS * sampleRate) continue;
    blocks.push({ at: start, samples: edge - start });
    start = edge;
  }
  return [...blocks, { at: start, samples: total - start }];
}

async function shifted(
  conversion: Conversion,
  sound: Sound,
  { pitch, formant }: { pitch: number; formant: number },
): Promise<Sound> {
  const kept = await pass(conversion, sound, pitch - formant, ['-F']);
  return pass(conversion, kept, formant, []);
}

async function pass(
  { programs, directory, signal }: Conversion,
  sound: Sound,
  semitones: number,
  more: readonly string[],
): Promise<Sound> {
  if (Math.abs(semitones) < UNHEARD) return sound;
  const [from, to] = [join(directory, 'shift-from.wav'), join(directory, 'shift-to.wav')];
  await writeFile(from, waveBytes(sound));
  const args = ['-q', '-3', ...more, '-p', semitones.toFixed(4), from, to];
  await run(programs, 'rubberband', args, { cwd: directory, signal, timeoutSeconds: 3600 });
  const { samples } = parseWave(await readFile(to));
  if (Math.abs(samples.length - sound.samples.length) > OFF) {
    throw new Error(`rubberband gave ${samples.length} samples, not ${sound.samples.length}`);
  }
  await Promise.all([from, to].map((path) => rm(path)));
  const exact = new Float32Array(sound.samples.length);
  exact.set(samples.subarray(0, exact.length));
  return { samples: exact, sampleRate: sound.sampleRate };
}

async function timbred(
  { engines, directory, signal }: Conversion,
  { samples, sampleRate }: Sound,
  slope: number,
): Promise<Float32Array> {
  if (Math.abs(slope) < UNHEARD) return samples;
  const file = join(directory, 'tilt.raw');
  await writeFloats(file, samples);
  await engines.tilt({ file, sampleRate, slope }, { signal });
  const result = await readAt(file, 0, samples.length);
  await rm(file);
  return result;
}

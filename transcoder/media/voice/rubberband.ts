import { open, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PresetShift } from '../../../schema/media/voice-presets.ts';
import { writeFloats } from '../../engines/hosts/floats.ts';
import type { Listened } from '../../engines/hosts/protocol.ts';
import { parseWave, type Sound, waveBytes } from '../../engines/speech/wave.ts';
import { run } from '../../ffmpeg/run.ts';
import { readAt, writeAt } from '../steps/raw-audio.ts';
import type { Conversion, Moved, Passage } from './conversion.ts';

/** Approximate length of a block for rubberband; blocks begin and end in silence where possible. */
const BLOCK_SECONDS = 60;
/** Samples by which its output may be longer or shorter than requested. */
const OFF = 1;
/** Largest shift towards a sample: pitch in semitones, tilt in dB per octave. */
const MOST_PITCH = 12;
const MOST_TILT = 3;
const FURTHEST = { pitch: 24, formant: 6 };
/** Between voices, formants shift by about this share of the pitch shift. */
const FOLLOWS = 0.25;
/** Share of a preset's formant shift that a voice gets whose pitch is right already. */
const LEAST_FORMANT = 0.4;
/** Smaller shifts are inaudible: semitones, or dB per octave. */
const UNHEARD = 0.01;

const within = (value: number, most: number) => Math.max(-most, Math.min(most, value));
const rounded = (value: number) => Math.round(value * 100) / 100;

/** Two passes of rubberband's finer (R3) engine: first the pitch with formants preserved, then both together. */
export async function byRubberband(conversion: Conversion): Promise<Moved> {
  const { directory, step, heard, sample, onProgress } = conversion;
  const matched = pitchTowards(sample, heard);
  const preset = step.preset ? presetShift(step.preset, heard.pitch) : { pitch: 0, formant: 0 };
  const pitch = within(step.shift.pitch + preset.pitch + matched, FURTHEST.pitch);
  const formant = within(step.shift.formant + preset.formant + FOLLOWS * matched, FURTHEST.formant);
  let slope: number | undefined;
  const whole = await open(join(directory, step.file), 'w');
  try {
    const isVoice = ({ at, samples }: Passage) =>
      heard.passages.some((passage) => passage.at < at + samples && at < passage.at + passage.samples);
    for (const block of blocksOf(heard.passages, step.samples, step.sampleRate)) {
      const { at, samples } = block;
      const sound = {
        samples: await readAt(join(directory, step.from), at, samples),
        sampleRate: step.sampleRate,
      };
      const moved = await shifted(conversion, sound, { pitch, formant });
      if (slope === undefined && isVoice(block)) slope = await slopeTowards(sample, conversion, moved);
      await writeAt(whole, await timbred(conversion, moved, slope ?? 0), at);
      onProgress((at + samples) / step.samples);
    }
  } finally {
    await whole.close();
  }
  return { pitch_semitones: rounded(pitch), formant_semitones: rounded(formant) };
}

/**
 * A preset's shift for a voice of this median pitch: its usual one, or what brings the new voice into its range.
 * It never goes the other way; formants shift less along with the pitch.
 */
export function presetShift(
  { pitch, formant, range: [lowest, highest] }: PresetShift,
  heard: number | null,
): { pitch: number; formant: number } {
  if (!heard) return { pitch, formant };
  const [least, most] = [12 * Math.log2(lowest / heard), 12 * Math.log2(highest / heard)];
  const aimed = Math.max(least, Math.min(most, pitch));
  const there =
    pitch > 0 ? Math.max(0, Math.min(MOST_PITCH, aimed)) : Math.min(0, Math.max(-MOST_PITCH, aimed));
  return { pitch: there, formant: formant * Math.max(LEAST_FORMANT, Math.min(1, there / pitch)) };
}

/** Semitones between the median pitches, limited to MOST_PITCH. */
function pitchTowards(sample: Listened | null, heard: Listened): number {
  if (!sample?.pitch || !heard.pitch) return 0;
  return within(12 * Math.log2(sample.pitch / heard.pitch), MOST_PITCH);
}

/** Spectral tilt towards the sample's spectrum, in dB per octave. */
async function slopeTowards(
  sample: Listened | null,
  { engines, directory, signal }: Conversion,
  { samples, sampleRate }: Sound,
): Promise<number> {
  if (!sample?.pitch) return 0;
  const file = join(directory, 'timbre.raw');
  await writeFloats(file, samples);
  const { pitch, tilt } = await engines.listen({ file, sampleRate }, { signal });
  await rm(file);
  return pitch === null ? 0 : within(sample.tilt - tilt, MOST_TILT);
}

/**
 * Splits the sound into blocks that meet in the silences around passages. A long silence is divided as well: no block is longer than
 * a passage and a minute.
 */
export function blocksOf(passages: readonly Passage[], total: number, sampleRate: number): Passage[] {
  const most = BLOCK_SECONDS * sampleRate;
  const blocks: Passage[] = [];
  let start = 0;
  const edges = [...edgesOf(passages, total, most), total];
  for (const [index, edge] of edges.entries()) {
    const next = edges[index + 1];
    if (next !== undefined && next - start <= most) continue;
    blocks.push({ at: start, samples: edge - start });
    start = edge;
  }
  return blocks;
}

/** Where blocks may meet: in the middle of each silence between passages, and at most `most` samples apart in longer ones. */
function* edgesOf(passages: readonly Passage[], total: number, most: number): Generator<number> {
  let from = 0;
  for (const { at, samples } of [...passages, { at: total, samples: 0 }]) {
    const isBetween = from > 0 && at < total;
    const parts = Math.max(isBetween ? 1 : 0, Math.ceil((at - from) / most) - (isBetween ? 0 : 1));
    for (let part = 0; part < parts; part++) yield Math.round(from + ((at - from) * (part + 0.5)) / parts);
    from = at + samples;
  }
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
    throw new Error(`rubberband returned ${samples.length} samples, not ${sound.samples.length}`);
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

import { greatest } from '../../../model/numbers/min-max.ts';
import type { AudioStream, MediaProbe } from '../../../model/source/media-probe.ts';
import type { Output, Render, Step, Stretch } from '../../../model/steps.ts';
import { TaskFailure } from '../../../model/task-failure.ts';
import { audioFades, type Fades } from '../filters.ts';
import { endOf, seekBefore, seekFor } from '../frame-selection.ts';
import { rawInput } from '../raw-audio.ts';
import { clipSound, isStretched, openSpan, type SoundOf, samplesOf } from './clip-sound.ts';
import { type Clip, repeatsFrames, runsOfClips, totalOf } from './clips.ts';
import type { Work } from './work.ts';

const partSound = (index: number) => `part${index}.raw`;

export interface Sound extends SoundOf {
  clips: readonly Clip[];
  reversed: boolean;
  /** Whether a range alone is read by steps of its own, too. */
  apart?: boolean;
}

/** The sound of the clips; null if there is none. @param targetOf How it is encoded. */
export function soundWork(
  { probe, stream, clips, fadeMs, tempo, reversed, open }: Omit<Work, 'request' | 'grid' | 'turn'>,
  targetOf: (stream: AudioStream) => SoundOf['target'],
): Sound | null {
  if (!stream) return null;
  const sound = { probe, stream, target: targetOf(stream), fadeMs, total: totalOf(clips), tempo, open };
  return { ...sound, clips, reversed };
}

/** Groups clips that are read in one run, picture and sound together. */
export const runsFor = (sound: SoundOf | null, clips: readonly Clip[]) =>
  runsOfClips(
    clips,
    (clip) =>
      clip.kept !== undefined ||
      repeatsFrames(clip) ||
      (sound !== null && (sound.open || isStretched(sound, clip))),
  );

/** Where a run's sound goes; it is stretched from there if it has to be. */
export function soundOutput(sound: SoundOf, run: readonly [Clip, ...Clip[]], index: number): Output {
  const file = isStretched(sound, run[0]) ? `natural${index}.raw` : partSound(index);
  return { file, container: 'raw', from: 'a' };
}

/** Writes the sound of all clips as one file, without their pictures. */
export function soundSteps(sound: Sound): Step[] {
  const runs = runsFor(sound, sound.clips);
  return [
    ...runs.map(
      (run, index): Render => ({
        ...reader(sound.probe, run),
        chains: clipSound(sound, run),
        outputs: [soundOutput(sound, run, index)],
      }),
    ),
    ...joinedSound(sound, runs),
  ];
}

/** Bytes of samples that fit into a WAVE file, in which they are stretched. */
const MOST_STRETCHED = 2 ** 32 - 4096;
const SAMPLE_BYTES = 4;

/** How many seconds of sound can be stretched at once, before and after, in whatever layout and rate it is encoded. */
export const mostStretchedSeconds = ({ channels, sampleRate }: AudioStream): number =>
  MOST_STRETCHED / (SAMPLE_BYTES * (channels > 2 ? 8 : 2) * Math.max(sampleRate, 48_000));

/** @param natural Samples before they are stretched. Throws `output_too_large`. */
export function stretched(to: Omit<Stretch, 'kind'>, natural: number, sourceIndex: number): Stretch {
  if (Math.max(to.samples, natural) * to.channels * SAMPLE_BYTES > MOST_STRETCHED) {
    const detail = 'More than 4 GB of sound would be stretched at once. Divide it into several clips.';
    throw new TaskFailure('output_too_large', detail, { sourceIndex });
  }
  return { kind: 'stretch', ...to };
}

/** Joins the sound of runs, which `soundOutput` names. Throws `output_too_large`. */
export function joinedSound(sound: Sound, runs: readonly [Clip, ...Clip[]][]): Step[] {
  const { sampleRate, channels } = sound.target;
  return [
    ...runs.flatMap((run, index): Step[] => {
      const [clip] = run;
      if (!isStretched(sound, clip)) return [];
      const { file: from } = soundOutput(sound, run, index);
      const samples = samplesOf(sound, clip);
      const to = { from, file: partSound(index), sampleRate, channels, samples };
      return [stretched(to, (clip.end - clip.start) * sampleRate, 0)];
    }),
    { kind: 'append', file: 'sound.raw', parts: runs.map((_, at) => partSound(at)) },
    ...(sound.reversed ? [{ kind: 'backwards' as const, file: 'sound.raw', channels }] : []),
  ];
}

/** The samples of all clips, to `a`, and the steps that write what is read. A range alone is read from the source, unless `apart`. */
export function samplesOfAll(
  sound: Sound,
  fades: Fades,
  stepsOf: (sound: Sound) => Step[] = soundSteps,
): Pick<Render, 'inputs' | 'chains'> & { steps: Step[]; one: Clip | null } {
  const { probe, stream, target, clips, total, open, apart = false } = sound;
  const [range, ...others] = clips;
  const one = open && !apart && range && others.length === 0 ? range : null;
  const filters = [...(one ? openSpan(sound, one) : []), ...audioFades(fades, total), ...target.after];
  return {
    steps: one ? [] : stepsOf(sound),
    inputs: [
      one
        ? { source: 0, seek: seekBefore(probe, probe.origin + one.start), end: endOf(probe, one) }
        : rawInput('sound.raw', target),
    ],
    chains: [{ from: [`0:${one ? stream.index : 0}`], filters, to: ['a'] }],
    one,
  };
}

export function reader(probe: MediaProbe, run: readonly [Clip, ...Clip[]]) {
  const [first] = run;
  const last = run.at(-1) ?? first;
  const end = greatest(run.map((clip) => Math.max(clip.end, clip.frames?.to ?? 0)));
  const seek =
    first.kept && probe.video
      ? seekFor(probe, probe.video, first, first.kept)
      : seekBefore(probe, probe.origin + Math.min(first.start, first.frames?.from ?? first.start));
  return {
    kind: 'render' as const,
    inputs: [{ source: 0, seek, end: endOf(probe, { end }) }],
    seconds: last.outEnd - first.out,
    lead: seek === null ? first.start : 1,
  };
}

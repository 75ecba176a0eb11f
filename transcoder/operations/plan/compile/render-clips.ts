import type { Warning } from '../../../../schema/task/task.ts';
import type { Plan } from '../../../model/plan.ts';
import type { Output, Render, Step } from '../../../model/steps.ts';
import { TaskFailure } from '../../../model/task-failure.ts';
import { audioOnlyTarget, audioTarget } from '../audio-target.ts';
import { endsAlike } from '../both-ends.ts';
import type { FrameGrid } from '../frame-grid.ts';
import { joinedSamples, planParts } from '../joined-parts.ts';
import { type MediaRun, planMedia } from '../output.ts';
import { soundOf } from '../output-files.ts';
import { cutFrame, variableRate } from '../render-range.ts';
import { frameRate, micros } from '../require-streams.ts';
import { turnedBy, turnedSize, turnFilters } from '../turn.ts';
import { chunksBackwards } from './backwards.ts';
import { clipFrames } from './clip-frames.ts';
import { clipSound } from './clip-sound.ts';
import { shownBy, totalOf } from './clips.ts';
import {
  joinedSound,
  rawInput,
  reader,
  runsFor,
  type Sound,
  soundOutput,
  soundSteps,
  soundWork,
  type Work,
} from './sound-parts.ts';

const partVideo = (index: number) => `part${index}.mp4`;

/** A run of ffmpeg that writes pictures, and the second of the output at which its first one is shown. */
interface Part {
  step: Render;
  file: string;
  first: number;
}

/** Renders frames and samples a few clips per run, and joins them without re-encoding. */
export function renderClips(work: Work, grid: FrameGrid, warnings: Warning[]): Plan {
  const { request, probe, clips, turn, reversed } = work;
  const { input } = request;
  const frame = cutFrame({ ...request, input: { ...input, audio: 'mute' } }, clips, warnings);
  const { video, target } = frame;
  const uneven = grid.kind === 'uneven';
  if (uneven) warnings.push(variableRate(reversed || clips.some(({ rate }) => rate !== 1)));
  const sound = soundWork(work, (stream) => audioTarget(stream, input.format, { codec: 'auto', kbps: null }));
  const encode = { ...target.encoding, reorder: !uneven };
  const filters = [...frame.filters, ...turnFilters(turn)];
  const partOutput = (file: string): Output => {
    return { file, container: 'mp4', video: { from: 'v', encode }, audio: null };
  };
  if (reversed) {
    const chunks = chunksBackwards(work, video, grid);
    const parts = chunks.map((chunk, index): Part => {
      const chain = { from: [`0:${video.index}`], filters: [...chunk.filters, ...filters], to: ['v'] };
      const file = partVideo(index);
      return {
        step: { ...chunk.read, chains: [chain], outputs: [partOutput(file)] },
        file,
        first: chunk.first,
      };
    });
    const steps = parts.map(({ step }) => step);
    const frames = chunks.reduce((sum, { shown }) => sum + shown, 0);
    const heard = sound ? soundSteps(sound) : [];
    return joined(work, { frame, grid, sound }, { parts, steps, heard, frames }, warnings);
  }
  const runs = runsFor(sound, clips);
  const parts: Part[] = [];
  const steps = runs.map((run, index): Render => {
    const first = run.find(({ frames }) => frames?.first != null)?.frames?.first ?? null;
    const seen = first === null ? [] : clipFrames(probe, video, grid, run, first);
    const chain = { from: [`0:${video.index}`], filters: [...seen, ...filters], to: ['v'] };
    const step: Render = {
      ...reader(probe, run),
      chains: [...(first === null ? [] : [chain]), ...(sound ? clipSound(sound, run) : [])],
      outputs: [
        ...(first === null ? [] : [partOutput(partVideo(index))]),
        ...(sound ? [soundOutput(sound, run, index)] : []),
      ],
    };
    if (first !== null) parts.push({ step, file: partVideo(index), first });
    return step;
  });
  const frames = clips.reduce<number | null>((sum, { frames: own }) => {
    const count = own?.shown ?? null;
    return sum === null || count === null ? null : sum + count;
  }, 0);
  const written = steps.filter(({ outputs }) => outputs.length > 0);
  const heard = sound ? joinedSound(sound, runs) : [];
  return joined(work, { frame, grid, sound }, { parts, steps: written, heard, frames }, warnings);
}

/** What has been written when it is joined. */
interface Written {
  parts: readonly Part[];
  steps: readonly Step[];
  /** Steps that write the sound. */
  heard: readonly Step[];
  frames: number | null;
}

interface Rendered {
  frame: ReturnType<typeof cutFrame>;
  grid: FrameGrid;
  sound: Sound | null;
}

/** Joins the parts and the sound without re-encoding the pictures. */
function joined(
  { request, probe, clips, turn, reversed }: Work,
  { frame, grid, sound }: Rendered,
  { parts, steps, heard, frames }: Written,
  warnings: Warning[],
): Plan {
  const { format } = request.input;
  const { target } = frame;
  const size = turnedSize(frame, turn);
  const total = totalOf(clips);
  const uneven = grid.kind === 'uneven';
  const [begins] = parts;
  if (!begins) {
    const detail = 'No frame of the video lies in what is kept.';
    throw new TaskFailure('time_out_of_range', detail, { sourceIndex: 0 });
  }
  const end = clips.at(-1);
  return planParts(
    { pictures: steps, sounds: heard },
    {
      container: format,
      entries: parts.map(({ file, first }, at) => {
        const next = parts[at + 1]?.first;
        return { file, seconds: next === undefined ? null : micros(next) - micros(first) };
      }),
      ...{ delay: begins.first, picture: { codec: target.codec, ...size, frames } },
      ...(uneven ? { until: total } : {}),
      sound: sound && joinedSamples(sound.target),
      ...{ duration: total, tolerance: grid.step, identity: { heard: sound !== null, ...turnedBy(turn) } },
      endsTogether: end !== undefined && !reversed && endsAlike(format, probe, end, uneven),
    },
    {
      fps: frameRate(uneven ? total / (frames ?? total / grid.step) : grid.step),
      ...{ shows: shownBy({ clips, reversed }), copied: 0, warnings },
    },
  );
}

/** The sound of the clips alone. */
export function renderSound(work: Work, warnings: Warning[]): Plan {
  const container = soundOf[work.request.input.format];
  const total = totalOf(work.clips);
  const sound = soundWork(work, (stream) => audioOnlyTarget(stream, container));
  if (!sound) throw new Error('there is no sound to render');
  const run: MediaRun = {
    ...{ container, inputs: [rawInput(sound)], picture: null },
    chains: [{ from: ['0:0'], filters: sound.target.after, to: ['a'] }],
    sound: { from: 'a', encode: sound.target.encoding },
    ...{ duration: total, weight: total / 10, identity: { heard: true } },
  };
  return planMedia(soundSteps(sound), run, { shows: shownBy(work), copied: 0, warnings });
}

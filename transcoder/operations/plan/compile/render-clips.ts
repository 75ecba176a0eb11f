import type { Warning } from '../../../../schema/task/task.ts';
import type { Plan } from '../../../model/plan.ts';
import type { VideoStream } from '../../../model/source/video-stream.ts';
import type { Chain, Filter, Render, Step } from '../../../model/steps.ts';
import { TaskFailure } from '../../../model/task-failure.ts';
import { byLibav } from '../audio-file.ts';
import { audioOnlyTarget, audioTarget } from '../audio-target.ts';
import { endsAlike } from '../both-ends.ts';
import { withFirstFallback } from '../changed-plan.ts';
import { audioFades, videoFades, videoSpan } from '../filters.ts';
import { type Frames, isVariableIn } from '../frames.ts';
import { joinedSamples, pictureOutput, planParts } from '../joined-parts.ts';
import { type MediaRun, planMedia } from '../output.ts';
import { soundOf } from '../output-files.ts';
import { lengthOf, micros } from '../require-streams.ts';
import { turnedBy, turnedSize, turnFilters } from '../turn.ts';
import { inRange } from '../video-target.ts';
import { chunksBackwards } from './backwards.ts';
import { clipFrames } from './clip-frames.ts';
import { clipSound } from './clip-sound.ts';
import { type Clip, shownBy, totalOf } from './clips.ts';
import { type Encoding, encodingOf, variableRate } from './encoding.ts';
import { rangeSteps } from './range-sound.ts';
import { holdsLast, renderRange } from './render-range.ts';
import {
  joinedSound,
  reader,
  runsFor,
  type Sound,
  samplesOfAll,
  soundOutput,
  soundSteps,
  soundWork,
} from './sound-parts.ts';
import type { Work } from './work.ts';

const partVideo = (index: number) => `part${index}.mp4`;

/** A run of ffmpeg that writes pictures, and the second of the output at which its first one is shown. */
interface Part {
  step: Render;
  file: string;
  first: number;
}

/** Everything rendered. A range alone takes one run of ffmpeg, with all effects. */
export function renderClips(work: Work, warnings: Warning[]): Plan {
  const [only, ...others] = work.clips;
  const { kept } = only ?? {};
  if (!only || !kept || others.length > 0) return renderParts(work, warnings);
  return renderRange(work, { ...only, kept }, warnings);
}

/**
 * Renders frames and samples a few clips per run, and joins them without re-encoding. Memory use does not depend on the number
 * and order of clips.
 */
function renderParts(work: Work, warnings: Warning[]): Plan {
  const { request, probe, clips, turn, reversed } = work;
  const { format } = request.input;
  const encoding = encodingOf(work, warnings);
  const { video, target } = encoding;
  const pace = paceOf(work, video);
  if (pace.uneven) warnings.push(variableRate(reversed || clips.some(({ rate }) => rate !== 1)));
  const sound = soundWork(work, (stream) => audioTarget(stream, format));
  const encode = { ...target.encoding, reorder: !pace.uneven && !pace.stated };
  const picture = (filters: Filter[]): Chain => ({
    ...{ from: [`0:${video.index}`], to: ['v'] },
    filters: [...filters, ...turnFilters(turn)],
  });
  const rendered = { encoding, pace, sound };
  if (reversed && work.grid) {
    const chunks = chunksBackwards(work, video, work.grid);
    const parts = chunks.map((chunk, index): Part => {
      const chain = picture([...chunk.filters, ...encoding.filters]);
      const file = partVideo(index);
      return {
        step: { ...chunk.read, chains: [chain], outputs: [pictureOutput(file, encode)] },
        file,
        first: chunk.first,
      };
    });
    const steps = parts.map(({ step }) => step);
    const frames = chunks.reduce((sum, { shown }) => sum + shown, 0);
    const heard = sound ? soundSteps(sound) : [];
    return joined(work, rendered, { parts, steps, heard, frames }, warnings);
  }
  const runs = runsFor(sound, clips);
  const parts: Part[] = [];
  const steps = runs.map((run, index): Render => {
    const { first, filters } = framesOfRun(work, encoding, run);
    const step: Render = {
      ...reader(probe, run),
      chains: [...(first === null ? [] : [picture(filters)]), ...(sound ? clipSound(sound, run) : [])],
      outputs: [
        ...(first === null ? [] : [pictureOutput(partVideo(index), encode)]),
        ...(sound ? [soundOutput(sound, run, index)] : []),
      ],
    };
    if (first !== null) parts.push({ step, file: partVideo(index), first });
    return step;
  });
  const frames = clips.reduce<number | null>((sum, { frames: own, kept }) => {
    const count = own?.shown ?? kept?.frames ?? null;
    return sum === null || count === null ? null : sum + count;
  }, 0);
  const written = steps.filter(({ outputs }) => outputs.length > 0);
  const heard = sound ? joinedSound(sound, runs) : [];
  return joined(work, rendered, { parts, steps: written, heard, frames }, warnings);
}

interface Pace {
  /** Whether the frame rate is variable. */
  uneven: boolean;
  /** Whether the end of the last frame is stated. */
  stated: boolean;
  /** Average duration of a frame. */
  step: number;
}

function paceOf({ grid, clips, probe, request }: Work, video: VideoStream): Pace {
  if (grid) return { uneven: grid.uneven, stated: grid.uneven, step: grid.step };
  const { packets } = request.facts;
  const step = video.frameDuration;
  const varies = (clip: Clip) => packets !== undefined && isVariableIn(packets, probe, clip, step);
  const uneven = video.pace === 'variable' || clips.some(varies);
  return { uneven, stated: holdsLast(clips), step };
}

/** The frames of a run, of which the first one is at 0, and the second of the output at which that is shown; null for no frame. */
function framesOfRun(
  { probe, grid, clips, fades }: Work,
  { video, target, filters }: Encoding,
  run: readonly [Clip, ...Clip[]],
): { first: number | null; filters: Filter[] } {
  if (grid) {
    const first = run.find(({ frames }) => frames?.first != null)?.frames?.first ?? null;
    const seen = first === null ? [] : clipFrames(probe, video, grid, run, first);
    return { first, filters: [...seen, ...filters] };
  }
  const [range] = run;
  const { kept, start, out, outEnd } = range;
  if (!kept) throw new Error('a clip without frames');
  const first = out + (kept.pinned || kept.first === null ? 0 : kept.first - start);
  const total = totalOf(clips);
  const fading =
    (fades.in > 0 && first < fades.in) || (fades.out > 0 && first + outEnd - out > total - fades.out - 0.1);
  const timed = { name: 'setpts', options: { expr: `PTS-STARTPTS+${Math.max(0, first).toFixed(6)}/TB` } };
  return {
    first,
    filters: [
      ...videoSpan(probe, video, range, kept),
      ...filters,
      ...(fading ? [timed, ...inRange(videoFades(fades, total), target)] : []),
      { name: 'setpts', options: { expr: 'PTS-STARTPTS' } },
    ],
  };
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
  encoding: Encoding;
  pace: Pace;
  sound: Sound | null;
}

/** Joins the parts and the sound without re-encoding the pictures. */
function joined(
  { request, probe, clips, grid, turn, reversed, fades, dub }: Work,
  { encoding, pace, sound }: Rendered,
  { parts, steps, heard, frames }: Written,
  warnings: Warning[],
): Plan {
  const { format } = request.input;
  const { uneven, stated, step } = pace;
  const size = turnedSize(encoding.size, turn);
  const total = totalOf(clips);
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
      // A range may begin within the half of a frame after its first one.
      delay: grid ? begins.first : Math.max(0, begins.first),
      picture: { codec: encoding.target.codec, ...size, frames },
      ...(stated ? { until: total } : {}),
      sound: dub?.sound ?? (sound && joinedSamples(sound.target, audioFades(fades, total))),
      ...{ duration: total, tolerance: step },
      identity: { fades, heard: sound !== null, ...turnedBy(turn) },
      endsTogether:
        dub?.endsTogether ??
        (end !== undefined && !reversed && fills(grid, end) && endsAlike(format, probe, end, stated)),
    },
    {
      fps: uneven && frames !== null ? frames / total : 1 / step,
      ...{ shows: shownBy({ clips, reversed }), copied: 0, warnings },
    },
  );
}

/** Whether the counted frames of a clip last as long as it does: a last frame that is shown for longer than the others does not grow with them. */
function fills(grid: Frames | null, { frames, outEnd }: Clip): boolean {
  if (!grid || grid.uneven || !frames?.share) return true;
  const end = (frames.first ?? 0) + (frames.shown ?? 0) * grid.step;
  return outEnd - end < grid.step;
}

/** The sound of the clips alone. A small part of a large source is read by libav, which fetches no more of it; ffmpeg is the fallback. */
export function renderSound(work: Work, warnings: Warning[]): Plan {
  const whole = soundPlan(work, warnings, false);
  return isSmallPart(work) ? withFirstFallback(soundPlan(work, warnings, true), whole) : whole;
}

/** Bytes of a source that are worth a step more. */
const LARGE = 8 * 1024 * 1024;
/** In seconds. What is read lies in a file in between. */
const MOST_APART = 600;

function isSmallPart({ probe, clips, open }: Work): boolean {
  const total = totalOf(clips);
  return open && probe.fileSize >= LARGE && total <= MOST_APART && total <= lengthOf(probe) / 2;
}

/** Throws `time_out_of_range` without a sample. @param apart Whether libav reads the sound in steps of its own. */
function soundPlan(work: Work, warnings: Warning[], apart: boolean): Plan {
  const container = soundOf[work.request.input.format];
  const total = totalOf(work.clips);
  const sound = soundWork(work, (stream) => audioOnlyTarget(stream, container));
  if (!sound) throw new Error('there is no sound to render');
  if (Math.round(total * sound.target.sampleRate) === 0) throw noSample(sound.target);
  const read = apart ? (of: Sound) => byLibav(rangeSteps(of)) : soundSteps;
  const { steps, one, ...samples } = samplesOfAll({ ...sound, alone: true, apart }, work.fades, read);
  const run: MediaRun = {
    ...{ container, picture: null, sound: { from: 'a', encode: sound.target.encoding }, ...samples },
    ...{ duration: total, identity: { heard: true } },
    ...(one ? { lead: one.start } : { weight: total / 10 }),
  };
  return planMedia(steps, run, { shows: shownBy(work), copied: 0, warnings });
}

const noSample = ({ sampleRate }: { sampleRate: number }) =>
  new TaskFailure(
    'time_out_of_range',
    `The sound of the result would be shorter than half a sample (1/${2 * sampleRate} s).`,
    { sourceIndex: 0 },
  );

import type { TimeMap } from '../../schema/task/task.ts';
import type { Decoded, Pictures } from './decode.ts';
import { mismatches, type Pair } from './match-pictures.ts';
import { heardAt, WINDOW_SECONDS } from './match-sound.ts';
import type { SourceModel, SourcePictures } from './source-model.ts';
import { endOf } from './source-sound.ts';
import { type Asked, type FrameSpan, framesOf } from './spans.ts';

/** What is wrong with a result, and by how many milliseconds its sound is late where that can be measured. */
export interface Judgement {
  wrong: string[];
  late: number[];
}

/** What the service said of its result. */
export interface Said {
  duration: number | null;
  timeMap: TimeMap;
  /** Colors may have been changed: the task warns of tone mapping or of an alpha channel that was dropped. */
  graded: boolean;
}

/** Time stamps of an output in mp4 or Matroska, and of a source in Matroska, are each rounded to a millisecond at worst. */
export const STAMP_SECONDS = 0.0016;
/** The longest frame of a common codec at a low rate: sound ends with a whole one. */
const CODEC_FRAME_SECONDS = 0.065;
/** Around an edge sound may rise or fall. */
const RAMP_SECONDS = 0.02;

/** Judges spans of one source, joined in order. */
export function judgeSpans(
  output: Decoded,
  source: SourceModel,
  asked: readonly Asked[],
  said: Said,
): Judgement {
  if (output.complaints !== '')
    return failed(`the result does not decode cleanly: ${output.complaints.slice(0, 200)}`);
  return source.pictures
    ? judgePicture(output, source, source.pictures, asked, said)
    : judgeSoundAlone(output, source, asked, said);
}

function judgePicture(
  output: Decoded,
  source: SourceModel,
  pictures: SourcePictures,
  asked: readonly Asked[],
  said: Said,
): Judgement {
  const shown = output.pictures;
  if (!shown || shown.times.length === 0) return failed('the result has no picture');
  const ways = combinations(asked.map((span) => framesOf(pictures, source.origin, span)));
  const fitting = ways.filter((way) => count(way) === shown.times.length);
  let best: Judgement | null = null;
  for (const way of fitting) {
    const sound = judgeSoundWith(output, source, shown, way);
    const wrong = [
      ...mismatches(shown, pictures, pairsOf(way), said),
      ...mistimed(shown, pictures, way),
      ...wrongDuration(said.duration, source, pictures, way, asked),
      ...wrongMap(said.timeMap, shown, source.origin, way),
      ...sound.wrong,
    ];
    if (best === null || wrong.length < best.wrong.length) best = { wrong, late: sound.late };
    if (wrong.length === 0) break;
  }
  return best ?? failed(`it has ${shown.times.length} frames, not ${count(ways[0] ?? [])}`);
}

/** Sound has to stand to the first picture of its span as in the source. */
function judgeSoundWith(
  output: Decoded,
  source: SourceModel,
  shown: Pictures,
  way: readonly FrameSpan[],
): Judgement {
  let before = 0;
  const places = way.map(({ first, last, from, to }) => {
    const at = shown.times[before] ?? 0;
    before += last - first;
    return { from, to, at };
  });
  return judgeSound(output, source, places);
}

interface Place {
  /** Where it begins and ends in the source, and where it begins in the output, in seconds of their own clocks. */
  from: number;
  to: number;
  at: number;
}

export function judgeSound(output: Decoded, source: SourceModel, places: readonly Place[]): Judgement {
  const { sound } = source;
  if (!sound)
    return output.sound ? failed('it has sound where the source has none') : { wrong: [], late: [] };
  const heard = places.flatMap(({ from, to, at }) => {
    const low = Math.max(from, sound.start) + RAMP_SECONDS;
    const high = Math.min(to, endOf(sound)) - RAMP_SECONDS - WINDOW_SECONDS;
    return high < low ? [] : [low, (low + high) / 2, high].map((time) => ({ time, at: at + time - from }));
  });
  const played = output.sound;
  if (!played) return heard.length === 0 ? { wrong: [], late: [] } : failed('it has no sound');
  const found = heard.flatMap(({ time, at }) => {
    const one = heardAt(played, at, sound, time);
    return one === null ? [] : [{ ...one, at }];
  });
  const wrong = found.flatMap((one) => (one.fits ? [] : [`at ${one.at.toFixed(2)} s ${one.detail}`]));
  const late = found.flatMap((one) => (one.fits && one.late !== null ? [one.late * 1000] : []));
  return { wrong: wrong.slice(0, 1), late };
}

function judgeSoundAlone(
  output: Decoded,
  source: SourceModel,
  asked: readonly Asked[],
  { duration }: Said,
): Judgement {
  if (!source.sound) return failed('there was nothing to keep');
  if (!output.sound) return failed('it has no sound');
  if (output.pictures) return failed('it has a picture where the source has none');
  let at = output.sound.start;
  let seconds = 0;
  const places = asked.map(({ start, end }) => {
    const place = { from: source.origin + start, to: source.origin + Math.min(end, source.duration), at };
    at += place.to - place.from;
    seconds += place.to - place.from;
    return place;
  });
  const { wrong, late } = judgeSound(output, source, places);
  const off = Math.abs((duration ?? 0) - seconds) > CODEC_FRAME_SECONDS;
  return { wrong: off ? [`it lasts ${duration} s, not ${seconds.toFixed(3)} s`, ...wrong] : wrong, late };
}

/** Frames keep their distances, and a joint stands where the frames before it end. */
function mistimed(shown: Pictures, pictures: SourcePictures, way: readonly FrameSpan[]): string[] {
  const start = shown.times[0] ?? 0;
  let base = 0;
  let before = 0;
  for (const { first, last, from, to } of way) {
    for (let index = first + 1; index < last; index++) {
      const number = before + index - first;
      const wanted = base + (pictures.times[index] ?? 0) - from;
      const found = (shown.times[number] ?? 0) - start;
      if (Math.abs(found - wanted) > STAMP_SECONDS) {
        return [`frame ${number} stands at ${found.toFixed(4)} s, not ${wanted.toFixed(4)} s`];
      }
    }
    base += to - from;
    before += last - first;
  }
  return [];
}

function wrongDuration(
  duration: number | null,
  source: SourceModel,
  pictures: SourcePictures,
  way: readonly FrameSpan[],
  asked: readonly Asked[],
): string[] {
  const shown = way.reduce((sum, { from, to }) => sum + to - from, 0);
  const usual = (pictures.end - (pictures.times[0] ?? 0)) / pictures.times.length;
  const requested = asked.reduce((sum, { start, end }) => sum + Math.min(end, source.duration) - start, 0);
  const tolerance = Math.max(CODEC_FRAME_SECONDS, usual);
  const [least, most] = [Math.min(shown, requested) - tolerance, Math.max(shown, requested) + tolerance];
  return duration !== null && duration >= least && duration <= most
    ? []
    : [`it lasts ${duration} s, not ${shown.toFixed(3)} s`];
}

/** The first frame of each span stands in the result where the time map puts its time. */
function wrongMap(map: TimeMap, shown: Pictures, origin: number, way: readonly FrameSpan[]): string[] {
  let before = 0;
  for (const { first, last, from } of way) {
    const time = from - origin;
    const at = shown.times[before] ?? 0;
    before += last - first;
    const fits = map.some(
      ({ in: [start, end], out: [out] }) =>
        time > start - 0.05 && time < end + 0.05 && Math.abs(out + time - start - at) <= STAMP_SECONDS,
    );
    if (!fits) {
      return [`the time map does not put ${time.toFixed(4)} s of the source at ${at.toFixed(4)} s`];
    }
  }
  return [];
}

function pairsOf(way: readonly FrameSpan[]): Pair[] {
  const wanted = way.flatMap(({ first, last }) => Array.from({ length: last - first }, (_, n) => first + n));
  return wanted.map((frame, shown) => ({ shown, wanted: frame }));
}

const count = (way: readonly FrameSpan[]) => way.reduce((sum, { first, last }) => sum + last - first, 0);

function combinations<T>(choices: readonly (readonly T[])[]): T[][] {
  return choices.reduce<T[][]>(
    (ways, options) => ways.flatMap((way) => options.map((option) => [...way, option])),
    [[]],
  );
}

const failed = (reason: string): Judgement => ({ wrong: [reason], late: [] });

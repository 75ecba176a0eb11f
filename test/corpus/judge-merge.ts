import type { Decoded, Pictures } from './decode.ts';
import { type Judgement, judgeSound, type Said, STAMP_SECONDS } from './judge.ts';
import { mismatches, type Pair } from './match-pictures.ts';
import type { SourceModel, SourcePictures } from './source-model.ts';
import { frameShownAt } from './spans.ts';

/** Sound may end with a whole frame of its codec. */
const CODEC_FRAME_SECONDS = 0.065;

/** Judges a source that was merged with itself. A merge has a constant frame rate, so frames are judged by their times. */
export function judgeMerge(output: Decoded, source: SourceModel, said: Said): Judgement {
  const { pictures } = source;
  if (output.complaints !== '') {
    return failed(`the result does not decode cleanly: ${output.complaints.slice(0, 200)}`);
  }
  if (!pictures || !output.pictures || output.pictures.times.length === 0) {
    return failed('the result has no picture');
  }
  const [, second] = said.timeMap;
  if (!second) return failed('the time map has no second clip');
  const usual = frameSeconds(pictures);
  // A clip ends with its picture.
  const lasts = pictures.end - source.origin;
  const long = Math.abs(second.out[0] - lasts) > Math.max(CODEC_FRAME_SECONDS, usual);
  const places = said.timeMap.map(({ in: [from, to], out: [at] }) => ({
    from: source.origin + from,
    to: source.origin + to,
    at,
  }));
  const sound = judgeSound(output, source, places);
  return {
    wrong: [
      ...(long ? [`the first clip lasts ${second.out[0]} s, not ${lasts.toFixed(3)} s`] : []),
      ...(pictures.regular && !isThinned(output.pictures, pictures)
        ? wrongFrames(output.pictures, source.origin, pictures, said)
        : []),
      ...sound.wrong,
    ],
    late: sound.late,
  };
}

function wrongFrames(shown: Pictures, origin: number, pictures: SourcePictures, said: Said): string[] {
  const half = frameSeconds(pictures) / 2;
  // An output with more frames than the source shows at each instant what the source shows then.
  const into = secondsApart(shown) < frameSeconds(pictures) * FINER ? STAMP_SECONDS : half;
  const pairs = shown.times.flatMap((time, index): Pair[] => {
    const span = said.timeMap.find(({ out: [from, to] }) => time + into >= from && time + into < to);
    if (!span) return [];
    const within = span.in[0] + time - span.out[0];
    // Beyond its own ends the picture is held, or not there yet, while the sound goes on.
    if (origin + within + half < (pictures.times[0] ?? 0) || origin + within > pictures.end - half) return [];
    return [{ shown: index, wanted: frameShownAt(pictures, origin, within + into) }];
  });
  return mismatches(shown, pictures, pairs, said);
}

const FINER = 0.9;

/** Of a source with more frames than a merge may have, each output frame may show any of several. */
const isThinned = (shown: Pictures, pictures: SourcePictures) =>
  secondsApart(shown) > 1.5 * frameSeconds(pictures);

const secondsApart = ({ times }: Pictures) =>
  ((times.at(-1) ?? 0) - (times[0] ?? 0)) / Math.max(1, times.length - 1);

const frameSeconds = (pictures: SourcePictures) =>
  (pictures.end - (pictures.times[0] ?? 0)) / pictures.times.length;

const failed = (reason: string): Judgement => ({ wrong: [reason], late: [] });

import { engineUsedOf } from '../../../schema/media/engines.ts';
import { MOST_WORDS_TOLD } from '../../../schema/operations/captions-auto.ts';
import type { OperationInput } from '../../../schema/operations/index.ts';
import type { Warning } from '../../../schema/task/task.ts';
import type { MediaProbe } from '../../model/media-probe.ts';
import type { Analysis, Heard, Means, Plan, Planner, PlanRequest } from '../../model/plan.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import type { VideoStream } from '../../model/video-stream.ts';
import type { RangesInput } from '../plan/render-range.ts';
import { micros, movingOf, only, shown, soundOnly } from '../plan/require-streams.ts';
import { enginesThatServe } from '../plan/select-engine.ts';
import { rangeAnalyses } from '../plan/spliced-shots.ts';
import { wholeSound } from '../plan/spliced-sound.ts';
import { keepTracks, type SourceProbes, textAnalyses } from '../plan/tracks/keep-tracks.ts';
import { planBurnt } from './burn-in.ts';
import { widthOf } from './font-metrics.ts';
import { lengthOf } from './line-breaking.ts';
import { captionsText, givenCaptions, givenPassages } from './parse-input.ts';
import { lookOf } from './presets.ts';
import { placeOf } from './safe-area.ts';
import { type GroupRules, grouped } from './segmentation.ts';
import { captionFiles, withFiles } from './sidecar-files.ts';
import { withTrack } from './subtitle-track.ts';
import { type Passage, replaced, textOf, without } from './words.ts';

type Input = OperationInput<'captions_auto'>;

export const captionsAuto: Planner<Input> = {
  reads: captionsText,

  analyses: (input, probes, means) => {
    const probe = only(probes);
    movingOf(probe);
    const passages = givenPassages(input, means.brought);
    const own = passages ? [] : [listening(input, probe, means)];
    return [...(makesVideo(input) ? wholeAnalyses(input, probe) : []), ...own];
  },

  plan: (request) => {
    const { input, probes } = request;
    const probe = only(probes);
    const { video, duration } = movingOf(probe);
    const warnings: Warning[] = [];
    const { passages, recognized } = spoken(request, warnings);
    const left = passages.flatMap(({ words, shown }): Passage[] => {
      const remaining = without(replaced(words, input.replacements), input.exclude_ranges);
      const whole =
        remaining.length === words.length || remaining.some(({ text }, at) => text !== words[at]?.text);
      return remaining.length === 0 ? [] : [{ words: remaining, shown: whole ? shown : null }];
    });
    const within = inside(left, duration, warnings);
    const drawn = drawnOn(input, { width: video.displayWidth, height: video.displayHeight });
    const cues = grouped(within, rulesOf(input, drawn, within, video, duration));
    const language = languageOf(input, recognized, warnings);
    const words = within.flatMap(({ words }) => words);
    const data = {
      words: words.slice(0, MOST_WORDS_TOLD).map(({ start, end, text, confidence }) => ({
        ...{ start: micros(start), end: micros(end), text, confidence: confidence ?? null },
      })),
      ...{ word_count: words.length, cue_count: cues.length, language },
      engine: recognized && engineUsedOf(recognized.engine),
      times: recognized ? (givenCaptions(input, request.brought) ? 'aligned' : 'heard') : 'given',
    };
    const files = captionFiles(input.outputs, { cues, words, drawn, language });
    if (!makesVideo(input)) return withData(filesAlone(files, warnings), data);
    const shown = { cues: input.burn ? cues : [], drawn, language };
    const plan = withTracks(request, planBurnt({ ...request, input: asItIs(input) }, shown, warnings));
    const whole = input.embed === 'soft' ? withTrack(plan, cues, { format: input.format, language }) : plan;
    return withData(withFiles(whole, files), data);
  },
};

function listening(input: Input, probe: MediaProbe, { engines, brought }: Means): Analysis {
  soundOnly(probe);
  const { audio } = probe;
  const given = givenCaptions(input, brought);
  const script = given?.kind === 'script' ? given.text : null;
  const language = input.language === 'auto' ? undefined : input.language;
  const able = enginesThatServe(script === null ? 'asr' : 'align', input.engine, engines, language);
  return {
    ...{ kind: 'words', source: 0, stream: audio?.index ?? 0, engines: able, script },
    ...{ vocabulary: input.vocabulary, language: language ?? null },
  };
}

/** Whether the output includes a video, not only caption files. */
const makesVideo = ({ burn, embed }: Input) => burn || embed === 'soft';

/** All of the video is kept as it is. */
const asItIs = ({ quality, codec, format }: Input): RangesInput => ({
  ...{ quality, codec, format },
  ...{ audio: 'keep', fade_in: 0, fade_out: 0 },
});

const wholeAnalyses = (input: Input, probe: MediaProbe): Analysis[] => [
  ...rangeAnalyses(asItIs(input), probe, [{ start: 0, end: movingOf(probe).duration }]),
  ...textAnalyses('all', probe),
];

/** With the other sound tracks, text tracks and chapters of the video. */
function withTracks({ input, probes, facts }: PlanRequest<Input>, plan: Plan): Plan {
  const probe = only(probes);
  const { format } = input;
  const soundOf = ([other]: SourceProbes) => wholeSound(other, format);
  return keepTracks(plan, { tracks: 'all', format, probes: [probe], facts, soundOf });
}

/**
 * If the mean confidence of PocketSphinx is below this, at least a quarter of the words is wrong. It is 0.79 to 0.85
 * for clear speech, and 0.18 to 0.4 with white noise 20 dB below the speech, where 25 to 70 % of the words are missed.
 */
const SURE = 0.5;
const MISSED = 0.25;

function spoken(
  { input, facts, brought }: PlanRequest<Input>,
  warnings: Warning[],
): { passages: Passage[]; recognized: Heard | null } {
  const passages = givenPassages(input, brought);
  if (passages) return { passages, recognized: null };
  const { words: recognized } = facts;
  if (!recognized) throw new Error('the analysis found no words');
  const low = (detail: string) => warnings.push({ code: 'low_confidence', detail });
  const script = givenCaptions(input, brought);
  if (script && recognized.missed > MISSED) {
    const share = Math.round(recognized.missed * 100);
    low(
      `${share} % of the words in the script were not recognised in the speech; their times may be inaccurate.`,
    );
  } else if (!script && recognized.engine === 'pocketsphinx' && surenessOf(recognized.words) < SURE) {
    low(
      'PocketSphinx has low confidence in its result, and many words may be wrong. Give a script in `captions` for better results.',
    );
  }
  return {
    passages: [{ words: recognized.words, shown: null }],
    recognized,
  };
}

/** Mean confidence of the words that have one; 1 if none has. */
function surenessOf(words: Heard['words']): number {
  const known = words.flatMap(({ confidence }) => confidence ?? []);
  return known.length === 0 ? 1 : known.reduce((sum, value) => sum + value, 0) / known.length;
}

/** Drops words that start after the end of the video. */
function inside(passages: readonly Passage[], duration: number, warnings: Warning[]): Passage[] {
  const left = passages.flatMap(({ words, shown }): Passage[] => {
    const within = words.filter(({ start }) => start < duration);
    return within.length === 0 ? [] : [{ words: within, shown }];
  });
  const lost = passages.flatMap(({ words }) => words).length - left.flatMap(({ words }) => words).length;
  if (lost > 0) {
    const detail = `${lost} words start after the end of the video, which is ${shown(duration)} s long.`;
    if (left.length === 0) throw new TaskFailure('time_out_of_range', detail, { sourceIndex: 0 });
    warnings.push({ code: 'captions_dropped', detail });
  }
  return left;
}

function languageOf({ language }: Input, recognized: Heard | null, warnings: Warning[]): string | null {
  if (language !== 'auto') return language;
  if (recognized?.engine !== 'pocketsphinx') return null;
  const detail = 'PocketSphinx supports English only, so English was assumed.';
  warnings.push({ code: 'language_assumed', detail });
  return 'en';
}

function drawnOn(input: Input, picture: { width: number; height: number }) {
  const line = (percent: number) => (percent / 100) * Math.min(picture.width, picture.height);
  const look = lookOf(input, line);
  return { look, place: placeOf(input, picture), line: line(look.size) };
}

type Drawing = ReturnType<typeof drawnOn>;

/** Frames between two captions, to make the change visible. */
const APART = 2;

function rulesOf(
  input: Input,
  { look, place, line }: Drawing,
  passages: readonly Passage[],
  { frameDuration }: VideoStream,
  end: number,
): GroupRules {
  const text = passages.map(({ words }) => textOf(words)).join(' ');
  const cased = look.letterCase === 'upper' ? text.toUpperCase() : text;
  const letter = widthOf(cased, look.font, look.spacing) / Math.max(1, lengthOf(text));
  const room = (place.picture.width - place.left - place.right) / line - (look.background ? 0.7 : 0);
  const fitting = input.burn ? Math.max(8, Math.floor(room / (letter * 1.05))) : Number.POSITIVE_INFINITY;
  const word = input.layout === 'word';
  return {
    maxChars: Math.min(input.max_chars_per_line, fitting),
    maxLines: input.layout === 'phrase' ? input.max_lines : 1,
    maxWords: word ? 1 : (input.max_words ?? Number.POSITIVE_INFINITY),
    ...(word
      ? { least: 0, pace: Number.POSITIVE_INFINITY, gap: 0 }
      : { least: 0.833, pace: 20, gap: APART * frameDuration }),
    ...{ most: 7, end },
  };
}

function filesAlone(files: ReturnType<typeof captionFiles>, warnings: Warning[]): Plan {
  const [main, ...others] = files.map(({ text: _, ...file }) => file);
  if (!main) throw new Error('a request without outputs');
  return {
    steps: files.map(({ file, text }) => ({ kind: 'text', file, text })),
    files: [main, ...others],
    expect: { media: [], pictures: [] },
    ...{ duration: null, width: null, height: null, fps: null },
    data: { copied_seconds: 0, rendered_seconds: 0 },
    ...{ time_map: [], warnings },
  };
}

/** Adds the caption data to the data about the picture. */
function withData(plan: Plan, data: Record<string, unknown>): Plan {
  return {
    ...plan,
    ...(plan.otherwise ? { otherwise: withData(plan.otherwise, data) } : {}),
    data: { ...data, ...plan.data },
  };
}

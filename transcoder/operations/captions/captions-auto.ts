import { engineUsedOf } from '../../../schema/media/engines.ts';
import { MOST_WORDS_TOLD } from '../../../schema/operations/captions-auto.ts';
import type { OperationInput } from '../../../schema/operations/index.ts';
import type { Warning } from '../../../schema/task/task.ts';
import type { Letters } from '../../model/letters.ts';
import type { MediaProbe } from '../../model/media-probe.ts';
import type { Analysis, Brought, Heard, Plan, Planner, PlanRequest } from '../../model/plan.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import type { VideoStream } from '../../model/video-stream.ts';
import { pictured } from '../plan/captions/emoji-pictures.ts';
import { fitWords } from '../plan/captions/fit-words.ts';
import { lettersLacking } from '../plan/captions/font-warnings.ts';
import { cased, type Drawn, roomIn, typefaceOf } from '../plan/captions/layout.ts';
import { lengthOfWord } from '../plan/captions/line-breaking.ts';
import { captionsText, givenCaptions, givenPassages } from '../plan/captions/parse-input.ts';
import { equallyLarge, lookOf } from '../plan/captions/presets.ts';
import { type CaptionLayout, layoutOf, punchRules, smallestPunch } from '../plan/captions/punch.ts';
import { placeOf } from '../plan/captions/safe-area.ts';
import { type CaptionCue, type GroupRules, grouped, wordsOf } from '../plan/captions/segmentation.ts';
import { inVoices } from '../plan/captions/speakers.ts';
import {
  type CaptionWord,
  colored,
  given,
  type Passage,
  replaced,
  textOf,
  without,
} from '../plan/captions/words.ts';
import { withData, withFiles } from '../plan/changed-plan.ts';
import { rangeAnalyses } from '../plan/compile/ranges.ts';
import { wholeSound } from '../plan/compile/spliced-sound.ts';
import { deinterlacing } from '../plan/deinterlace.ts';
import { planOf } from '../plan/output.ts';
import { lengthOf, micros, movingOf, only, pictureOf, shown } from '../plan/require-streams.ts';
import { asSentences, languageOf, listening, recognized } from '../plan/speech/recognition.ts';
import { keepTracks, type SourceProbes, textAnalyses } from '../plan/tracks/keep-tracks.ts';
import { planAlone, planBurnt } from './burn-in.ts';
import { captionFiles } from './sidecar-files.ts';
import { withTrack } from './subtitle-track.ts';

type Input = OperationInput<'captions_auto'>;

export const captionsAuto: Planner<Input> = {
  reads: captionsText,

  analyses: (input, probes, means) => {
    const probe = only(probes);
    const { video } = shownBy(input, probe);
    const passages = givenPassages(input, means.brought);
    const own = passages ? [] : [listening(input, scriptOf(input, means.brought), probe, means)];
    return [
      ...(video ? wholeAnalyses(input, probe) : []),
      ...own,
      { kind: 'letters', brought: input.style.font_url !== undefined },
    ];
  },

  deinterlacing: (input, video) => deinterlacing(input, video),

  plan: (request) => {
    const { input, probes } = request;
    const probe = only(probes);
    const { video, drawn: burns, canvas, step } = shownBy(input, probe);
    const duration = lengthOf(probe);
    const warnings: Warning[] = [];
    if (input.video_url !== undefined && !probe.video) warnings.push(soundAlone);
    const { passages, heard } = spoken(request, warnings);
    const aligned = givenCaptions(input, request.brought) !== null;
    const spelled = [...input.vocabulary, ...input.replacements.map(({ to }) => to)];
    const read = (words: CaptionWord[]) =>
      heard && !aligned ? asSentences(words, heard.engine, spelled) : words;
    const left = passages.flatMap(({ words, shown }): Passage[] => {
      const remaining = read(without(replaced(words, input.replacements), input.exclude_ranges));
      const whole =
        remaining.length === words.length || remaining.some(({ text }, at) => text !== words[at]?.text);
      return remaining.length === 0 ? [] : [{ words: remaining, shown: whole ? shown : null }];
    });
    const within = inside(left, duration, warnings);
    const language = languageOf(input, heard, warnings);
    const painted = pictured(inVoices(within, input.speaker_colors), input.emoji).map((passage) => ({
      ...passage,
      words: colored(passage.words, input.keywords),
    }));
    const layout = layoutOf(input, burns ? canvas : null);
    const drawn = drawnOn(input, layout, canvas, lettersIn(request), language);
    const { room, widthOf } = widths(drawn);
    const smallest = layout === 'punch' ? smallestPunch(drawn) : SMALLEST;
    const fitting = burns ? fitWords(painted, room / smallest, widthOf) : painted;
    const cues = grouped(fitting, rulesOf(input, layout, drawn, { burns, step, end: duration }));
    if (burns) warnings.push(...missingGlyphs(cues, drawn), ...lettersLacking(cues, drawn));
    if (burns || input.outputs.includes('ass')) checkEmoji(cues, drawn);
    const words = within.flatMap(({ words }) => words);
    const data = {
      words: words.slice(0, MOST_WORDS_TOLD).map(({ start, end, text, confidence, speaker }) => ({
        ...{ start: micros(start), end: micros(end), text, confidence: confidence ?? null },
        ...given({ speaker }),
      })),
      ...{ word_count: words.length, cue_count: cues.length, language },
      engine: heard && engineUsedOf(heard.engine, heard.model),
      times: heard ? (aligned ? 'aligned' : 'heard') : 'given',
    };
    const files = captionFiles(input.outputs, { cues, words, drawn, language });
    if (!video) return withData(filesAlone(files, warnings), data);
    const shown = { cues: burns ? cues : [], drawn };
    if (input.background !== 'video') {
      const alone = planAlone(request, shown, input.background, warnings);
      return withData(withFiles(alone, files), data);
    }
    const plan = withTracks(request, planBurnt(request, shown, warnings));
    const whole = input.embed === 'soft' ? withTrack(plan, cues, { format: input.format, language }) : plan;
    return withData(withFiles(whole, files), data);
  },
};

function lettersIn({ facts }: PlanRequest<Input>): Letters {
  if (!facts.letters) throw new Error('the fonts were not loaded');
  return facts.letters;
}

const scriptOf = (input: Input, brought: Brought | undefined): string | null => {
  const given = givenCaptions(input, brought);
  return given?.kind === 'script' ? given.text : null;
};

interface Shown {
  /** The video of the result; null for files alone. */
  video: VideoStream | null;
  /** Whether captions are drawn into it. */
  drawn: boolean;
  /** Size of the picture for which captions are laid out. */
  canvas: { width: number; height: number };
  /** Seconds of a frame. */
  step: number;
}

/** Captions of sound alone are laid out for this picture. */
const blank = { canvas: { width: 1920, height: 1080 }, step: 1 / 25 };

/** What the result shows. Throws `source_no_video` if captions have to be drawn into a picture that the source does not have. */
function shownBy(input: Input, probe: MediaProbe): Shown {
  lengthOf(probe);
  const sound = input.audio_url !== undefined;
  const pictured = probe.streams.some(({ type }) => type === 'video');
  const asked = input.burn === true || input.embed === 'soft' || input.background !== 'video';
  const needed = asked || input.outputs.length === 0 || pictured;
  if (sound || (!probe.video && !needed)) return { video: null, drawn: false, ...blank };
  const video = pictureOf(probe);
  const drawn = input.burn ?? true;
  const canvas = { width: video.displayWidth, height: video.displayHeight };
  return {
    video: drawn || input.embed === 'soft' ? video : null,
    ...{ drawn, canvas, step: video.frameDuration },
  };
}

const soundAlone: Warning = {
  code: 'video_missing',
  detail: 'The source has no video, so the captions are not burned in but returned as files only.',
};

function wholeAnalyses(input: Input, probe: MediaProbe): Analysis[] {
  const whole = [{ start: 0, end: movingOf(probe).duration }];
  // Captions alone copy nothing, so no survey is needed.
  if (input.background !== 'video') return rangeAnalyses({ ...input, quality: 'high' }, probe, whole);
  return [...rangeAnalyses(input, probe, whole), ...textAnalyses('all', probe)];
}

/** With the other sound tracks, text tracks and chapters of the video. */
function withTracks({ input, probes, facts }: PlanRequest<Input>, plan: Plan): Plan {
  const probe = only(probes);
  const { format } = input;
  const soundOf = ([other]: SourceProbes) => wholeSound(other, format);
  return keepTracks(plan, { tracks: 'all', format, probes: [probe], facts, soundOf });
}

function spoken(
  { input, facts, brought }: PlanRequest<Input>,
  warnings: Warning[],
): { passages: Passage[]; heard: Heard | null } {
  const passages = givenPassages(input, brought);
  if (passages) return { passages, heard: null };
  const heard = recognized(facts, givenCaptions(input, brought) !== null, warnings);
  return { passages: [{ words: heard.words, shown: null }], heard };
}

/** Drops words that start after the end of the source. */
function inside(passages: readonly Passage[], duration: number, warnings: Warning[]): Passage[] {
  const left = passages.flatMap(({ words, shown }): Passage[] => {
    const within = words.filter(({ start }) => start < duration);
    return within.length === 0 ? [] : [{ words: within, shown }];
  });
  const lost = passages.flatMap(({ words }) => words).length - left.flatMap(({ words }) => words).length;
  if (lost > 0) {
    const detail = `${lost} words start after the end of the source, which is ${shown(duration)} s long.`;
    if (left.length === 0) throw new TaskFailure('time_out_of_range', detail, { sourceIndex: 0 });
    warnings.push({ code: 'captions_dropped', detail });
  }
  return left;
}

function drawnOn(
  input: Input,
  layout: CaptionLayout,
  picture: { width: number; height: number },
  letters: Letters,
  language: string | null,
): Drawn {
  const percent = (share: number) => (share / 100) * Math.min(picture.width, picture.height);
  const look = equallyLarge(input, lookOf(input, layout === 'punch', percent), letters);
  const line = percent(look.size);
  const position = input.position ?? (layout === 'punch' ? 'center' : 'bottom');
  const tallest = layout === 'punch' ? picture.height / 3 : Number.POSITIVE_INFINITY;
  const place = placeOf({ ...input, position }, picture);
  return { look, line, tallest, letters, language, place, entrance: input.entrance };
}

/** A word that is too wide shrinks to this factor before it is divided. */
const SMALLEST = 0.75;

/** Width of the room for captions, and of a word; in line heights. */
function widths(drawn: Drawn): { room: number; widthOf: (text: string) => number } {
  const type = typefaceOf(drawn);
  return {
    room: roomIn(drawn) / drawn.line,
    widthOf: (text) => drawn.letters.lineOf(cased(text, drawn.look), type).width,
  };
}

/** Emoji of one video; each is drawn as up to some dozens of outlines. */
const MOST_EMOJI = 2000;
/** Each part of an entrance draws all outlines again. */
const MOST_ENTERING_EMOJI = 400;

/** The emoji of a word is drawn in three sizes. */
const POPPING = 3;

/** Throws `captions_invalid`. */
function checkEmoji(cues: readonly CaptionCue[], drawn: Drawn): void {
  const type = typefaceOf(drawn);
  let count = 0;
  for (const { lines } of cues)
    for (const row of lines)
      count += drawn.letters
        .lineOf(cased(textOf(row), drawn.look), type)
        .clusters.filter(({ emoji }) => emoji !== null).length;
  count += POPPING * cues.flatMap(wordsOf).filter(({ emoji }) => emoji !== undefined).length;
  const [most, how] =
    drawn.entrance === 'none' ? [MOST_EMOJI, 'drawn'] : [MOST_ENTERING_EMOJI, 'drawn with an `entrance`'];
  if (count <= most) return;
  throw new TaskFailure(
    'captions_invalid',
    `The captions have ${count} emoji; at most ${most} can be ${how}.`,
  );
}

/** Characters that no installed font has are drawn as boxes. */
function missingGlyphs(cues: readonly CaptionCue[], drawn: Drawn): Warning[] {
  const type = typefaceOf(drawn);
  const missing = new Set(
    cues.flatMap(({ lines }) =>
      lines.flatMap((row) => drawn.letters.lineOf(cased(textOf(row), drawn.look), type).missing),
    ),
  );
  if (missing.size === 0) return [];
  const some = [...missing].slice(0, 10).join(' ');
  const detail = `No font has these characters, which are drawn as boxes: ${some}${missing.size > 10 ? ' …' : ''}`;
  return [{ code: 'glyphs_missing', detail }];
}

/** Frames between two captions, to make the change visible. */
const APART = 2;

function rulesOf(
  input: Input,
  layout: CaptionLayout,
  drawn: Drawn,
  { burns, step, end }: { burns: boolean; step: number; end: number },
): GroupRules {
  const { room, widthOf } = widths(drawn);
  const punch = layout === 'punch' ? punchRules(input) : null;
  const maxChars = punch?.maxChars ?? input.max_chars_per_line;
  const word = layout === 'word';
  // A line of `maxChars` is full when the room is.
  const lengthOf = (one: CaptionWord) =>
    burns ? Math.max(lengthOfWord(one), (widthOf(one.text) / room) * maxChars) : lengthOfWord(one);
  return {
    ...{ maxChars, lengthOf },
    maxLines: layout === 'phrase' ? input.max_lines : 1,
    maxWords: word ? 1 : (input.max_words ?? Number.POSITIVE_INFINITY),
    ...(word
      ? { least: 0, pace: Number.POSITIVE_INFINITY, gap: 0 }
      : { least: 0.833, pace: 20, gap: APART * step }),
    ...{ most: 7, end },
    ...punch,
  };
}

const filesAlone = (files: ReturnType<typeof captionFiles>, warnings: Warning[]): Plan =>
  planOf({ steps: files.map(({ step }) => step), files, copied: 0, warnings });

import { inOrder, parseCaptions } from '../../../schema/media/captions.ts';
import { engineUsedOf } from '../../../schema/media/engines.ts';
import { MOST_EDITS_LISTED, type RemovalReason } from '../../../schema/operations/edit-by-text.ts';
import type { OperationInput } from '../../../schema/operations/index.ts';
import type { Warning } from '../../../schema/task/task.ts';
import type { Analysis, Brought, Planner } from '../../model/plan.ts';
import type { TextRequest } from '../../model/read-text.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import { type Clip, clipsOf, type Played, totalOf } from '../plan/compile/clips.ts';
import { surveysOf } from '../plan/compile/ranges.ts';
import { deinterlacing } from '../plan/deinterlace.ts';
import { allPackets } from '../plan/frame-selection.ts';
import { type Frames, framesOfOnly, needsPackets, type Span } from '../plan/frames.ts';
import { gapsBetween } from '../plan/joined-spans.ts';
import { partsWithin } from '../plan/parts-within.ts';
import { audioOf, lengthOf, micros, only, shown, shownVideo } from '../plan/require-streams.ts';
import { languageOf, listening, recognized } from '../plan/speech/recognition.ts';
import { textAnalyses } from '../plan/tracks/keep-tracks.ts';
import { type Segment, segmentsOf } from './detect.ts';
import { exportFiles } from './edit-list.ts';
import { edited, listed } from './silence-process.ts';
import { masks, notSaid, removals, type TimedText } from './words/choose-words.ts';
import { cutSpans } from './words/cut-spans.ts';
import { partsOfJoined } from './words/joined-words.ts';
import { withDurations } from './words/timeless-words.ts';

type Input = OperationInput<'edit_by_text'>;

export const editByText: Planner<Input> = {
  reads: wordsText,

  analyses: (input, probes, means): Analysis[] => {
    const probe = only(probes);
    const video = shownVideo(input, probe);
    audioOf(probe);
    const makes = video !== null && input.mode !== 'detect';
    return [
      ...(makes ? surveysOf(input, probe) : []),
      ...(makes ? textAnalyses(input.tracks, probe) : []),
      ...(video && needsPackets(video) ? [allPackets()] : []),
      ...(givenWords(input, means.brought) ? [] : [listening(input, null, probe, means)]),
    ];
  },

  deinterlacing,

  plan: (request) => {
    const { input, probes, facts, brought } = request;
    const probe = only(probes);
    const warnings: Warning[] = [];
    const duration = lengthOf(probe);
    const video = shownVideo(input, probe);
    const grid = framesOfOnly(probe, video, facts);
    const given = givenWords(input, brought);
    const heard = given ? null : recognized(facts, false, warnings);
    const parts = partsOfJoined(given ?? heard?.words ?? [], input);
    const words = withDurations(within(parts, duration), duration);
    // Words are chosen the same where the language is assumed.
    const language = languageOf(input, heard, []);
    const reasons = removals(words, input, language);
    warnings.push(...missed(notSaid(words, input)));
    const removed = reasons.map((reason) => reason !== null);
    const ranges = input.remove?.ranges ?? [];
    const cuts = cutSpans({ words, removed, ranges, padding: input.padding, duration });
    const segments = segmentsLeft(cuts, duration, grid);
    const masked = masks(words, input, language).map((is, index) => is && !removed[index]);
    const covered = words.filter(({ start, end }, index) => masked[index] && end > start);
    const clips = clipsWith(segments, covered, input, grid);
    const data = {
      segments,
      removed: removedWords(words, reasons),
      masked: covered.slice(0, MOST_EDITS_LISTED).map(placed),
      word_count: words.length,
      removed_count: removed.filter(Boolean).length,
      masked_count: covered.length,
      saved_seconds: micros(duration - totalOf(clips)),
      engine: heard && engineUsedOf(heard.engine, heard.model),
    };
    const extra = exportFiles(input.export, { input, probe, segments, clips, grid });
    if (input.mode === 'detect') return listed(data, extra, warnings);
    return edited(request, { clips, grid, data, extra, warnings, fadeMs: input.audio_fade_ms });
  },
};

function wordsText({ words_url }: Input, texts: readonly string[]): TextRequest | null {
  return words_url === undefined ? null : { as: 'captions', field: 'words_url', text: texts[0] ?? '' };
}

/** Words of the caller in time order; null if there are none. Throws `captions_invalid`. */
function givenWords(input: Input, brought: Brought | undefined): TimedText[] | null {
  if (input.words) return inOrder(input.words);
  const asked = wordsText(input, brought?.texts ?? []);
  if (!asked) return null;
  const read = brought?.read?.as === 'captions' ? brought.read.captions : null;
  if (read?.kind === 'timed' && read.passages.every((passage) => passage.shown === null))
    return read.passages.flatMap(({ words }) => words);
  const parsed = read ? null : parseCaptions(asked.text);
  if (parsed && 'kind' in parsed && parsed.kind === 'words') return parsed.words;
  const detail =
    'words_url must be a JSON file of words with times, such as words_json of /transcribe. The words of captions and texts have no times of their own.';
  throw new TaskFailure('captions_invalid', detail);
}

/** Throws `time_out_of_range` if no word lies within the source. */
function within(words: readonly TimedText[], duration: number): TimedText[] {
  const left = words.filter(({ start }) => start < duration);
  if (left.length > 0) return left.map((word) => ({ ...word, end: Math.min(word.end, duration) }));
  const detail = `All words start after the end of the source, which is ${shown(duration)} s long.`;
  throw new TaskFailure('time_out_of_range', detail, { sourceIndex: 0 });
}

/** Words that a warning names. */
const MOST_NAMED = 5;

function missed(asked: readonly string[]): Warning[] {
  if (asked.length === 0) return [];
  const named = asked.slice(0, MOST_NAMED).map((text) => `“${text}”`);
  const more = asked.length > MOST_NAMED ? ` and ${asked.length - MOST_NAMED} more` : '';
  const detail = `Not among the words of the source, and therefore not removed or masked: ${named.join(', ')}${more}. Several words in a row are a phrase; \`/transcribe\` returns all words.`;
  return [{ code: 'words_not_said', detail }];
}

const placed = ({ start, end, text }: TimedText) => ({ start: micros(start), end: micros(end), text });

const removedWords = (words: readonly TimedText[], reasons: readonly (RemovalReason | null)[]) =>
  words
    .flatMap((word, index) => {
      const because = reasons[index];
      return because ? [{ ...placed(word), because }] : [];
    })
    .slice(0, MOST_EDITS_LISTED);

/** The decision list without the cuts. Throws `all_silent` if nothing stays. */
function segmentsLeft(cuts: readonly Span[], duration: number, grid: Frames | null): Segment[] {
  const segments = segmentsOf(gapsBetween(cuts, duration), { duration, grid });
  if (segments.some(({ action }) => action === 'keep')) return segments;
  throw new TaskFailure('all_silent', 'All words are removed, and nothing would be left.', {
    sourceIndex: 0,
  });
}

/** What is left, in order, with the masked words as clips of their own, at the times of the words: their pictures go on as they are. */
function clipsWith(
  segments: readonly Segment[],
  covered: readonly TimedText[],
  { profanity }: Input,
  grid: Frames | null,
): Clip[] {
  const played = { rate: 1, muted: false };
  const kept = segments.filter(({ action }) => action === 'keep');
  const masks = partsWithin(kept, withoutOverlaps(covered));
  const spans = kept.flatMap(({ start, end }, index) => {
    const parts: Played[] = [];
    let at = start;
    for (const mask of masks[index] ?? []) {
      if (mask.start > at) parts.push({ ...played, start: at, end: mask.start });
      parts.push({ ...played, ...mask, muted: true, bleeped: profanity === 'bleep' });
      at = mask.end;
    }
    if (end > at) parts.push({ ...played, start: at, end });
    return parts;
  });
  return clipsOf(spans, grid);
}

/** Spans in time order, each without what earlier ones cover. */
function withoutOverlaps(spans: readonly Span[]): Span[] {
  const parts: Span[] = [];
  let at = 0;
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    if (end > at) parts.push({ start: Math.max(at, start), end });
    at = Math.max(at, end);
  }
  return parts;
}

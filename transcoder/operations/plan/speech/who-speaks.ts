import { engineOf, enginesFor, engineUsedOf } from '../../../../schema/media/engines.ts';
import type { OperationInput } from '../../../../schema/operations/index.ts';
import type { Analysis, Facts, Means, SpeakersHeard } from '../../../model/plan.ts';
import type { CaptionWord } from '../../../model/read-text.ts';
import type { MediaProbe } from '../../../model/source/media-probe.ts';
import { TaskFailure } from '../../../model/task-failure.ts';
import { namesIn, speakerChanges } from '../captions/speakers.ts';
import { textOf } from '../captions/words.ts';
import { audioOf, micros } from '../require-streams.ts';

export interface SpeakersAsked extends Pick<OperationInput<'transcribe'>, 'speakers'> {
  /** Colors of speakers, which need somebody who speaks. */
  speaker_colors?: unknown;
}

/**
 * Listens for who speaks, if the request asks for it or the engine is available. Throws `engine_unavailable`, `source_no_audio`.
 * @param timed Whether the caller gave captions with times, which may name their speakers.
 */
export function listeningForSpeakers(
  input: SpeakersAsked,
  timed: boolean,
  probe: MediaProbe,
  { engines }: Pick<Means, 'engines'>,
): Analysis[] {
  const { speakers } = input;
  const needed = isNeeded(input, timed);
  if (speakers === 'none' || (!needed && timed)) return [];
  const able = enginesFor('diarize');
  const engine = able.find((id) => engines.has(id));
  if (!engine) {
    if (!needed) return [];
    const asked = speakers === 'auto' ? 'speaker_colors' : `speakers: ${speakers}`;
    const { get } = engineOf(able[0] ?? 'pyannote');
    const detail = `\`${asked}\` needs an engine that tells voices apart, which this service does not have. ${get} Captions that name their speakers need none.`;
    throw new TaskFailure('engine_unavailable', detail);
  }
  const { index: stream } = audioOf(probe);
  const count = typeof speakers === 'number' ? speakers : null;
  return [{ kind: 'speakers', source: 0, stream, engine, count, needed }];
}

const isNeeded = ({ speakers, speaker_colors }: SpeakersAsked, timed: boolean) =>
  speakers === 'auto' ? speaker_colors !== undefined && !timed : speakers !== 'none';

/** A word may be this many seconds from the nearest speech of its speaker: voices are found later, and end sooner, than words. */
const NEAR = 1;

/**
 * Gives each word that has no speaker the one who speaks most during it, otherwise the nearest. Heard speakers are numbered in the
 * order in which they begin to speak. If the request leaves it open, a voice that is alone stays without a name.
 */
export function namedBy<W extends CaptionWord>(
  words: readonly W[],
  { speakers }: Facts,
  input: SpeakersAsked,
  timed: boolean,
): W[] {
  if (!speakers) return [...words];
  const heard = whoSays(words, speakers.turns);
  const order = [
    ...new Set(
      words
        .map(({ start, speaker }, index) => ({
          start,
          who: speaker === undefined ? heard[index] : undefined,
        }))
        .toSorted((a, b) => a.start - b.start)
        .flatMap(({ who }) => who ?? []),
    ),
  ];
  if (order.length < 2 && !isNeeded(input, timed)) return [...words];
  return words.map((word, index) => {
    const who = heard[index];
    if (word.speaker !== undefined || who === undefined) return word;
    return { ...word, speaker: `Speaker ${order.indexOf(who) + 1}` };
  });
}

type HeardTurn = SpeakersHeard['turns'][number];

/** The speaker of each word, if there is one near it. */
function whoSays(words: readonly CaptionWord[], turns: readonly HeardTurn[]): (number | undefined)[] {
  const inTime = words.map((word, index) => ({ word, index })).sort((a, b) => a.word.start - b.word.start);
  const said: (number | undefined)[] = words.map(() => undefined);
  let first = 0;
  /** The latest end of the turns up to each: turns overlap, and a long one may begin early. */
  const latest = turns.map(() => 0);
  for (const [index, { end }] of turns.entries()) latest[index] = Math.max(latest[index - 1] ?? 0, end);
  for (const { word, index } of inTime) {
    while (first < turns.length && (latest[first] ?? 0) < word.start - NEAR) first++;
    said[index] = speakerNear(word, turns, first);
  }
  return said;
}

function speakerNear(
  { start, end }: CaptionWord,
  turns: readonly HeardTurn[],
  first: number,
): number | undefined {
  const shared = new Map<number, number>();
  let nearest: { speaker: number; off: number } | null = null;
  for (let at = first; at < turns.length; at++) {
    const turn = turns[at];
    if (!turn || turn.start > end + NEAR) break;
    const off = Math.max(turn.start - end, start - turn.end, 0);
    if (off <= NEAR && (!nearest || off < nearest.off)) nearest = { speaker: turn.speaker, off };
    const both = Math.min(end, turn.end) - Math.max(start, turn.start);
    if (both > 0) shared.set(turn.speaker, (shared.get(turn.speaker) ?? 0) + both);
  }
  const [most] = [...shared].sort(([, one], [, other]) => other - one);
  return most?.[0] ?? nearest?.speaker;
}

export interface Turn {
  speaker: string;
  start: number;
  end: number;
  text: string;
}

/** Words in a row of one speaker. A word without one ends a turn. */
export function turnsOf(words: readonly CaptionWord[]): Turn[] {
  const parts: CaptionWord[][] = [];
  for (const [index, word] of words.entries()) {
    const before = words[index - 1];
    const begins = before?.speaker === undefined || speakerChanges(before, word);
    if (word.speaker === undefined) continue;
    if (begins) parts.push([word]);
    else parts.at(-1)?.push(word);
  }
  return parts.map((part) => ({
    speaker: part[0]?.speaker ?? '',
    start: micros(part[0]?.start ?? 0),
    end: micros(part.reduce((latest, { end }) => Math.max(latest, end), 0)),
    text: textOf(part),
  }));
}

/** Who speaks, as a result says it; null if no word has a speaker. @param listed The words that the result lists. */
export function speakersIn(
  words: readonly CaptionWord[],
  listed: readonly CaptionWord[],
  { speakers }: Facts,
) {
  const names = namesIn(words);
  if (names.length === 0) return null;
  const engine = speakers ? engineUsedOf(speakers.engine) : null;
  return { engine, count: names.length, turns: turnsOf(listed) };
}

import type { Levels } from '../../model/plan.ts';
import type { Filter } from '../../model/steps.ts';
import { hasVoice, type Voice, voicedSpans } from '../../model/voice.ts';
import type { Span } from '../plan/frames.ts';
import { joinedSpans } from '../plan/joined-spans.ts';

/** RMS of the voice from which the background is lowered, and the gain of what is compared with it. */
const [STARTS, GAIN] = [0.02, 8];
/** With fewer windows than this share below that level, the voice has noise in its pauses, or no pauses. */
const QUIET_SHARE = 0.1;
/** Windows of levels in a second. */
const PER_SECOND = 100;
/** Seconds around speech in which the background may be lowered as well. */
const [BEFORE, AFTER] = [0.1, 0.2];

/** An argument of a program has at most 128 KiB, of which a span takes about 50 bytes. */
const MOST_SPANS = 1000;

/** Tests whether the noise of a voice would keep the background lowered between the sentences too. */
export function staysLowered({ rms }: Levels): boolean {
  const quiet = rms.reduce((sum, level) => sum + (level * GAIN < STARTS ? 1 : 0), 0);
  return quiet < QUIET_SHARE * rms.length;
}

/** Seconds of a sound in which somebody speaks; null if it has no speech, or was not searched for any. */
export function spokenIn(levels: Levels | undefined, voice: Voice | null | undefined): Span[] | null {
  if (!levels || !voice || !hasVoice(voice)) return null;
  const spans = voicedSpans(voice, levels.rms, levels.rms.length).map(({ start, end }) => ({
    start: start / PER_SECOND - BEFORE,
    end: end / PER_SECOND + AFTER,
  }));
  return spans.length > 0 ? joinedSpans(spans) : null;
}

/** Silences a sound outside these spans, which are ascending and disjoint. Of very many, those that are close are joined. */
export function onlyWithin(spans: readonly Span[]): Filter {
  let fewer = spans;
  for (let gap = 0.25; fewer.length > MOST_SPANS; gap *= 2) fewer = joinedSpans(spans, gap);
  return { name: 'volume', options: { volume: within(fewer), eval: 'frame' } };
}

/** 1 within the spans and 0 outside, as an ffmpeg expression that halves the spans until one is left. */
function within(spans: readonly Span[]): string {
  const [only, next] = spans;
  if (!only) return '0';
  if (!next) return `between(t,${precise(only.start)},${precise(only.end)})`;
  const middle = spans.length >> 1;
  const border = spans[middle]?.start ?? 0;
  return `if(lt(t,${precise(border)}),${within(spans.slice(0, middle))},${within(spans.slice(middle))})`;
}

const precise = (seconds: number) => seconds.toFixed(3);

/**
 * Options of the compressor that lowers a sound. It mixes maximum compression with the uncompressed signal: under the loudest
 * voice, only the uncompressed share remains.
 * @param db Largest reduction in decibels.
 */
export const ducking = (db: number) => ({
  ...{ threshold: STARTS, ratio: 20, attack: 20, release: 350, level_sc: GAIN },
  mix: Number((1 - 10 ** (-db / 20)).toFixed(4)),
});

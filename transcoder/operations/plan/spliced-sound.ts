import type { VideoContainer } from '../../../schema/operations/fields/fields.ts';
import type { MediaProbe } from '../../model/media-probe.ts';
import type { Splice, SpliceInput, Step } from '../../model/steps.ts';
import { mixedByLibav } from './audio-file.ts';
import { copiedSound } from './copy-audio.ts';
import type { Fades } from './filters.ts';
import type { Span } from './frame-selection.ts';
import { joinedSound } from './joined-sound.ts';
import { audibleIn } from './render-range.ts';
import { lengthOf } from './require-streams.ts';

/** Sound as an input of a splice, and the steps that make it. */
export interface SplicedSound {
  steps: Step[];
  codec: string;
  input: SpliceInput;
  audio: Pick<NonNullable<Splice['audio']>, 'start' | 'end' | 'settle'>;
}

interface Sounding {
  probe: MediaProbe;
  spans: readonly Span[];
  fades: Fades;
  format: VideoContainer;
}

/**
 * The source's own sound: its packets for a single unfaded range in a container whose edit list can trim them, otherwise a file.
 * Null if the spans have none.
 */
export function soundOfSpans({ probe, spans, fades, format }: Sounding): SplicedSound | null {
  const stream = audibleIn(probe, spans);
  const [span] = spans;
  if (!stream || !span) return null;
  const edited = format === 'mp4' || format === 'mov';
  const asItIs = spans.length === 1 && fades.in === 0 && fades.out === 0 && edited;
  const trim = asItIs ? copiedSound(probe, stream, span) : null;
  if (!trim) return joinedSound({ probe, stream, spans, fades, format });
  const own = { source: 0, stream: stream.index };
  return { steps: [], codec: stream.codec, input: own, audio: trim };
}

/** The same, made in libav. */
export function mixedSound(sounding: Sounding): SplicedSound | null {
  const sound = soundOfSpans(sounding);
  return sound && { ...sound, steps: mixedByLibav(sound.steps) };
}

/** All of a source's sound. */
export const wholeSound = (probe: MediaProbe, format: VideoContainer): SplicedSound | null =>
  mixedSound({ probe, spans: [{ start: 0, end: lengthOf(probe) }], fades: { in: 0, out: 0 }, format });

/** Probability of a voice in every 32 ms from the start of the source. */
export interface Voice {
  probability: Float32Array;
}

export const VOICE_WINDOW = 0.032;

/** In windows of 10 ms, `end` exclusive. */
export interface VoicedSpan {
  start: number;
  end: number;
}

/** Windows of levels in a window of the detector. */
const LEVELS = VOICE_WINDOW / 0.01;
/*
 * Chosen on 14 half minutes of meetings and conversation with human labels and on the generated rooms of the tests together
 * (`npm run bench -- ears`). Most speech that a single threshold loses is soft, and one direction of the detector hears it.
 */
/** From this probability on it is a voice, whatever its level. */
const CERTAIN = 0.5;
/** A voice, unless it is about as quiet as the room. */
const LIKELY = 0.03;
/** A voice lasts as long as its probability stays at this. */
const FADING = 0.01;
/**
 * How far above the room likely voices are, in dB. Noise leaves certain voices little distance to the room, of which likely ones need
 * this share. Without certain voices, the level says nothing.
 */
const ABOVE_ROOM = { decibels: 12, share: 0.5 };
/** Levels are not measured in fewer windows. */
const FEWEST = 10;
/** A shorter sound that never reaches this probability is a key, a chair or a breath, unless a clearer voice is near. */
const CLEAR = { probability: 0.15, fading: 0.05, windows: 30, near: 50 };
/** Voices and quiet at this distance in seconds are around it. */
const AROUND = 30;
/** A sound contains speech if this probability lasts this long in total. */
const SPEECH = { probability: 0.3, seconds: 0.2 };

const decibels = (level: number) => 20 * Math.log10(Math.max(level, 1e-6));

/** Whether a sound contains speech at all. */
export const hasVoice = ({ probability }: Voice): boolean =>
  probability.filter((value) => value >= SPEECH.probability).length * VOICE_WINDOW >= SPEECH.seconds;

/** Spans of a voice by the detector alone. */
export const voicedAlone = ({ probability }: Voice, count: number): VoicedSpan[] =>
  withoutClicks(
    spansOf(probability, { reached: CLEAR.probability, fading: CLEAR.fading }, count),
    probability,
  );

/**
 * Spans of a voice, where unclear sounds are compared with the voices and with the room around them.
 * @param rms Of every 10 ms, 1 being full scale.
 */
export function voicedSpans(voice: Voice, rms: Float32Array, count: number): VoicedSpan[] {
  const { probability } = voice;
  const loudness = probability.map((_, window) => loudestIn(rms, window));
  const at = (window: number) => probability[window] ?? 0;
  const voices = levelsAround(loudness, (window) => at(window) >= CERTAIN, 0.5);
  // Where somebody speaks without a pause, the quietest windows are soft speech.
  const room = levelsAround(loudness, (window) => at(window) <= LIKELY, 0.1);
  const weighed = probability.map((value, window) => {
    if (value >= CERTAIN) return value;
    const [quiet, voice] = [room(window), voices(window)];
    const above = Math.min(ABOVE_ROOM.decibels, Math.max(0, voice - quiet) * ABOVE_ROOM.share);
    return (loudness[window] ?? 0) < quiet + above ? 0 : value;
  });
  return withoutClicks(spansOf(weighed, { reached: LIKELY, fading: FADING }, count), probability);
}

/** Spans without the short and unclear ones that stand alone. */
function withoutClicks(spans: readonly VoicedSpan[], probability: Float32Array): VoicedSpan[] {
  const clear = ({ start, end }: VoicedSpan) =>
    probability
      .subarray(Math.floor(start / LEVELS), Math.ceil(end / LEVELS))
      .some((value) => value >= CLEAR.probability);
  const voices = spans.filter(clear);
  let next = 0;
  return spans.filter((span) => {
    if (span.end - span.start >= CLEAR.windows) return true;
    while ((voices[next]?.end ?? Number.POSITIVE_INFINITY) <= span.start - CLEAR.near) next++;
    return (voices[next]?.start ?? Number.POSITIVE_INFINITY) < span.end + CLEAR.near;
  });
}

/** In dBFS. */
function loudestIn(rms: Float32Array, window: number): number {
  let most = 0;
  const to = Math.min(rms.length, (window + 1) * LEVELS);
  for (let at = Math.floor(window * LEVELS); at < to; at++) most = Math.max(most, rms[at] ?? 0);
  return decibels(most);
}

/**
 * A quantile of the levels around each window, of those windows that count. Where none does, that of the whole sound; if it has
 * none either, as quiet as can be.
 */
function levelsAround(loudness: Float32Array, counts: (window: number) => boolean, share: number) {
  const size = Math.round(AROUND / VOICE_WINDOW);
  const within = (from: number, to: number): number | null => {
    const counted = loudness
      .subarray(Math.max(0, from), to)
      .filter((_, at) => counts(Math.max(0, from) + at));
    if (counted.length < FEWEST) return null;
    return counted.sort()[Math.floor(share * (counted.length - 1))] ?? null;
  };
  const everywhere = within(0, loudness.length) ?? Number.NEGATIVE_INFINITY;
  const blocks = Array.from(
    { length: Math.ceil(loudness.length / size) },
    (_, block) => within((block - 1) * size, (block + 2) * size) ?? everywhere,
  );
  return (window: number) => blocks[Math.floor(window / size)] ?? everywhere;
}

/** Spans that reach a probability somewhere, with all around it that does not fade. */
function spansOf(
  probability: Float32Array,
  { reached, fading }: { reached: number; fading: number },
  count: number,
): VoicedSpan[] {
  const spans: VoicedSpan[] = [];
  const lasts = (window: number) => (probability[window] ?? 0) >= fading;
  for (let window = 0; window < probability.length; window++) {
    if ((probability[window] ?? 0) < reached) continue;
    let [first, end] = [window, window + 1];
    while (lasts(first - 1)) first--;
    while (lasts(end)) end++;
    const start = Math.floor(first * LEVELS);
    const until = Math.min(count, Math.ceil(end * LEVELS));
    const last = spans.at(-1);
    if (last && start <= last.end) last.end = Math.max(last.end, until);
    else if (until > start) spans.push({ start, end: until });
    window = end - 1;
  }
  return spans;
}

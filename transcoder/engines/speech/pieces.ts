/** Windows of 10 ms, `to` exclusive. */
export interface SoundPiece {
  from: number;
  to: number;
}

export const WINDOWS_PER_SECOND = 100;
/** Recognition of longer pieces takes longer and makes more errors; Whisper reads 30 s at a time. */
const MOST = 28 * WINDOWS_PER_SECOND;
/** Shortest pause between pieces. */
const PAUSE = 0.5 * WINDOWS_PER_SECOND;
/** Pieces are not joined across longer pauses: Whisper invents words in them. */
const LONG_PAUSE = 4 * WINDOWS_PER_SECOND;
/** Margin kept around speech, because consonants begin and end softly. */
const AROUND = 0.2 * WINDOWS_PER_SECOND;
/** Speech is at most this far below its loud parts, and at least this far above the noise, in decibels. */
const SOFTER = 35;
const LOUDER = 9;
const SILENT_DB = -65;
const LEAST = 0.1 * WINDOWS_PER_SECOND;

const decibels = (level: number) => 20 * Math.log10(Math.max(level, 1e-6));

/**
 * Level of the loud and of the quiet parts of a sound, in dBFS. Loud is what is loud among the windows that are not silent: a few words
 * in an hour of silence are speech, too.
 * @returns null if less than the shortest piece is not silent
 */
function soundLevels(rms: Float32Array): { speech: number; noise: number } | null {
  const sorted = Float32Array.from(rms).sort();
  const silent = sorted.findIndex((level) => decibels(level) >= SILENT_DB);
  const heard = silent < 0 ? 0 : sorted.length - silent;
  if (heard < LEAST) return null;
  const at = (index: number) => decibels(sorted[Math.floor(index)] ?? 0);
  return { speech: at(silent + 0.95 * (heard - 1)), noise: at(0.1 * (sorted.length - 1)) };
}

/**
 * Finds possible speech and cuts it at silences into pieces of at most 28 seconds. @param rms Of every 10 ms, 1 being
 * full scale.
 */
export function piecesOf(rms: Float32Array): SoundPiece[] {
  const soundLevel = soundLevels(rms);
  if (!soundLevel) return [];
  const { speech, noise } = soundLevel;
  const threshold = Math.max(SILENT_DB, Math.min(speech - 6, Math.max(noise + LOUDER, speech - SOFTER)));
  const runs: SoundPiece[] = [];
  for (const [at, level] of rms.entries()) {
    if (decibels(level) < threshold) continue;
    const last = runs.at(-1);
    if (last && at - last.to < PAUSE) last.to = at + 1;
    else runs.push({ from: at, to: at + 1 });
  }
  return withMargins(
    runs.filter(({ from, to }) => to - from >= LEAST),
    rms,
  );
}

/** The same for speech that was detected, in windows of 10 ms. */
export function piecesOfSpeech(
  spans: readonly { start: number; end: number }[],
  rms: Float32Array,
): SoundPiece[] {
  const runs: SoundPiece[] = [];
  for (const { start, end } of spans) {
    const last = runs.at(-1);
    if (last && start - last.to < PAUSE) last.to = end;
    else runs.push({ from: start, to: end });
  }
  return withMargins(runs, rms);
}

function withMargins(runs: readonly SoundPiece[], rms: Float32Array): SoundPiece[] {
  return runs
    .map(({ from, to }) => ({ from: Math.max(0, from - AROUND), to: Math.min(rms.length, to + AROUND) }))
    .flatMap((piece) => shortened(piece, rms));
}

/**
 * Joins pieces with the pauses between them while they stay within 28 seconds, for engines that recognize language and words
 * better with context.
 */
export function withContext(pieces: readonly SoundPiece[]): SoundPiece[] {
  const joined: SoundPiece[] = [];
  for (const { from, to } of pieces) {
    const last = joined.at(-1);
    if (last && from - last.to < LONG_PAUSE && to - last.from <= MOST) last.to = Math.max(last.to, to);
    else joined.push({ from, to });
  }
  return joined;
}

/** Cuts a piece that is too long at the quietest point of its second half. */
function shortened({ from, to }: SoundPiece, rms: Float32Array): SoundPiece[] {
  if (to - from <= MOST) return [{ from, to }];
  let [cut, least] = [from + MOST, Number.POSITIVE_INFINITY];
  for (let at = from + MOST / 2; at < from + MOST; at++) {
    const level = rms.subarray(at - 5, at + 5).reduce((sum, value) => sum + value, 0);
    if (level < least) [cut, least] = [at, level];
  }
  return [{ from, to: cut }, ...shortened({ from: cut, to }, rms)];
}

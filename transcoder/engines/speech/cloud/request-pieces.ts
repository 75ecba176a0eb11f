import { type SoundPiece, WINDOWS_PER_SECOND } from '../pieces.ts';

/** A piece of 28 s fits the 30 s window of Whisper, and is 0.9 MB: less than servers and proxies accept by default. */
const MOST = 28 * WINDOWS_PER_SECOND;
/** Longer silences are not sent: Whisper invents words in them. */
const MOST_SILENCE = 3 * WINDOWS_PER_SECOND;

/** Joins neighbouring pieces of speech, with the silence between them, for fewer requests and more context in each. */
export function requestPieces(pieces: readonly SoundPiece[]): SoundPiece[] {
  const joined: SoundPiece[] = [];
  for (const { from, to } of pieces) {
    const last = joined.at(-1);
    if (last && from - last.to <= MOST_SILENCE && to - last.from <= MOST) last.to = to;
    else joined.push({ from, to });
  }
  return joined;
}

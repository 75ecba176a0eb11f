import type { EntriesRequest } from '../protocol.ts';
import { Stretch, Tape } from './read/packet-window.ts';

/**
 * Finds where decoding has to begin to show each tick, and everything after it, correctly: the tick itself if a seek to it is
 * enough; null for the beginning of the stream.
 */
export async function entries({ source, stream, slack, ticks }: EntriesRequest): Promise<(number | null)[]> {
  const tape = await Tape.open({ source, stream });
  try {
    const found: (number | null)[] = [];
    for (const tick of ticks) found.push(await entryBefore(tape, tick, slack));
    return found;
  } finally {
    await tape.close();
  }
}

async function entryBefore(tape: Tape, tick: number, slack: number): Promise<number | null> {
  const stretch = await Stretch.leadingTo(tape, tick, slack);
  const shown = stretch.shown(tick);
  if (!shown) return tick;
  const entry = stretch.entryTo(shown.pts);
  if (!entry) return null;
  const later = stretch.packets.some(({ key, pts, dts }) => key && pts > entry.pts && (dts ?? pts) <= tick);
  return later ? entry.pts : tick;
}

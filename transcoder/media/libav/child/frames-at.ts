import { mayBeJoined } from '../../../model/source/video-stream.ts';
import type { PicturesRequest } from '../protocol.ts';
import { type Shown, Stretch, type Tape } from './read/packet-window.ts';

/** Later than every tick of every stream. */
const END = 2 ** 52;

/** Several recordings follow one another, and the clock of each begins again. */
export class Restarted extends Error {}

/**
 * Finds the frame of each moment from packets alone; null if the stream shows nothing there. Throws Restarted if the end of the source
 * consists of several recordings.
 */
export async function framesAt(tape: Tape, request: PicturesRequest): Promise<(Shown | null)[]> {
  const { moments } = request;
  const found = moments.map((): Shown | null => null);
  const order = moments
    .flatMap((moment, index) => ('at' in moment ? [{ index, at: moment.at }] : []))
    .sort((a, b) => a.at - b.at);
  let stretch: Stretch | null = null;
  for (const { index, at } of order) {
    if (!stretch || (request.indexed && !worthReadingOn(stretch, at))) {
      stretch = request.indexed
        ? await Stretch.leadingTo(tape, at, request.slack)
        : await Stretch.from(tape, null, request.slack);
    }
    await stretch.reach(at);
    found[index] = stretch.shown(at);
  }
  for (const [index, moment] of moments.entries()) {
    if ('fromLast' in moment) found[index] = await beforeEnd(tape, request, moment.fromLast);
  }
  return found;
}

/** Whether reading on to this tick costs no more than has been read since the last keyframe. */
function worthReadingOn({ packets, position }: Stretch, tick: number): boolean {
  const key = packets.findLast((packet) => packet.key);
  return tick - position <= position - (key?.pts ?? position);
}

/** The frame shown `fromLast` ticks after the start of the last frame; `fromLast` may be negative. */
async function beforeEnd(tape: Tape, request: PicturesRequest, fromLast: number): Promise<Shown | null> {
  for (const begin of request.indexed ? [END, null] : [...request.windows, null]) {
    const stretch = await Stretch.from(tape, begin, request.slack);
    await stretch.reach(END);
    if (mayBeJoined(request.source.format) && stretch.restarts)
      throw new Restarted('the clock of the source begins again');
    const { end } = stretch;
    if (end === null) continue;
    const shown = stretch.shown(end + fromLast);
    if (shown && shown.pts <= end + fromLast && (shown.key !== null || begin === null)) return shown;
    if (begin === null) return shown;
    if (!request.indexed) continue;
    const before = await Stretch.leadingTo(tape, end + fromLast, request.slack);
    return before.shown(end + fromLast);
  }
  return null;
}

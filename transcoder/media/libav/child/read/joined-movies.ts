import { BOX_HEADER, type Box, boxAt, boxesIn } from '../../../../bitstream/mp4/boxes.ts';
import { childOf } from '../../../../bitstream/mp4/sample-tables.ts';
import type { SourceBytes } from './source-bytes.ts';

/** The longest header of a fragment that is read. */
const MOST_FRAGMENT = 16 * 1024 * 1024;
/** Boxes that may lie between the header of a movie in fragments and its first one. */
const between: readonly string[] = ['ftyp', 'moov', 'free', 'skip', 'sidx', 'styp', 'uuid', 'emsg', 'prft'];

/**
 * The byte at which another movie in fragments begins behind the one that begins at an offset; null if none does. Segments that each repeat
 * the header of one movie go on with its times (ISO/IEC 14496-12, 8.8.12); another movie begins again.
 * @param isSearched Tells whether all bytes may be read.
 */
export async function behindFragments(
  bytes: SourceBytes,
  start: number,
  isSearched: () => Promise<boolean>,
): Promise<number | null> {
  if (!(await isSearched()) || !(await isInFragments(bytes, start))) return null;
  const last = new Map<number, bigint>();
  let header: number | null = null;
  for await (const { type, from, to } of boxesFrom(bytes, start)) {
    if (type === 'ftyp') header = from > start ? from : null;
    if (type !== 'moof' || to - from > MOST_FRAGMENT) continue;
    const times = timesIn(await bytes.all([from, to]));
    const isBack = [...times].some(([track, time]) => time < (last.get(track) ?? time));
    if (header !== null && isBack) return header;
    for (const [track, time] of times) last.set(track, time);
  }
  return null;
}

/** Only what precedes the first fragment is read. */
async function isInFragments(bytes: SourceBytes, start: number): Promise<boolean> {
  for await (const { type } of boxesFrom(bytes, start)) {
    if (type === 'moof') return true;
    if (!between.includes(type)) return false;
  }
  return false;
}

async function* boxesFrom(bytes: SourceBytes, start: number): AsyncGenerator<Box> {
  for (let at = start; at < bytes.size; ) {
    const box = boxAt(await bytes.all([at, at + BOX_HEADER]), 0, Number.MAX_SAFE_INTEGER, at);
    if (!box) return;
    yield box;
    at = box.to;
  }
}

/** By track, the time at which a fragment begins, if it states that. */
function timesIn(moof: Buffer): Map<number, bigint> {
  const times = new Map<number, bigint>();
  for (const track of boxesIn(moof, 8, moof.length)) {
    if (track.type !== 'traf') continue;
    const [header, time] = [childOf(moof, track, 'tfhd'), childOf(moof, track, 'tfdt')];
    if (!header || !time || time.body + 8 > time.to || header.body + 8 > header.to) continue;
    const wide = moof[time.body] === 1 && time.body + 12 <= time.to;
    const at = time.body + 4;
    times.set(
      moof.readUInt32BE(header.body + 4),
      wide ? moof.readBigUInt64BE(at) : BigInt(moof.readUInt32BE(at)),
    );
  }
  return times;
}

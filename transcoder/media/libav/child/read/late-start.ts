import { AV_CODEC_ID_FLAC } from 'node-av/constants';
import type { Packet, Stream } from 'node-av/lib';
import type { SourceParts } from '../../../../model/source/media-source.ts';
import { Reader } from './reader.ts';

/**
 * Follows the packets of FLAC in Ogg from the first one on. A page states when it ends (RFC 3533, 6), so libav takes the first one to begin
 * at 0. A recording that was saved while it ran, such as web radio, begins at any time: all behind the first page is then late.
 */
export class LateStart {
  /** Byte at which the first page begins. */
  #page: bigint | null = null;
  #end = 0n;
  #ticks: bigint | null = null;

  /** By how much what is behind the first page is late; null up to there. */
  get ticks(): bigint | null {
    return this.#ticks;
  }

  follow({ pos, pts, duration }: Packet): void {
    if (this.#ticks !== null) return;
    // A packet that goes on behind the first page is timed as one of the next page.
    if (this.#page !== null && (pts !== this.#end || pos !== this.#page))
      this.#ticks = pts > this.#end ? pts - this.#end : 0n;
    this.#page ??= pos;
    this.#end = pts + duration;
  }
}

export const mayBeLate = ({ codecpar: { codecId } }: Stream): boolean => codecId === AV_CODEC_ID_FLAC;

/** Whether all of a sound but its first page is late. */
export async function startsLate(source: SourceParts, stream: Stream): Promise<boolean> {
  if (source.format !== 'ogg' || !mayBeLate(stream)) return false;
  const reader = await Reader.ofPackets({ source, stream: stream.index });
  try {
    const start = new LateStart();
    for (let packet = await reader.next(); packet && start.ticks === null; packet = await reader.next())
      start.follow(packet);
    return (start.ticks ?? 0n) > 0n;
  } finally {
    await reader.close();
  }
}

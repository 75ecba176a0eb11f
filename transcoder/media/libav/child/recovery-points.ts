import { avGetCodecName, type Packet, type Stream } from 'node-av/lib';
import { type AccessUnit, accessUnits, isRefreshed } from '../../../bitstream/refresh.ts';
import { configurationOf } from './av.ts';

/** A keyframe, and the tick from which pictures decode correctly after it; null if never, or not yet known. */
interface Entered {
  pts: number;
  right: number | null;
}

interface Refreshing {
  entered: Entered;
  /** Reference pictures until the refresh is complete. */
  left: number;
  /** Latest presentation time so far. */
  latest: number;
}

/** Follows a stream's packets in decoding order, and determines when pictures become correct after each keyframe. */
export class Recovery {
  /** Null if every keyframe decodes correctly on its own. */
  #unitOf: ((packet: Uint8Array) => AccessUnit) | null;
  #refreshing: Refreshing[] = [];
  /** Keyframes that are dropped where decoding begins at them, until the next one. */
  #dropped: Entered[] = [];

  constructor(stream: Stream) {
    const codec = avGetCodecName(stream.codecpar.codecId) ?? '';
    this.#unitOf = isRefreshed(codec) ? accessUnits(codec, configurationOf(stream).extradata) : null;
  }

  /** Whether the next packet is looked into even if it is not a keyframe. */
  get isGoingOn(): boolean {
    return this.#refreshing.length > 0;
  }

  /** @returns null for a packet that is not a keyframe. `right` is set once the keyframe's refresh is complete. */
  follow(packet: Pick<Packet, 'isKeyframe'> & { data: Uint8Array | null }, pts: number): Entered | null {
    const { isKeyframe } = packet;
    if (!this.#unitOf) return isKeyframe ? { pts, right: pts } : null;
    if (!isKeyframe && this.#refreshing.length === 0) return null;
    const { recovery, reference, dropped } = this.#unitOf(packet.data ?? new Uint8Array());
    this.#pass(pts, reference);
    if (!isKeyframe) return null;
    const entered = { pts, right: recovery === 0 ? pts : null };
    const begun = [...this.#dropped.splice(0), ...(dropped ? [] : [entered])];
    if (dropped) this.#dropped.push(entered);
    for (const one of begun) {
      if (recovery) this.#refreshing.push({ entered: one, left: recovery, latest: pts });
      else if (recovery === 0) one.right = pts;
    }
    return entered;
  }

  /** A picture decoded before the last one of a refresh but shown after it is output only once that one is decoded. */
  #pass(pts: number, reference: boolean): void {
    for (const refreshing of this.#refreshing) {
      if (reference) refreshing.left -= 1;
      if (refreshing.left === 0) {
        refreshing.entered.right = pts > refreshing.latest ? pts : refreshing.latest + 1;
      }
      refreshing.latest = Math.max(refreshing.latest, pts);
    }
    this.#refreshing = this.#refreshing.filter(({ left }) => left > 0);
  }
}

import { avGetCodecName, type Packet, type Stream } from 'node-av/lib';
import { type AccessUnit, accessUnits, isRefreshed } from '../../../bitstream/refresh.ts';
import { configurationOf } from './av.ts';

/** A keyframe, and from which tick on pictures are right where decoding begins at it; null where they never are, or not yet. */
interface Entered {
  pts: number;
  right: number | null;
}

interface Refreshing {
  entered: Entered;
  /** Reference pictures that have still to come. */
  left: number;
  /** When the last of the pictures up to here is shown. */
  latest: number;
}

/** Follows the packets of a stream in decoding order, and tells from when on pictures are right behind each keyframe. */
export class Recovery {
  /** Null where every keyframe shows a right picture by itself. */
  #unitOf: ((packet: Uint8Array) => AccessUnit) | null;
  #refreshing: Refreshing[] = [];

  constructor(stream: Stream) {
    const codec = avGetCodecName(stream.codecpar.codecId) ?? '';
    this.#unitOf = isRefreshed(codec) ? accessUnits(codec, configurationOf(stream).extradata) : null;
  }

  /** @returns null for a packet that is no keyframe. `right` of one is set once its refresh has been followed to the end. */
  follow(packet: Packet, pts: number): Entered | null {
    const { isKeyframe } = packet;
    if (!this.#unitOf) return isKeyframe ? { pts, right: pts } : null;
    if (!isKeyframe && this.#refreshing.length === 0) return null;
    const { recovery, reference } = this.#unitOf(packet.data ?? new Uint8Array());
    this.#pass(pts, reference);
    if (!isKeyframe) return null;
    const entered = { pts, right: recovery === 0 ? pts : null };
    if (recovery) this.#refreshing.push({ entered, left: recovery, latest: pts });
    return entered;
  }

  /** What is decoded before the last picture of a refresh and shown behind it comes out only once that one is decoded. */
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

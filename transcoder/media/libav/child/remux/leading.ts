import { avGetCodecName, type Packet, type Stream } from 'node-av/lib';
import { lostLeading } from '../../../../bitstream/leading.ts';
import { configurationOf } from '../av.ts';

/** Finds the first pictures that cannot be decoded: a recording begins with a keyframe, and they reference what was before it. */
export class Leading {
  readonly #stream: Stream;
  /** When the first picture is shown. */
  #begin: number | null = null;
  #isLost: ((packet: Uint8Array) => boolean) | null = null;

  constructor(stream: Stream) {
    this.#stream = stream;
  }

  /** Whether a picture that follows the first one may be lost. */
  get mayLose(): boolean {
    return this.#isLost !== null;
  }

  /** Takes all packets of the stream from its first one on. */
  isLost({ data, isKeyframe }: Packet, pts: number): boolean {
    if (this.#begin !== null) return pts < this.#begin && this.#isLost?.(data ?? new Uint8Array()) === true;
    this.#begin = pts;
    const codec = avGetCodecName(this.#stream.codecpar.codecId) ?? '';
    if (isKeyframe && data) this.#isLost = lostLeading(codec, configurationOf(this.#stream).extradata, data);
    return false;
  }
}

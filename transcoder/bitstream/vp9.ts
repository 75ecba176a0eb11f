import type { Unfit } from '../model/splice.ts';
import {
  type Codec,
  type Coded,
  type Configuration,
  type Joined,
  type Rendered,
  unchanged,
} from './codec.ts';
import { type Vp9Key, vp9Key } from './vp9-frames.ts';

export const vp9: Codec = { coded: (configuration) => new Vp9(configuration) };

/** For the fastest speed; quality is about that of the usual settings at a slower speed. */
const CRF = 24;

/** VP9 frames are self-contained, therefore joining changes nothing. */
class Vp9 implements Coded {
  #extradata: Uint8Array;
  #size: Configuration['size'];
  /** The first key frame seen. */
  #format: Vp9Key | null = null;

  constructor({ extradata, size }: Configuration) {
    this.#extradata = extradata;
    this.#size = size;
  }

  entry(packet: Uint8Array) {
    return vp9Key(packet) ? ('closed' as const) : null;
  }

  misfit(packet: Uint8Array): Unfit | null {
    const key = vp9Key(packet);
    if (!key) return null;
    this.#format ??= key;
    const [width, height] = this.#size ?? [key.width, key.height];
    if (key.width !== width || key.height !== height) return 'parameter_sets_change';
    return JSON.stringify(key) === JSON.stringify(this.#format) ? null : 'parameter_sets_change';
  }

  entered() {
    return unchanged;
  }

  picture() {
    return null;
  }

  get scale() {
    return null;
  }

  encoder() {
    const options = {
      ...{ deadline: 'realtime', 'cpu-used': 7, 'lag-in-frames': 0, 'auto-alt-ref': 0 },
      ...{ crf: CRF, b: 0, g: 100_000, 'row-mt': 1, threads: 0 },
    };
    return { name: 'libvpx-vp9', options, immediate: true, parallel: true };
  }

  get fitting() {
    return { profile: null, params: '' };
  }

  join(rendered: readonly Rendered[]): Joined {
    const insertions = rendered.map(() => ({ stretch: () => (packet: Uint8Array) => packet }));
    return { extradata: this.#extradata, tag: 'vp09', insertions, resumed: () => unchanged };
  }
}

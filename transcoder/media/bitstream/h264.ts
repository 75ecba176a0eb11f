import { type Avcc, buildAvcc, parseAvcc } from './avcc.ts';
import type { Beside, Codec, Coded, Configuration, Insertion, Joined, Rendered, Unfit } from './codec.ts';
import { isSlice, parseSlice, ppsIdOf } from './h264-slice.ts';
import { changesSets, isIdr, type Splice, Splicer, spliceOf } from './h264-splice.ts';
import { joinLengths, splitLengths, splitStartCodes } from './nal.ts';

export const h264: Codec = {
  coded: (stream) => {
    const avcc = configurationOf(stream);
    if ('unfit' in avcc) return avcc;
    const splice = spliceOf(avcc);
    return 'unfit' in splice ? splice : new H264(splice);
  },
};

function configurationOf({ extradata, tag }: Configuration): Avcc | { unfit: Unfit } {
  if (tag !== null && tag !== 'avc1') return { unfit: 'parameter_sets_in_band' };
  try {
    return parseAvcc(extradata);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { unfit: 'parameter_sets_unreadable' };
  }
}

/** Of the fastest preset, as good as the encoder's usual quality at a slower one. */
const CRF = 20;
/** Seconds up to which frames are encoded at each speed. */
const presets = [
  { preset: 'ultrafast', upTo: 10 },
  { preset: 'superfast', upTo: 30 },
  { preset: 'veryfast', upTo: Number.POSITIVE_INFINITY },
] as const;

class H264 implements Coded {
  #splice: Splice;

  constructor(splice: Splice) {
    this.#splice = splice;
  }

  entry(packet: Uint8Array) {
    return isIdr(this.#nals(packet)) ? ('closed' as const) : null;
  }

  misfit(packet: Uint8Array): Unfit | null {
    return changesSets(this.#nals(packet), this.#splice.avcc) ? 'parameter_sets_change' : null;
  }

  encoder(seconds: number) {
    const { preset } = presets.find(({ upTo }) => seconds <= upTo) ?? presets[0];
    const { profile, params } = this.fitting;
    // A frame whose duration counts is held back until the next one is known.
    const immediate = ['rc-lookahead=0', 'sync-lookahead=0', 'sliced-threads=1', 'mbtree=0', 'force-cfr=1'];
    const options = {
      ...{ preset, profile, crf: CRF, 'forced-idr': 1 },
      'x264-params': [params, 'keyint=infinite', ...immediate, 'log-level=none'].join(':'),
    };
    return { name: 'libx264', options, immediate: true };
  }

  get fitting() {
    const { profile } = this.#splice;
    const cabac = profile === 'baseline' ? 0 : 1;
    const transform = profile.startsWith('high') ? 1 : 0;
    const params = ['bframes=0', 'weightp=0', 'ref=1', 'scenecut=0', 'open-gop=0', 'aud=0'];
    return { profile, params: [...params, `cabac=${cabac}`, `8x8dct=${transform}`].join(':') };
  }

  join(rendered: readonly Rendered[]): Joined {
    const { avcc, freePpsIds } = this.#splice;
    const added: Uint8Array[] = [];
    const insertions = rendered.map((sets) => {
      const ids = freePpsIds.slice(0, added.length + 1);
      const splicers = ids.map((id) => new Splicer(this.#splice, nalsOf(sets), id));
      const same = splicers.find(({ pps }, index) => added[index] && Buffer.compare(pps, added[index]) === 0);
      const splicer = same ?? splicers[added.length];
      if (!splicer) throw new RangeError('no id is left for a picture parameter set');
      if (!same) added.push(splicer.pps);
      return this.#insertion(sets, splicer);
    });
    const extradata = buildAvcc({ ...avcc, pps: [...avcc.pps, ...added] });
    return { extradata, tag: 'avc1', insertions, resumed: (packet) => packet };
  }

  #insertion({ from }: Rendered, splicer: Splicer): Insertion {
    const { lengthSize } = this.#splice.avcc;
    return {
      stretch: ({ before, behind }: Beside) => {
        const ids = [before, behind].flatMap((packet) => this.#idrPicId(packet) ?? []);
        const place = splicer.stretch(ids);
        return (packet) => {
          const nals = from === 'encoder' ? splitStartCodes(packet) : splitLengths(packet, 4);
          return joinLengths(place(nals), lengthSize);
        };
      },
    };
  }

  #idrPicId(packet: Uint8Array | null): number | null {
    const { sps, pps } = this.#splice;
    const slice = packet && this.#nals(packet).find(isSlice);
    const set = slice && pps.find(({ id }) => id === ppsIdOf(slice));
    return slice && set ? parseSlice(slice, { sps, pps: set }).idrPicId : null;
  }

  #nals(packet: Uint8Array): Uint8Array[] {
    return splitLengths(packet, this.#splice.avcc.lengthSize);
  }
}

function nalsOf({ from, extradata }: Rendered): Uint8Array[] {
  if (from === 'encoder') return splitStartCodes(extradata);
  const { sps, pps } = parseAvcc(extradata);
  return [...sps, ...pps];
}

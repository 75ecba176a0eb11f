import { x265Mastering } from '../model/mastering.ts';
import type { Unfit } from '../model/splice.ts';
import {
  type Codec,
  type Coded,
  type Configuration,
  type EncoderTarget,
  firstConverted,
  type Joined,
  type Rendered,
  unchanged,
} from './codec.ts';
import { hevcPpsIdOf, hevcSliceTypes, isHevcSlice, parseHevcSlice } from './hevc-slice.ts';
import {
  enteredUnit,
  type HevcSplice,
  HevcSplicer,
  hevcEntry,
  hevcSpliceOf,
  hevcUnitUnfit,
  joinedHvcc,
} from './hevc-splice.ts';
import { buildHvcc, type Hvcc, parseHvcc } from './hvcc.ts';
import { joinLengths, splitLengths, splitStartCodes } from './nal.ts';
import { type Picture, qpScale } from './quantiser.ts';

export const hevc: Codec = {
  coded: (stream) => {
    const hvcc = configurationOf(stream);
    if ('unfit' in hvcc) return hvcc;
    const splice = hevcSpliceOf(hvcc);
    return 'unfit' in splice ? splice : new Hevc(splice);
  },
};

/** With `hev1`, parameter sets may be in band; each keyframe is checked for sets that differ from the configuration. */
const tags: readonly (string | null)[] = [null, 'hvc1', 'hev1'];

function configurationOf({ extradata, tag }: Configuration): Hvcc | { unfit: Unfit } {
  if (tag === 'dvh1' || tag === 'dvhe') return { unfit: 'dolby_vision' };
  if (!tags.includes(tag)) return { unfit: 'parameter_sets_in_band' };
  try {
    return parseHvcc(extradata);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { unfit: 'parameter_sets_unreadable' };
  }
}

/** If the source's quantiser is unknown; for the fastest preset. Its quality equals that of the usual settings at a slower preset. */
const CRF = 22;
/** Presets by the longest stretch, in seconds, that each is used for. */
const presets = [
  { preset: 'ultrafast', upTo: 10 },
  { preset: 'superfast', upTo: 30 },
  { preset: 'veryfast', upTo: Number.POSITIVE_INFINITY },
] as const;

/** Pictures with fewer bits per pixel hardly move. x265 codes their blocks finer than the slice header says. */
const STILL = 0.02;
/** For such pictures, where the fastest preset saves little time and makes keyframes half as large again. */
const stillPreset = { preset: 'superfast', finer: 3 } as const;

const typeOf = ({ type }: { type: number }): Picture['type'] => {
  if (type === hevcSliceTypes.i) return 'I';
  return type === hevcSliceTypes.p ? 'P' : 'B';
};

/** More bytes than a slice header has, unless it lists entry points of hundreds of rows. */
const HEADER = 4096;

function rateOf({ quantiser, maxKbps }: EncoderTarget): {
  options: Record<string, number>;
  params: string[];
} {
  if (quantiser === null) return { options: { crf: CRF }, params: [] };
  if (maxKbps === null) return { options: {}, params: [`qp=${quantiser}`] };
  const limits = [`vbv-maxrate=${maxKbps}`, `vbv-bufsize=${2 * maxKbps}`];
  return { options: { crf: quantiser }, params: ['qcomp=1', 'aq-mode=0', 'cutree=0', ...limits] };
}

class Hevc implements Coded {
  #splice: HevcSplice;

  constructor(splice: HevcSplice) {
    this.#splice = splice;
  }

  entry(packet: Uint8Array) {
    return hevcEntry(this.#nals(packet));
  }

  misfit(packet: Uint8Array): Unfit | null {
    return hevcUnitUnfit(this.#nals(packet), this.#splice.hvcc);
  }

  /** Decoders themselves leave out leading pictures of the first picture. */
  entered() {
    return unchanged;
  }

  picture(packet: Uint8Array): Picture | null {
    const nal = this.#nals(packet).find(isHevcSlice);
    const pps = nal && this.#splice.pps.find(({ id }) => id === hevcPpsIdOf(nal));
    if (!nal || !pps) return null;
    const { coding } = parseHevcSlice(nal.subarray(0, HEADER), { sps: this.#splice.sps, pps });
    return coding && { type: typeOf(coding), quantiser: pps.initQp + coding.qpDelta };
  }

  get scale() {
    return qpScale;
  }

  encoder(target: EncoderTarget) {
    const still = target.bitsPerPixel < STILL;
    const { preset } = still
      ? stillPreset
      : (presets.find(({ upTo }) => target.seconds <= upTo) ?? presets[0]);
    const { profile, params } = this.fitting;
    const own = ['keyint=-1', 'rc-lookahead=0', 'frame-threads=1', 'log-level=none'];
    const finer =
      still && target.quantiser !== null ? target.quantiser - stillPreset.finer : target.quantiser;
    const { options: rate, params: limits } = rateOf({ ...target, quantiser: finer });
    const options = {
      ...{ preset, profile, ...rate, 'forced-idr': 1 },
      'x265-params': [params, ...own, ...limits, ...x265Mastering(target.mastering)].join(':'),
    };
    return { name: 'libx265', options, immediate: true, parallel: true };
  }

  get fitting() {
    const params = ['bframes=0', 'weightp=0', 'weightb=0', 'scenecut=0', 'open-gop=0'];
    return {
      profile: this.#splice.profile,
      params: [...params, 'aud=0', 'info=0', 'repeat-headers=0'].join(':'),
    };
  }

  /** Gives each configuration its own ids, and repeats its sets wherever decoding can begin with it. */
  join(rendered: readonly Rendered[]): Joined {
    const { hvcc, free } = this.#splice;
    const added: HevcSplicer[] = [];
    const known = new Map<string, HevcSplicer>();
    const insertions = rendered.map(({ from, extradata }) => {
      const name = Buffer.from(extradata).toString('latin1');
      const splicer = known.get(name) ?? this.#splicer({ from, extradata }, free[added.length]);
      if (!known.has(name)) added.push(splicer);
      known.set(name, splicer);
      const lengthSize = from === 'file' ? parseHvcc(extradata).lengthSize : 0;
      return {
        stretch: () => (packet: Uint8Array) => {
          const nals = from === 'encoder' ? splitStartCodes(packet) : splitLengths(packet, lengthSize);
          return joinLengths(splicer.frame(nals), hvcc.lengthSize);
        },
      };
    });
    return {
      extradata: buildHvcc(joinedHvcc(this.#splice, added)),
      tag: 'hvc1',
      insertions,
      resumed: () =>
        firstConverted((packet) =>
          joinLengths(enteredUnit(this.#nals(packet), this.#splice), hvcc.lengthSize),
        ),
    };
  }

  #splicer({ from, extradata }: Rendered, ids: HevcSplice['free'][number] | undefined): HevcSplicer {
    if (!ids) throw new RangeError('no parameter set ids are free');
    const nals =
      from === 'encoder'
        ? splitStartCodes(extradata)
        : parseHvcc(extradata).arrays.flatMap((array) => array.nals);
    return new HevcSplicer(this.#splice, nals, ids);
  }

  #nals(packet: Uint8Array): Uint8Array[] {
    return splitLengths(packet, this.#splice.hvcc.lengthSize);
  }
}

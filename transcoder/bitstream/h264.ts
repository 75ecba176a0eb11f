import type { Unfit } from '../model/splice.ts';
import { type Avcc, buildAvcc, parseAvcc } from './avcc.ts';
import type {
  Beside,
  Codec,
  Coded,
  Configuration,
  EncoderTarget,
  Insertion,
  Joined,
  Rendered,
} from './codec.ts';
import { H264Entrance, isOpenEntry } from './h264-entrance.ts';
import { OwnSets, withSets } from './h264-own-sets.ts';
import { isSlice, parseSlice, ppsIdOf, type Sets } from './h264-slice.ts';
import { changesSets, isIdr, type Splice, Splicer, spliceOf } from './h264-splice.ts';
import { joinLengths, splitLengths, splitStartCodes } from './nal.ts';
import { type Picture, qpScale } from './quantiser.ts';

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

/** If the source's quantiser is unknown; for the fastest preset, where it is better than the usual quality at `veryfast`. */
const CRF = 22;
/** Presets by the longest stretch, in seconds, that each is used for. */
const presets = [
  { preset: 'superfast', upTo: 30, cabac: true },
  { preset: 'veryfast', upTo: Number.POSITIVE_INFINITY, cabac: true },
] as const;
/** Above this many bits per pixel, writing them takes most of the time. */
const densePreset = { preset: 'ultrafast', above: 0.5, upTo: 10, cabac: false } as const;

const fieldParams = { top: 'tff=1', bottom: 'bff=1' } as const;

/** By slice_type modulo 5; SP and SI count as P and I. */
const pictureTypes = ['P', 'B', 'I', 'P', 'I'] as const;
/** More bytes than a slice header has. */
const HEADER = 512;

class H264 implements Coded {
  #splice: Splice;

  constructor(splice: Splice) {
    this.#splice = splice;
  }

  entry(packet: Uint8Array) {
    const nals = this.#nals(packet);
    if (isIdr(nals)) return 'closed';
    return isOpenEntry(nals, this.#splice) ? ('open' as const) : null;
  }

  entered() {
    return new H264Entrance(this.#splice, null);
  }

  misfit(packet: Uint8Array): Unfit | null {
    return changesSets(this.#nals(packet), this.#splice.avcc) ? 'parameter_sets_change' : null;
  }

  picture(packet: Uint8Array): Picture | null {
    const nal = this.#nals(packet).find(isSlice);
    const pps = nal && this.#splice.pps.find(({ id }) => id === ppsIdOf(nal));
    if (!nal || !pps) return null;
    const { type, qpDelta } = parseSlice(nal.subarray(0, HEADER), { sps: this.#splice.sps, pps });
    return { type: pictureTypes[type % 5] ?? 'I', quantiser: pps.initQp + qpDelta };
  }

  get scale() {
    return qpScale;
  }

  encoder(target: EncoderTarget) {
    const quick = target.bitsPerPixel > densePreset.above && target.seconds <= densePreset.upTo;
    const fitting = presets.find(({ upTo }) => target.seconds <= upTo) ?? presets[0];
    const { preset, cabac } = quick ? densePreset : fitting;
    // Without force-cfr, x264 delays each frame until it knows its duration from the next one.
    const immediate = ['rc-lookahead=0', 'sync-lookahead=0', 'sliced-threads=1', 'mbtree=0', 'force-cfr=1'];
    // Without `stitchable`, the PPS would depend on the quantiser.
    const own = ['keyint=infinite', 'stitchable=1', ...immediate, 'log-level=none'];
    const rate = this.#rate(target);
    const fields = target.fields ? [fieldParams[target.fields]] : [];
    const params = [this.#params(0, cabac), ...own, ...fields, ...rate.params].join(':');
    const { profile } = this.#splice;
    const options = { preset, profile, ...rate.options, 'forced-idr': 1, 'x264-params': params };
    return { name: 'libx264', options, immediate: true, parallel: false };
  }

  #rate({ quantiser, maxKbps }: EncoderTarget): { options: Record<string, number>; params: string[] } {
    if (this.#splice.sps.lossless) return { options: {}, params: [] };
    if (quantiser === null) return { options: { crf: CRF }, params: [] };
    if (maxKbps === null)
      return { options: { qp: quantiser + 6 * (this.#splice.sps.bitDepthLuma - 8) }, params: [] };
    // The level of an encoder's own parameter sets depends on these limits.
    const limits = this.#splice.immovable ? [] : [`vbv-maxrate=${maxKbps}`, `vbv-bufsize=${2 * maxKbps}`];
    return { options: { crf: quantiser }, params: ['qcomp=1', 'aq-mode=0', ...limits] };
  }

  get fitting() {
    return { profile: this.#splice.profile, params: this.#params(1, true) };
  }

  /**
   * @param place Index of the parameter set id; encoders whose frames share a file need different ids.
   * @param cabac If the profile supports it. It takes a quarter of the time of the fastest preset and saves a tenth of the bits.
   */
  #params(place: 0 | 1, cabac: boolean): string {
    const { sps, profile, freeSetIds } = this.#splice;
    const id = freeSetIds[place];
    const transform = profile.startsWith('high') ? 1 : 0;
    // ffmpeg's decoder, which is that of most players, damages lossless pictures behind others.
    const lossless = sps.lossless ? ['qp=0'] : [];
    return [
      ...['bframes=0', 'weightp=0', 'ref=1', 'scenecut=0', 'open-gop=0', 'aud=0'],
      ...[`cabac=${cabac && profile !== 'baseline' ? 1 : 0}`, `8x8dct=${transform}`, ...lossless],
      ...(id === undefined ? [] : [`sps-id=${id}`]),
    ].join(':');
  }

  join(rendered: readonly Rendered[]): Joined {
    const { avcc, sps, pps, freePpsIds } = this.#splice;
    const ids = new Map<string, number>();
    const inserted = rendered.map((each) => {
      const nals = nalsOf(each);
      try {
        const splicer = new Splicer(this.#splice, nals, (set) => {
          const key = Buffer.from(set).toString('hex');
          const id = ids.get(key) ?? freePpsIds[ids.size];
          if (id === undefined) throw new RangeError('no PPS id is free');
          ids.set(key, id);
          return id;
        });
        return { from: each.from, frames: splicer };
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        return { from: each.from, frames: new OwnSets(nals) };
      }
    });
    const sets = [...pps.map((set) => ({ sps, pps: set })), ...inserted.map(({ frames }) => frames.sets)];
    const joined = withSets(
      avcc,
      inserted.map(({ frames }) => frames.added),
    );
    return {
      extradata: buildAvcc(joined),
      tag: 'avc1',
      insertions: inserted.map(({ from, frames }) => this.#insertion(from, frames, sets)),
      resumed: (before) => new H264Entrance(this.#splice, this.#idrPicId(before, sets)),
    };
  }

  #insertion(from: Rendered['from'], frames: Splicer | OwnSets, sets: readonly Sets[]): Insertion {
    const { lengthSize } = this.#splice.avcc;
    return {
      stretch: ({ before, behind }: Beside) => {
        const beside = [before, behind].flatMap((packet) => this.#idrPicId(packet, sets) ?? []);
        const place = frames.stretch(beside);
        return (packet) => {
          const nals = from === 'encoder' ? splitStartCodes(packet) : splitLengths(packet, 4);
          return joinLengths(place(nals), lengthSize);
        };
      },
    };
  }

  #idrPicId(packet: Uint8Array | null, sets: readonly Sets[]): number | null {
    const slice = packet && this.#nals(packet).find(isSlice);
    const set = slice && sets.find(({ pps }) => pps.id === ppsIdOf(slice));
    return slice && set ? parseSlice(slice, set).idrPicId : null;
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

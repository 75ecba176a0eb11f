import { svtMastering } from '../model/mastering.ts';
import type { Unfit } from '../model/splice.ts';
import {
  type Av1c,
  av1Unit,
  buildAv1c,
  isAv1Key,
  parseAv1c,
  raisedAv1c,
  sequenceOf,
  splitObus,
} from './av1-obus.ts';
import { type Av1Sequence, parseAv1Sequence } from './av1-sequence.ts';
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

export const av1: Codec = { coded: (stream) => codedOf(stream) };

/** Parses a configuration. Throws RangeError if it is damaged or has no sequence header. */
function configurationOf(extradata: Uint8Array) {
  const av1c = parseAv1c(extradata);
  const header = sequenceOf(splitObus(av1c.obus));
  if (!header) throw new RangeError('the configuration has no sequence header');
  return { av1c, sequence: header.sequence, bytes: header.obu.bytes };
}

function codedOf({ extradata }: Configuration): Av1 | { unfit: Unfit } {
  try {
    const { av1c, sequence, bytes } = configurationOf(extradata);
    const unfit = unfitOf(sequence);
    return unfit ? { unfit } : new Av1(av1c, sequence, bytes);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { unfit: 'parameter_sets_unreadable' };
  }
}

function unfitOf({ profile, monochrome, operatingPoints }: Av1Sequence): Unfit | null {
  if (profile !== 0) return 'profile';
  if (monochrome) return 'chroma_format';
  return operatingPoints > 1 ? 'several_layers' : null;
}

/** For the fast presets; quality is about that of the usual settings at a slower preset. */
const CRF = 25;
/** Presets by the longest stretch, in seconds, that each is used for. */
const presets = [
  { preset: 11, upTo: 10 },
  { preset: 10, upTo: Number.POSITIVE_INFINITY },
] as const;

class Av1 implements Coded {
  #av1c: Av1c;
  #sequence: Av1Sequence;
  /** The configuration's sequence header OBU, including its OBU header. */
  #header: Uint8Array;

  constructor(av1c: Av1c, sequence: Av1Sequence, header: Uint8Array) {
    this.#av1c = av1c;
    this.#sequence = sequence;
    this.#header = header;
  }

  entry(packet: Uint8Array) {
    return isAv1Key(splitObus(packet), this.#sequence) ? ('closed' as const) : null;
  }

  misfit(packet: Uint8Array): Unfit | null {
    const header = sequenceOf(splitObus(packet));
    return header && !sameFormat(header.sequence, this.#sequence) ? 'parameter_sets_change' : null;
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

  encoder({ seconds, mastering }: EncoderTarget) {
    const { preset } = presets.find(({ upTo }) => seconds <= upTo) ?? presets[0];
    const params = ['pred-struct=1', 'lookahead=0', 'enable-tf=0', 'enable-overlays=0', 'scd=0', 'keyint=-1'];
    const options = { preset, crf: CRF, 'svtav1-params': [...params, ...svtMastering(mastering)].join(':') };
    return { name: 'libsvtav1', options, immediate: true, parallel: true };
  }

  /** Files need no special settings, because every key frame carries its sequence header. */
  get fitting() {
    return { profile: null, params: '' };
  }

  /** Every key frame carries its sequence header, which applies until the next one. */
  join(rendered: readonly Rendered[]): Joined {
    let joined = this.#av1c;
    const insertions = rendered.map(({ from, extradata }) => {
      const own = from === 'file' ? configurationOf(extradata) : headerOf(extradata);
      if (!fits(own.sequence, this.#sequence)) throw new RangeError('the encoder uses another format');
      joined = raisedAv1c(joined, own.sequence);
      return { stretch: () => withSequenceHeader(own.sequence, own.bytes) };
    });
    return {
      extradata: buildAv1c(joined),
      tag: 'av01',
      insertions,
      resumed: () => firstConverted(withSequenceHeader(this.#sequence, this.#header)),
    };
  }
}

/** Inserts the sequence header into key frames that lack it. */
function withSequenceHeader(sequence: Av1Sequence, header: Uint8Array) {
  return (packet: Uint8Array): Uint8Array => {
    const obus = splitObus(packet);
    return av1Unit(obus, isAv1Key(obus, sequence) ? header : null);
  };
}

/** Parses an encoder's extradata, which is just a sequence header. */
function headerOf(extradata: Uint8Array) {
  const header = sequenceOf(splitObus(extradata));
  if (!header) throw new RangeError('the encoder has no sequence header');
  return { sequence: parseAv1Sequence(header.obu.payload), bytes: header.obu.bytes };
}

const formatFields = ['profile', 'width', 'height', 'bitDepth', 'monochrome', 'fullRange'] as const;

/** Whether frames of both sequences can be mixed in one stream. */
const fits = (one: Av1Sequence, other: Av1Sequence): boolean =>
  formatFields.every((field) => one[field] === other[field]);

const sameFormat = (one: Av1Sequence, other: Av1Sequence): boolean =>
  fits(one, other) && one.color.every((value, index) => value === other.color[index]);

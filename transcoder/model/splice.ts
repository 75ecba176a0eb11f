import { z } from 'zod';
import { containers } from '../../schema/operations/fields/fields.ts';
import { demuxers } from './demuxers.ts';
import { isMapShape, type MapShape } from './map-shape.ts';

/** Why frames of an encoder of ours cannot stand between copied packets of a source. */
export const unfits = [
  'parameter_sets_unreadable',
  'parameter_sets_in_band',
  'parameter_sets_change',
  'several_sps',
  'profile',
  'interlaced',
  'chroma_format',
  'poc_type',
  'scaling_matrix',
  'lossless',
  'slice_groups',
  'cropped_from_the_left',
  'no_references',
  'no_free_pps_id',
  'several_layers',
  'bit_depth',
  'dolby_vision',
  'timestamps_missing',
] as const;
export type Unfit = (typeof unfits)[number];

/**
 * Where decoding can begin: `closed` with all that follows (an IDR picture, an AV1 or VP9 key frame), `open` with all
 * that follows but the packets that are shown before it (a CRA picture, an IDR picture that may have leading ones).
 */
export type Entry = 'closed' | 'open';

/** The codecs whose packets are copied beside re-encoded frames, as ffmpeg names them. */
export const splicedCodecs = ['h264', 'hevc', 'av1', 'vp9'] as const;
export type SplicedCodec = (typeof splicedCodecs)[number];

export const isSpliced = (name: string): name is SplicedCodec =>
  splicedCodecs.some((codec) => codec === name);

export const ticks = z.number().int();
/** Bytes from the first up to the second, the second not among them. */
export const span = z.tuple([z.number().int(), z.number().int()]);
/** A file of which only what is `present` may be read; all of it where that is null. */
export const source = z.object({
  path: z.string(),
  format: z.enum(demuxers),
  bytes: z.number().int(),
  present: z.array(span).nullable(),
  near: z.number().nullable(),
});

/** Frames that are encoded anew. */
const run = z.object({
  /** A seek to here leads to the entry, or before it. */
  seek: ticks,
  /** Presentation time of the entry, from which so many packets are decoded. */
  entry: ticks,
  packets: z.number().int().min(1),
  /** Presentation times, rising. */
  frames: z.array(ticks).min(1),
});
export type Run = z.output<typeof run>;

/** Packets that are taken over. */
const copy = z.object({
  seek: ticks,
  /**
   * Presentation times in decoding order, beginning with an entry. Packets among them that are shown before it are left
   * out: an open entry's leading pictures.
   */
  frames: z.array(ticks).min(1),
  /** Which of them is the last entry. */
  lastEntry: z.number().int(),
});
export type Copy = z.output<typeof copy>;

/** Frames of an input in the order shown. */
const feed = z.object({
  input: z.number().int(),
  /** Decoding begins at the keyframe at or before it; null for the beginning. */
  seek: ticks.nullable(),
  /** Frames before it are left out; null where any may matter. */
  from: ticks.nullable(),
  /** What is the beginning for the chains. */
  zero: ticks,
});
export type PictureFeed = z.output<typeof feed>;

/** Frames drawn from those of two inputs. */
const drawn = z.object({
  kind: z.literal('drawn'),
  /** The chains call them by `0:` and `1:` and the number that the stream has in its file. */
  feeds: z.tuple([feed, feed]),
  /** The picture that the chains call `2:0`. */
  map: z
    .object({ shape: z.custom<MapShape>(isMapShape), width: z.number().int(), height: z.number().int() })
    .nullable(),
  /** From them to `v`, as ffmpeg spells filters. */
  chains: z.string(),
  /** When each is shown, in ticks of the model, rising. */
  pts: z.array(ticks).min(1),
});
export type Drawn = z.output<typeof drawn>;

const piece = z.discriminatedUnion('kind', [
  /** Frames of a source: rendered, copied, rendered. Without `copy` all of them are in `head`. */
  z.object({
    kind: z.literal('range'),
    input: z.number().int(),
    head: run.nullable(),
    copy: copy.nullable(),
    tail: run.nullable(),
    /** Through which those that are rendered go, at their time in the output; as ffmpeg spells them. */
    filters: z.string().nullable(),
    /** The tick of the input that becomes `at`. */
    zero: ticks,
    /** The first frame is shown at `at`, whenever it was before. */
    pinned: z.boolean(),
    /** Ticks of the model. */
    at: ticks,
  }),
  /** All frames of a file that an earlier step has made; the first of them is shown at `at`. */
  z.object({ kind: z.literal('file'), input: z.number().int(), frames: z.number().int().min(1), at: ticks }),
  drawn,
]);
export type Piece = z.output<typeof piece>;

const input = z.object({ source, stream: z.number().int() });

/** The samples from `start` up to `end` are heard, from 0 on; packets before them let the decoder settle. */
const trimmed = { start: ticks, end: ticks, settle: z.number().int() };

/** Copies a range of sound to a file of its own, m4a. */
export const trim = z.object({ kind: z.literal('trim'), input, file: z.string(), ...trimmed });
export type TrimRequest = z.output<typeof trim>;

/** Captions that a player shows when it is told to. */
const text = z.object({
  codec: z.enum(['mov_text', 'subrip', 'webvtt']),
  /** ISO 639-2. */
  language: z.string(),
  /** Seconds; one after the other. */
  cues: z.array(z.object({ start: z.number(), end: z.number(), text: z.string() })).min(1),
});
export type Text = z.output<typeof text>;

export const splice = z.object({
  kind: z.literal('splice'),
  codec: z.enum(splicedCodecs),
  /** The first is the model of the output: time base, codec parameters, display matrix, colour. */
  inputs: z.array(input).min(1),
  file: z.string(),
  container: z.enum(containers),
  /** In the order of the output. */
  pieces: z.array(piece).min(1),
  /** Ticks of the model that a frame lasts on average. */
  frame: ticks.positive(),
  /** The tick up to which the last frame is shown; null for one frame. */
  until: ticks.nullable(),
  audio: z.object({ input: z.number().int(), ...trimmed }).nullable(),
  text: text.optional(),
  metadata: z.object({ comment: z.string() }).optional(),
});
export type SpliceRequest = z.output<typeof splice>;

/** Whether a packet is flagged as a keyframe, is an entry for the decoder, is hidden by an edit list. */
const surveyedPacket = z.object({
  ...{ pts: ticks, dts: ticks, duration: ticks },
  ...{ key: z.boolean(), entry: z.enum(['closed', 'open']).nullable(), hidden: z.boolean() },
});
export type SurveyedPacket = z.output<typeof surveyedPacket>;

export const surveyed = z.object({
  /** For each range, in decoding order. */
  parts: z.array(z.array(surveyedPacket)),
  /** What the container says of the coding, in base64: streams of which it is the same can follow one another. */
  configuration: z.string(),
  /** How a file has to be encoded to be spliced in; null where nothing can be. */
  fitting: z.object({ profile: z.string().nullable(), params: z.string() }).nullable(),
  /** Why nothing can be spliced into this stream; null where it can. */
  unfit: z.enum(unfits).nullable(),
});
export type Surveyed = z.output<typeof surveyed>;

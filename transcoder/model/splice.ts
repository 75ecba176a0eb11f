import { z } from 'zod';
import { demuxers } from '../../schema/media/demuxers.ts';
import { containers } from '../../schema/operations/fields/fields.ts';
import { isMapShape, type MapShape } from './map-shape.ts';
import { mastering } from './mastering.ts';
import { sentTicks } from './numbers/sent-ticks.ts';
import { surveyedPackets } from './source/surveyed-packets.ts';

/** Why re-encoded frames cannot be spliced between copied packets of a source. */
const unfits = [
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
 * How decoding can begin at a packet: `closed` decodes everything that follows (an IDR picture, an AV1 or VP9 key frame); `open`
 * decodes everything except the leading pictures, which are shown before it (an H.264 recovery point, a CRA picture, an IDR picture
 * that may have them).
 */
export type Entry = 'closed' | 'open';

/** Which field of an interlaced frame is shown first. */
export const fieldOrders = ['top', 'bottom'] as const;
export type FieldOrder = (typeof fieldOrders)[number];

/** Codecs that can be spliced, as ffmpeg names them. */
export const splicedCodecs = ['h264', 'hevc', 'av1', 'vp9'] as const;
export type SplicedCodec = (typeof splicedCodecs)[number];

export const isSpliced = (name: string): name is SplicedCodec =>
  splicedCodecs.some((codec) => codec === name);

export const ticks = z.number().int();
/** A byte range; `to` is exclusive. */
export const span = z.tuple([z.number().int(), z.number().int()]);
/** A file of which only the bytes in `present` may be read; null if it is complete. */
export const source = z.object({
  path: z.string(),
  format: z.enum(demuxers),
  bytes: z.number().int(),
  present: z.array(span).nullable(),
  near: z.number().nullable(),
});

/** Frames to re-encode. */
const run = z.object({
  /** Seek position that leads to the entry, or before it. */
  seek: ticks,
  /** Presentation time of the entry, from which `packets` packets are decoded. */
  entry: ticks,
  packets: z.number().int().min(1),
  /** Presentation times, ascending. */
  frames: z.array(ticks).min(1),
});
export type Run = z.output<typeof run>;

/** Packets to copy. */
const copy = z.object({
  seek: ticks,
  /**
   * Presentation times in decoding order, beginning with an entry. The leading pictures of an open entry, which are shown before
   * it, are left out.
   */
  frames: sentTicks.refine(({ length }) => length > 0),
});
export type Copy = z.output<typeof copy>;

/** Frames of an input in presentation order. */
const feed = z.object({
  input: z.number().int(),
  /** Decoding begins at the keyframe at or before this tick; null for the beginning. */
  seek: ticks.nullable(),
  /** Frames before this tick are dropped; null if any may matter. */
  from: ticks.nullable(),
  /** The tick that the chains see as 0. */
  zero: ticks,
});
export type PictureFeed = z.output<typeof feed>;

/** Frames drawn from two inputs. */
const drawn = z.object({
  kind: z.literal('drawn'),
  /** The chains name them `0:` and `1:` plus the stream's index in its file. */
  feeds: z.tuple([feed, feed]),
  /** The picture that the chains name `2:0`. */
  map: z
    .object({ shape: z.custom<MapShape>(isMapShape), width: z.number().int(), height: z.number().int() })
    .nullable(),
  /** From the feeds to `v`, in ffmpeg's syntax. */
  chains: z.string(),
  /** Presentation time of each frame, in ticks of the model, ascending. */
  pts: z.array(ticks).min(1),
});
export type Drawn = z.output<typeof drawn>;

const piece = z.discriminatedUnion('kind', [
  /** Frames of a source: re-encoded, copied, re-encoded. Without `copy`, all of them are in `head`. */
  z.object({
    kind: z.literal('range'),
    input: z.number().int(),
    head: run.nullable(),
    copy: copy.nullable(),
    tail: run.nullable(),
    /** Filters for re-encoded frames, which see output times; in ffmpeg's syntax. */
    filters: z.string().nullable(),
    /** Tick of the input that becomes `at`. */
    zero: ticks,
    /** Whether the first frame is shown at `at`, regardless of its original time. */
    pinned: z.boolean(),
    /** Ticks of the model. */
    at: ticks,
  }),
  /** All frames of a file from an earlier step; the first one is shown at `at`. */
  z.object({ kind: z.literal('file'), input: z.number().int(), frames: z.number().int().min(1), at: ticks }),
  drawn,
]);
export type Piece = z.output<typeof piece>;

const input = z.object({ source, stream: z.number().int() });

/** Plays the samples from `start` up to `end`, beginning at 0. `settle` is the number of packets before them that prime the decoder. */
const trimmed = {
  start: ticks,
  end: ticks,
  settle: z.number().int(),
  /** Samples per second, if the times above count samples although the input counts otherwise. */
  rate: z.number().int().positive().optional(),
};

/** Language by ISO 639-2. */
const label = z.object({
  language: z.string().nullable(),
  title: z.string().nullable(),
  default: z.boolean(),
});

/** Copies a range of audio to an m4a file of its own. */
export const trim = z.object({
  ...{ kind: z.literal('trim'), input, file: z.string(), ...trimmed },
  label: label.optional(),
});
export type TrimRequest = z.output<typeof trim>;

/** A subtitle track that viewers can switch on. */
const text = z.object({
  codec: z.enum(['mov_text', 'subrip', 'webvtt']),
  /** ISO 639-2. */
  language: z.string(),
  /** Seconds; in order and without overlap. */
  cues: z.array(z.object({ start: z.number(), end: z.number(), text: z.string() })).min(1),
});
export type Text = z.output<typeof text>;

export const splice = z.object({
  kind: z.literal('splice'),
  codec: z.enum(splicedCodecs),
  /** The first one is the model of the output: timebase, codec parameters, display matrix, color. */
  inputs: z.array(input).min(1),
  file: z.string(),
  container: z.enum(containers),
  /** In output order. */
  pieces: z.array(piece).min(1),
  /** Average duration of a frame, in ticks of the model. */
  frame: ticks.positive(),
  /** Tick at which the last frame ends; null for a normal frame duration. */
  until: ticks.nullable(),
  /** Which field is shown first, if re-encoded frames are interlaced. */
  fields: z.enum(fieldOrders).optional(),
  /** Of the model, for re-encoded frames; absent if it states none. */
  mastering: mastering.optional(),
  /** Further clockwise turn of the model's displayed picture, in degrees. */
  rotate: z.union([z.literal(90), z.literal(180), z.literal(270)]).optional(),
  audio: z.object({ input: z.number().int(), ...trimmed }).nullable(),
  text: text.optional(),
  /** Tracks after the first sound, each of a stream of an input: sounds, and then texts. */
  others: z.array(z.object({ input: z.number().int(), ...trimmed, label })).optional(),
  /** In order; seconds. An mp4 has no gaps between them, nor before the first one. */
  chapters: z.array(z.object({ start: z.number(), end: z.number(), title: z.string() })).optional(),
  /** Of the picture and of the sound. */
  labels: z.object({ video: label.nullable(), audio: label.nullable() }).optional(),
  metadata: z.object({ comment: z.string() }).optional(),
  /** Whether a later step copies the file: it then needs no index at its front. */
  between: z.boolean().optional(),
});
export type SpliceRequest = z.output<typeof splice>;

export const surveyed = z.object({
  /** For each range, in decoding order. */
  parts: z.array(surveyedPackets),
  /** Base64 of the container's codec configuration. Streams with equal configurations can follow one another. */
  configuration: z.string(),
  /** How a file must be encoded to be spliced into this stream; null if nothing can be. */
  fitting: z.object({ profile: z.string().nullable(), params: z.string() }).nullable(),
  /** At which frames between its keyframes are encoded about as well as they, on the codec's scale; null if unknown. */
  quantiser: z.number().nullable(),
  /** Why nothing can be spliced into this stream; null if it can. */
  unfit: z.enum(unfits).nullable(),
});
export type Surveyed = z.output<typeof surveyed>;
/** As a worker process sends it. */
export type SurveySent = z.input<typeof surveyed>;

import { z } from 'zod';
import { containers } from '../../../schema/operations/fields/fields.ts';
import { demuxers } from '../../model/demuxers.ts';
import type { MapShape } from '../../model/steps.ts';
import { unfits } from '../bitstream/codec.ts';
import { splicedCodecs } from '../bitstream/codecs.ts';
import { isMapShape } from '../steps/luma-map.ts';

/** Messages between the transcoder and a worker process. All times are ticks of the stream they are about. */

const ticks = z.number().int();
/** Bytes from the first up to the second, the second not among them. */
const span = z.tuple([z.number().int(), z.number().int()]);
/** A file of which only what is `present` may be read; all of it where that is null. */
const source = z.object({
  path: z.string(),
  format: z.enum(demuxers),
  bytes: z.number().int(),
  present: z.array(span).nullable(),
  near: z.number().nullable(),
});

/** What container and streams say of themselves. */
const probe = z.object({ kind: z.literal('probe'), source });
export type ProbeRequest = z.output<typeof probe>;

const stream = z.number().int();
/** Ticks within which a frame is shown after it is decoded, for containers that do not say when that is. */
const slack = ticks;

/** Asks when streams begin and end, by their packets. */
const extents = z.object({ kind: z.literal('extents'), source, streams: z.array(stream).min(1) });
export type ExtentsRequest = z.output<typeof extents>;

/** Lists packets of a stream, from the keyframe before each interval; null for the file's edge. */
const packets = z.object({
  kind: z.literal('packets'),
  ...{ source, stream, slack },
  intervals: z.array(z.tuple([ticks.nullable(), ticks.nullable()])),
});
export type PacketsRequest = z.output<typeof packets>;

/** From where on each tick, and all that is shown behind it, is decoded right. */
const entries = z.object({
  kind: z.literal('entries'),
  ...{ source, stream, slack },
  ticks: z.array(ticks).min(1),
});
export type EntriesRequest = z.output<typeof entries>;

/** Draws the frame of each moment. */
const pictures = z.object({
  kind: z.literal('pictures'),
  ...{ source, stream, slack },
  /** Whether an index leads to the keyframes; else the file is read from its beginning, or for its end from these. */
  indexed: z.boolean(),
  windows: z.array(ticks),
  /** Where nothing is shown then, the first frame is meant. `fromLast` counts from the beginning of the last frame. */
  moments: z.array(z.union([z.object({ at: ticks }), z.object({ fromLast: ticks })])).min(1),
  /** Whether a black frame gives way to the last one before it that is not. */
  skipBlack: z.boolean(),
  drawing: z.object({
    /** Filters, as ffmpeg spells them. */
    chain: z.string(),
    format: z.enum(['jpeg', 'png', 'pam']),
    /** Of jpeg, 1 (best) to 31. */
    quantiser: z.number().int(),
    /** One for each moment. */
    files: z.array(z.string()),
  }),
});
export type PicturesRequest = z.output<typeof pictures>;

/** Lists the packets of a video stream, for each range from the keyframe before it until no frame of it can follow. */
const survey = z.object({
  kind: z.literal('survey'),
  source,
  codec: z.enum(splicedCodecs),
  stream: z.number().int(),
  ranges: z.array(z.tuple([ticks, ticks])).min(1),
});
export type SurveyRequest = z.output<typeof survey>;

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

/** Copies pictures and sound into a container that tells times and keyframes. */
const contain = z.object({ kind: z.literal('contain'), source, file: z.string() });
export type ContainRequest = z.output<typeof contain>;

/** Copies a range of sound to a file of its own, m4a. */
const trim = z.object({ kind: z.literal('trim'), input, file: z.string(), ...trimmed });
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

const splice = z.object({
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

/** Decodes sound, lets it flow through filters and writes what comes out of them. */
const mix = z.object({
  kind: z.literal('mix'),
  feeds: z.array(
    z.union([
      z.object({
        ...{ label: z.string(), source, stream },
        /** Seconds; null for the beginning. */
        seek: z.number().nullable(),
        /** Whether it begins again at its end, for ever. */
        loop: z.boolean(),
        /** The second of the source that is 0 of the result; null for its first one. */
        zero: z.number().nullable(),
      }),
      /** Samples as 32-bit floats. */
      z.object({
        label: z.string(),
        raw: z.string(),
        sampleRate: z.number().int(),
        channels: z.number().int(),
      }),
    ]),
  ),
  /** As ffmpeg spells filters. */
  chains: z.string(),
  outputs: z
    .array(
      z.object({
        ...{ from: z.string(), file: z.string() },
        /** Null for samples as 32-bit floats. */
        encoding: z
          .object({
            ...{ container: z.enum(['m4a', 'ogg']), encoder: z.enum(['aac', 'libopus']) },
            kbps: z.number().nullable(),
          })
          .nullable(),
      }),
    )
    .min(1),
  /** Seconds of the result, for progress. */
  seconds: z.number(),
});
export type MixRequest = z.output<typeof mix>;

/** Parts of a whole, from 0 to 1. */
const share = z.number().min(0).max(1);
const viewed = z.object({
  ...{ source, stream },
  /** The second of the file that players count as 0. */
  origin: z.number(),
  /** What of its upright picture is looked at. */
  region: z.object({ x: share, y: share, width: share, height: share }),
});
/** In seconds from the origin. */
const timeWindow = z.tuple([z.number(), z.number()]);

/** Looks at frames of a file and at those of its source, around each anchor. */
const identify = z.object({
  kind: z.literal('identify'),
  made: viewed,
  from: viewed,
  anchors: z.array(z.object({ made: timeWindow, from: timeWindow })).min(1),
});
export type IdentifyRequest = z.output<typeof identify>;

/** Asks for bytes of a source; `on` where those behind them will be wanted too. */
const rangeWanted = z.object({
  type: z.literal('range'),
  ...{ id: z.number().int(), path: z.string(), wanted: span, on: z.boolean() },
});
export type RangeWanted = z.output<typeof rangeWanted>;

/** The answer to `range`: bytes of the file that are present now, the wanted ones among them. */
export const granted = z.object({ type: z.literal('granted'), id: z.number().int(), span });
export type Granted = z.output<typeof granted>;

export const request = z.discriminatedUnion('kind', [
  probe,
  extents,
  packets,
  entries,
  pictures,
  survey,
  splice,
  trim,
  mix,
  identify,
  contain,
]);
export type Request = z.output<typeof request>;

/** As ffprobe prints it; see probe/ffprobe-schema.ts for what of it is read. */
const properties = z.record(z.string(), z.unknown());
export const printed = z.object({
  format: properties,
  streams: z.array(z.looseObject({ side_data_list: z.array(properties).default([]) })),
});
export type Printed = z.output<typeof printed>;

const extent = z.object({
  /** Of what is presented first. */
  start: ticks,
  /** Of the packet that is presented last. */
  last: ticks,
  /** Of that packet; 0 where unknown. */
  duration: ticks,
  /** Samples at the end of that packet that are not heard. */
  dropped: z.number().int(),
  /** Of a picture without presentation times, ticks by which decoded frames come too late; null for others, and where it was not tried. */
  late: ticks.nullable(),
});
export type Extent = z.output<typeof extent>;

/** Column by column, in decoding order; what an edit list hides is not among it. */
const packetList = z.object({
  pts: z.array(ticks),
  dts: z.array(ticks.nullable()),
  duration: z.array(ticks),
  key: z.array(z.boolean()),
  bytes: z.array(z.number()),
  /** Seconds of a tick. */
  unit: z.number(),
});
export type PacketList = z.output<typeof packetList>;

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

/** A frame, the second at which it is shown, and 16 bits for each cell of its small grey picture in base64. */
const fingerprint = z.object({ time: z.number(), cells: z.string() });
/**
 * Of each anchor the frames of both, in the order shown; without cells where every packet of the result is one of the source:
 * `copied` then tells when those are shown that are the same.
 */
const identified = z.array(
  z.object({
    copied: z.array(z.array(z.number())).nullable(),
    made: z.array(fingerprint),
    from: z.array(fingerprint),
  }),
);
export type Identified = z.output<typeof identified>;

/** The demuxer that opens what was made. */
const containedIn = z.object({ format: z.enum(['mov', 'matroska']) });
export type Contained = z.output<typeof containedIn>;

/** Frames of the picture, or of sound. */
const done = z.object({ frames: z.number().int() });
export type Done = z.output<typeof done>;

export const reply = z.discriminatedUnion('type', [
  /** Sent once, when the libraries are loaded. */
  z.object({ type: z.literal('ready') }),
  rangeWanted,
  z.object({ type: z.literal('progress'), fraction: z.number() }),
  /** Null where the file cannot be opened. */
  z.object({ type: z.literal('probed'), value: printed.nullable() }),
  /** Null where the index of the container tells it, or for a stream without packets. */
  z.object({ type: z.literal('measured'), value: z.array(extent.nullable()).nullable() }),
  z.object({ type: z.literal('listed'), value: packetList }),
  /** Where decoding has to begin for each; null for the beginning. */
  z.object({ type: z.literal('entered'), value: z.array(ticks.nullable()) }),
  /** When each picture is shown; null where the stream shows nothing. */
  z.object({ type: z.literal('drawn'), value: z.array(ticks.nullable()) }),
  z.object({ type: z.literal('surveyed'), value: surveyed }),
  z.object({ type: z.literal('identified'), value: identified }),
  z.object({ type: z.literal('done'), value: done }),
  z.object({ type: z.literal('contained'), value: containedIn }),
  z.object({ type: z.literal('failed'), detail: z.string() }),
]);
export type Reply = z.output<typeof reply>;

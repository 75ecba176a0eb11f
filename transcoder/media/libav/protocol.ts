import { z } from 'zod';
import { source, span, splice, splicedCodecs, surveyed, ticks, trim } from '../../model/splice.ts';

/** Messages between the transcoder and a worker process. All times are ticks of the stream they are about. */

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

/** Copies pictures and sound into a container that tells times and keyframes. */
const contain = z.object({ kind: z.literal('contain'), source, file: z.string() });
export type ContainRequest = z.output<typeof contain>;

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

const times = z.array(ticks.nullable());

/** Each kind of request, and what it is answered with. */
export const requests = {
  /** Null where the file cannot be opened. */
  probe: { request: probe, answer: printed.nullable() },
  /** When each stream begins and ends; null where the index of the container tells it, or for a stream without packets. */
  extents: { request: extents, answer: z.array(extent.nullable()).nullable() },
  packets: { request: packets, answer: packetList },
  /** Where decoding has to begin for each; null for the beginning. */
  entries: { request: entries, answer: times },
  /** When each picture is shown; null where the stream shows nothing. */
  pictures: { request: pictures, answer: times },
  survey: { request: survey, answer: surveyed },
  splice: { request: splice, answer: done },
  trim: { request: trim, answer: done },
  mix: { request: mix, answer: done },
  identify: { request: identify, answer: identified },
  contain: { request: contain, answer: containedIn },
};
type Requests = typeof requests;
export type RequestKind = keyof Requests;
export type RequestOf<K extends RequestKind> = z.output<Requests[K]['request']>;
export type Request = RequestOf<RequestKind>;
export type Answer<K extends RequestKind> = z.output<Requests[K]['answer']>;

export const isKind = (kind: unknown): kind is RequestKind =>
  typeof kind === 'string' && Object.hasOwn(requests, kind);

export const reply = z.discriminatedUnion('type', [
  /** Sent once, when the libraries are loaded. */
  z.object({ type: z.literal('ready') }),
  rangeWanted,
  z.object({ type: z.literal('progress'), fraction: z.number() }),
  /** The value has the form that belongs to the kind of the request. */
  z.object({ type: z.literal('answered'), value: z.unknown() }),
  z.object({ type: z.literal('failed'), detail: z.string() }),
]);
export type Reply = z.output<typeof reply>;

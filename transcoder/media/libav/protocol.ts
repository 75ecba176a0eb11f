import { z } from 'zod';
import { channelLayouts } from '../../model/channel-layouts.ts';
import { source, span, splice, splicedCodecs, surveyed, ticks, trim } from '../../model/splice.ts';

/** Messages between the transcoder and a worker process. Times are in ticks of the stream they refer to. */

/** Probes the container and its streams. */
const probe = z.object({ kind: z.literal('probe'), source });
export type ProbeRequest = z.output<typeof probe>;

/** Decodes the start of a complete file, and what begins at a second or after the keyframe before it; null for the start alone. */
const examine = z.object({ kind: z.literal('examine'), source, from: z.number().nullable() });
export type ExamineRequest = z.output<typeof examine>;

const stream = z.number().int();

/** Reads the cues of text tracks: all of them, or at least those that are shown in some spans, in seconds of the source's clock. */
const cues = z.object({
  kind: z.literal('cues'),
  ...{ source, streams: z.array(stream).min(1) },
  spans: z.array(z.tuple([z.number(), z.number()])).nullable(),
});
export type CuesRequest = z.output<typeof cues>;
/** Largest delay in ticks between decoding and presentation, for containers without decoding times. */
const slack = ticks;

/** Finds the start and end of streams by their packets. */
const extents = z.object({ kind: z.literal('extents'), source, streams: z.array(stream).min(1) });
export type ExtentsRequest = z.output<typeof extents>;

/** Lists packets of a stream, from the keyframe before each interval; null means the start or end of the file. */
const packets = z.object({
  kind: z.literal('packets'),
  ...{ source, stream, slack },
  /** Whether to read from the packets which of them are keyframes. Otherwise the container says so, and their bytes may be missing. */
  parsed: z.boolean().optional(),
  intervals: z.array(z.tuple([ticks.nullable(), ticks.nullable()])),
});
export type PacketsRequest = z.output<typeof packets>;

/** Finds where decoding has to begin to show each tick, and everything after it, correctly. */
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
  /** Whether an index leads to keyframes. Otherwise the file is read from its start or, for its end, from these windows. */
  indexed: z.boolean(),
  windows: z.array(ticks),
  /** Falls back to the first frame if nothing is shown at the moment. `fromLast` counts from the start of the last frame. */
  moments: z.array(z.union([z.object({ at: ticks }), z.object({ fromLast: ticks })])).min(1),
  /** Whether to replace a black frame by the last preceding one that is not black. */
  skipBlack: z.boolean(),
  drawing: z.object({
    /** Filters for frames as they are coded, in ffmpeg's syntax. */
    sized: z.string(),
    /** Filters for the upright frames. */
    chain: z.string(),
    format: z.enum(['jpeg', 'png', 'pam']),
    /** For jpeg, 1 (best) to 31. */
    quantiser: z.number().int(),
    /** One per moment. */
    files: z.array(z.string()),
  }),
});
export type PicturesRequest = z.output<typeof pictures>;

/** Lists packets of a video stream: for each range, from the preceding keyframe until no frame of the range can follow. */
const survey = z.object({
  kind: z.literal('survey'),
  source,
  codec: z.enum(splicedCodecs),
  stream: z.number().int(),
  ranges: z.array(z.tuple([ticks, ticks])).min(1),
});
export type SurveyRequest = z.output<typeof survey>;

/** Remuxes video and audio into a container with timestamps and a keyframe index. */
const contain = z.object({
  kind: z.literal('contain'),
  ...{ source, file: z.string() },
  /** Whether to fail, instead of decoding, if packets do not state when their frames are shown. */
  stated: z.boolean(),
  /** Video stream of which the packets before the first keyframe are left out; null for none. */
  fromKey: stream.nullable(),
  /**
   * Sound to decode: none, tracks whose sample rate or channels change, all tracks if none is seen to change, or that of each recording
   * of a chained Ogg file.
   */
  decoded: z.enum(['none', 'changing', 'all', 'links']),
  /** Bytes to remux; null for all. */
  span: span.nullable(),
});
export type ContainRequest = z.output<typeof contain>;

/** Finds the bytes of a transport stream that hold a range, in seconds from its origin on the clock of its packets. */
const part = z.object({
  kind: z.literal('part'),
  ...{ source, origin: z.number(), start: z.number(), end: z.number() },
});
export type PartRequest = z.output<typeof part>;

/** Fetches what a program that decodes some streams reads of ranges of a source, in seconds of its packets; null for its start and its end. */
const reach = z.object({
  kind: z.literal('reach'),
  ...{ source, streams: z.array(stream) },
  ranges: z.array(z.object({ from: z.number().nullable(), end: z.number().nullable() })).min(1),
});
export type ReachRequest = z.output<typeof reach>;

/**
 * Whether a file has to be rewritten for libav to read it rightly:
 * - a transport stream whose packets are sent twice, or whose program changes its streams;
 * - an AVI of whose sounds libav counts blocks in place of chunks, or whose HEVC is called uncompressed;
 * - a sound whose recorder left its sizes 0;
 * - Vorbis or Speex whose last granule contradicts its packets.
 *
 * Unless `file` is null, writes it: a transport stream with every packet once, one table and each stream under one PID, others with the
 * right headers.
 */
const consistent = z.object({ kind: z.literal('consistent'), source, file: z.string().nullable() });
export type ConsistentRequest = z.output<typeof consistent>;

/** Decodes audio, runs it through filters and writes the outputs. */
const mix = z.object({
  kind: z.literal('mix'),
  feeds: z.array(
    z.union([
      z.object({
        ...{ label: z.string(), source, stream },
        /** Seconds; null for the beginning. */
        seek: z.number().nullable(),
        /** Whether to restart it at its end, endlessly. */
        loop: z.boolean(),
        /** Second of the source that becomes 0 of the result; null for its first one. */
        zero: z.number().nullable(),
      }),
      /** Raw 32-bit float samples. */
      z.object({
        label: z.string(),
        raw: z.string(),
        sampleRate: z.number().int(),
        layout: z.enum(channelLayouts),
      }),
    ]),
  ),
  /** Filters in ffmpeg's syntax. */
  chains: z.string(),
  outputs: z
    .array(
      z.object({
        ...{ from: z.string(), file: z.string() },
        /** Null for raw 32-bit float samples. */
        encoding: z
          .object({
            ...{ container: z.enum(['m4a', 'ogg']), encoder: z.enum(['aac', 'libopus']) },
            kbps: z.number().nullable(),
          })
          .nullable(),
      }),
    )
    .min(1),
  /** Duration of the result in seconds, for progress. */
  seconds: z.number(),
});
export type MixRequest = z.output<typeof mix>;

/** A fraction from 0 to 1. */
const share = z.number().min(0).max(1);
const viewed = z.object({
  ...{ source, stream },
  /** Second of the file that players count as 0. */
  origin: z.number(),
  /** The region of the upright picture to compare. */
  region: z.object({ x: share, y: share, width: share, height: share }),
  /** Filters that turn the upright picture before the region is taken, in ffmpeg's syntax. */
  turn: z.string().nullable(),
  /** The field to compare; null for whole frames. */
  field: z.enum(['top', 'bottom']).nullable(),
});
/** Seconds from the origin. */
const timeWindow = z.tuple([z.number(), z.number()]);

/** Fingerprints frames of a file and of its source around each anchor. */
const identify = z.object({
  kind: z.literal('identify'),
  made: viewed,
  from: viewed,
  anchors: z
    .array(
      z.object({
        made: timeWindow,
        from: timeWindow,
        /** By when the first frame in question is shown. One that is shown since before its window counts, too. */
        shown: z.object({ made: z.number(), from: z.number() }),
      }),
    )
    .min(1),
});
export type IdentifyRequest = z.output<typeof identify>;

/** Compares the packets of pairs of tracks, each an index in the source and one in the copy. */
const compare = z.object({
  ...{ kind: z.literal('compare'), from: source, made: source },
  tracks: z.array(z.tuple([stream, stream])).min(1),
});
export type CompareRequest = z.output<typeof compare>;

/** Requests bytes of a source; `on` if the bytes after them will be needed, too. */
const rangeWanted = z.object({
  type: z.literal('range'),
  ...{ id: z.number().int(), path: z.string(), wanted: span, on: z.boolean().nullable() },
});
export type RangeWanted = z.output<typeof rangeWanted>;

/** The answer to `range`: a span of available bytes that includes the requested ones. */
export const granted = z.object({ type: z.literal('granted'), id: z.number().int(), span });
export type Granted = z.output<typeof granted>;

/** ffprobe's format; probe/ffprobe-schema.ts defines the part that is read. */
const properties = z.record(z.string(), z.unknown());
export const printed = z.object({
  format: properties,
  streams: z.array(z.looseObject({ side_data_list: z.array(properties).default([]) })),
  chapters: z.array(properties).default([]),
  /** Whether a track is encrypted. ffprobe does not say. */
  encrypted: z.boolean().default(false),
});
export type Printed = z.output<typeof printed>;

/** In ffprobe's format, too; `messages` are from libav's log. */
const examined = z.object({
  streams: z.array(properties),
  chapters: z.array(properties),
  frames: z.array(
    z.object({
      stream_index: z.number().int(),
      best_effort_timestamp_time: z.number().optional(),
      duration_time: z.number().optional(),
    }),
  ),
  messages: z.array(z.string()),
});
export type Examined = z.output<typeof examined>;

const cue = z.object({ start: z.number(), end: z.number(), text: z.string() });
/** By stream, in the file's order; times in seconds of the file. Null for a track that is too long. */
const cueLists = z.array(z.array(cue).nullable());
export type Cues = z.output<typeof cueLists>;

const extent = z.object({
  /** Earliest presentation time. */
  start: ticks,
  /** Presentation time of the packet presented last. */
  last: ticks,
  /** Its duration; 0 if unknown. */
  duration: ticks,
  /** Samples dropped from its end. */
  dropped: z.number().int(),
  /** For video without presentation times, the delay of decoded frames in ticks; null otherwise, or if not measured. */
  late: ticks.nullable(),
  /** Whether packets state the time at which they end; `start` and `duration` are corrected accordingly. */
  endsStated: z.boolean(),
  /** Whether packets of the video precede `start` of which nothing can be decoded: the source begins within a group of pictures. */
  withinGroup: z.boolean(),
});
export type Extent = z.output<typeof extent>;

/** Columns, in decoding order; excludes packets hidden by an edit list. */
const packetList = z.object({
  pts: z.array(ticks),
  dts: z.array(ticks.nullable()),
  duration: z.array(ticks),
  key: z.array(z.boolean()),
  bytes: z.array(z.number()),
  /** Duration of a tick in seconds. */
  unit: z.number(),
  /** Whether they are of several recordings, and the clock of each begins again. */
  joined: z.boolean(),
});
export type PacketList = z.output<typeof packetList>;

/** A frame with its presentation time in seconds, and base64 of 16 bits for each cell of its small greyscale picture. */
const fingerprint = z.object({ time: z.number(), cells: z.string() });
/**
 * For each anchor, the frames of both files in presentation order. If every packet of the result also occurs in the source,
 * there are no cells, and `copied` lists the times of the identical source packets.
 */
const identified = z.array(
  z.object({
    copied: z.array(z.array(z.number())).nullable(),
    made: z.array(fingerprint),
    from: z.array(fingerprint),
  }),
);
export type Identified = z.output<typeof identified>;

/** `uncovered` if frames that an edit list of the source hides are shown; `turned` if a picture is displayed turned or mirrored otherwise; `changed` if sound changes its configuration, which the copy states once. */
const compared = z.object({
  problem: z.string().nullable(),
  uncovered: z.boolean(),
  turned: z.boolean(),
  changed: z.boolean(),
});
export type Compared = z.output<typeof compared>;

/** The demuxer for the remuxed file, and how the source codes each sound that was decoded, by its stream in the file. */
const containedIn = z.object({
  format: z.enum(['mov', 'matroska']),
  /** Second of the source that became 0. */
  start: z.number(),
  /** Of a part, the seconds of the source at which its keyframes are shown. */
  keys: z.array(z.number()),
  decoded: z.array(
    z.object({
      index: z.number().int(),
      codec: z.string(),
      profile: z.string().nullable(),
      kbps: z.number().nullable(),
    }),
  ),
});
export type Contained = z.output<typeof containedIn>;

/** Bytes to read: the start of the source, which tells when it begins, and the range; null for the first if the range includes it. */
const foundPart = z.object({ head: span.nullable(), part: span });
export type Part = z.output<typeof foundPart>;

/** Number of video or audio frames. */
const done = z.object({ frames: z.number().int() });
export type Done = z.output<typeof done>;

const times = z.array(ticks.nullable());

/** The request and answer of each kind. */
export const requests = {
  /** Null if the file cannot be opened. */
  probe: { request: probe, answer: printed.nullable() },
  examine: { request: examine, answer: examined },
  /** Start and end of each stream; null if the container's index states them, or for a stream without packets. */
  extents: { request: extents, answer: z.array(extent.nullable()).nullable() },
  packets: { request: packets, answer: packetList },
  /** Where decoding has to begin for each tick; null for the beginning. */
  entries: { request: entries, answer: times },
  /** Presentation time of each picture, null if the stream shows nothing; null for all if the clock of the source begins again. */
  pictures: { request: pictures, answer: times.nullable() },
  survey: { request: survey, answer: surveyed },
  cues: { request: cues, answer: cueLists },
  splice: { request: splice, answer: done },
  trim: { request: trim, answer: done },
  mix: { request: mix, answer: done },
  identify: { request: identify, answer: identified },
  compare: { request: compare, answer: compared },
  consistent: { request: consistent, answer: z.boolean() },
  contain: { request: contain, answer: containedIn },
  part: { request: part, answer: foundPart.nullable() },
  /** False if that is most of the source: then it is not fetched to the end. */
  reach: { request: reach, answer: z.boolean() },
};
type Requests = typeof requests;
export type RequestKind = keyof Requests;
export type RequestOf<K extends RequestKind> = z.output<Requests[K]['request']>;
export type Request = RequestOf<RequestKind>;
export type Answer<K extends RequestKind> = z.output<Requests[K]['answer']>;
/** An answer as a worker process sends it. */
export type Sent<K extends RequestKind> = z.input<Requests[K]['answer']>;

export const isKind = (kind: unknown): kind is RequestKind =>
  typeof kind === 'string' && Object.hasOwn(requests, kind);

export const reply = z.discriminatedUnion('type', [
  /** Sent once, when the libraries are loaded. */
  z.object({ type: z.literal('ready') }),
  rangeWanted,
  z.object({ type: z.literal('progress'), fraction: z.number() }),
  /** Work goes on, though the result has not grown. */
  z.object({ type: z.literal('working') }),
  /** The schema of the value depends on the kind of the request. */
  z.object({ type: z.literal('answered'), value: z.unknown() }),
  z.object({ type: z.literal('failed'), detail: z.string() }),
]);
export type Reply = z.output<typeof reply>;

import { z } from 'zod';
import { demuxers } from '../../demuxers.ts';
import { unfits } from '../bitstream/h264-splice.ts';

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
});

/** Lists the packets of a video stream from the keyframe before `from` until no frame before `to` can follow. */
const survey = z.object({
  kind: z.literal('survey'),
  source,
  stream: z.number().int(),
  from: ticks,
  to: ticks,
});
export type SurveyRequest = z.output<typeof survey>;

/** Frames that are encoded anew, by their presentation times, rising; decoded from and up to these decoding times. */
const run = z.object({ decodeFrom: ticks, decodeTo: ticks, frames: z.array(ticks).min(1) });
export type Run = z.output<typeof run>;

const cut = z.object({
  kind: z.literal('cut'),
  source,
  file: z.string(),
  container: z.enum(['mp4', 'mov']),
  video: z.object({
    stream: z.number().int(),
    /** Rendered before what is copied. */
    head: run.nullable(),
    /**
     * Decoding times of the first and the last packet copied, the presentation times of all as they follow, and which
     * of them is the last IDR picture.
     */
    copy: z.object({ first: ticks, last: ticks, frames: z.array(ticks).min(1), lastIdr: z.number().int() }),
    /** Rendered behind what is copied. */
    tail: run.nullable(),
    /** The tick of the source that becomes 0. */
    zero: ticks,
    /** Ticks that a frame lasts on average. */
    frame: ticks.positive(),
    preset: z.enum(['ultrafast', 'superfast', 'veryfast']),
    crf: z.number(),
  }),
  audio: z
    .object({
      stream: z.number().int(),
      /** The samples from here up to there are heard; packets before them let the decoder settle. */
      start: ticks,
      end: ticks,
      settle: z.number().int(),
    })
    .nullable(),
});
export type CutRequest = z.output<typeof cut>;

/** Asks for bytes of a source; `on` where those behind them will be wanted too. */
const rangeWanted = z.object({
  type: z.literal('range'),
  ...{ id: z.number().int(), path: z.string(), wanted: span, on: z.boolean() },
});
export type RangeWanted = z.output<typeof rangeWanted>;

/** The answer to `range`: bytes of the file that are present now, the wanted ones among them. */
export const granted = z.object({ type: z.literal('granted'), id: z.number().int(), span });
export type Granted = z.output<typeof granted>;

export const request = z.discriminatedUnion('kind', [survey, cut]);
export type Request = z.output<typeof request>;

/** Decoding order; whether a packet is flagged as a keyframe, holds an IDR picture, is hidden by an edit list. */
export const surveyed = z.object({
  packets: z.array(
    z.object({
      ...{ pts: ticks, dts: ticks, duration: ticks },
      ...{ key: z.boolean(), idr: z.boolean(), hidden: z.boolean() },
    }),
  ),
  /** Why nothing can be spliced into this stream; null where it can. */
  unfit: z.enum(unfits).nullable(),
});
export type Surveyed = z.output<typeof surveyed>;

const done = z.object({ frames: z.number().int() });
export type Done = z.output<typeof done>;

export const reply = z.discriminatedUnion('type', [
  /** Sent once, when the libraries are loaded. */
  z.object({ type: z.literal('ready') }),
  rangeWanted,
  z.object({ type: z.literal('progress'), fraction: z.number() }),
  z.object({ type: z.literal('surveyed'), value: surveyed }),
  z.object({ type: z.literal('done'), value: done }),
  z.object({ type: z.literal('failed'), detail: z.string() }),
]);
export type Reply = z.output<typeof reply>;

import { AV_CODEC_ID_AAC, AV_CODEC_ID_AC3, AV_CODEC_ID_MP3 } from 'node-av/constants';
import { mostBytes } from '../../../../bitstream/mp4/write-tables.ts';
import type { SpliceRequest } from '../../../../model/splice.ts';
import type { Timeline } from '../output-timeline.ts';
import type { Reader } from '../read/reader.ts';
import { INTERLEAVED, type Planned } from './layout.ts';

/** What is in an index besides its tables of samples: descriptions, edit lists and tags, once and for each track. */
const REST = 4096;
/** Of a sample: its size, and a duration of its own. */
const SAMPLE = 4 + 8;
/** Of a chunk: its position, and a number of samples of its own. */
const CHUNK = 8 + 12;

/** Codecs with a fixed number of samples in a packet. */
const counted: readonly number[] = [AV_CODEC_ID_AAC, AV_CODEC_ID_AC3, AV_CODEC_ID_MP3];

/** Largest share of a file that may be reserved: what the index does not need stays empty. */
const MOST = 0.005;

interface Contents {
  /** The input that the timeline's time base is of. */
  model: Pick<Reader, 'timeBase' | 'bytesPerSecond'>;
  timeline: Timeline;
  extradata: Uint8Array;
  /** Sounds and texts that are copied. */
  copied: Planned['others'];
}

/**
 * Most bytes of the index that libav's muxer writes for an mp4 if each sound follows the picture by at most INTERLEAVED. With so much
 * space in front, the file need not be copied once more to put the index there. Null if they cannot be foreseen, or are too many.
 */
export function mostIndexBytes(
  { container, text, between, chapters = [], others = [], metadata, labels }: SpliceRequest,
  { model, timeline, extradata, copied }: Contents,
): number | null {
  if (container !== 'mp4' && container !== 'mov') return null;
  if (text || between || chapters.length > 0) return null;
  if (!copied.every(({ stream }) => counted.includes(stream.codecpar.codecId))) return null;
  const { pts, dts } = timeline;
  const { num, den } = model.timeBase;
  const seconds = (((dts.at(-1) ?? 0) - (dts[0] ?? 0)) * num) / den;
  const turns = Math.ceil(seconds / INTERLEAVED) + 2;
  const heard = copied.reduce((sum, { track }) => sum + SAMPLE * track.mostPackets + CHUNK * turns, 0);
  const said = 4 * JSON.stringify([metadata, labels, others.map(({ label }) => label)]).length;
  const rest = REST * (2 + copied.length) + extradata.length + said;
  const bytes = mostBytes(timeline, pts.length, pts.length) + heard + rest;
  return bytes <= MOST * model.bytesPerSecond * seconds ? bytes : null;
}

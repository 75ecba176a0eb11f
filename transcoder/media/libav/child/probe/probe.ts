import {
  AV_CODEC_ID_AAC,
  AV_CODEC_ID_ALAC,
  AV_CODEC_ID_H264,
  AV_CODEC_ID_SPEEX,
  AV_CODEC_ID_VP9,
  AV_FRAME_DATA_CONTENT_LIGHT_LEVEL,
  AV_FRAME_DATA_MASTERING_DISPLAY_METADATA,
  AV_NOPTS_VALUE,
  AV_PKT_DATA_CONTENT_LIGHT_LEVEL,
  AV_PKT_DATA_MASTERING_DISPLAY_METADATA,
  AVCOL_TRC_ARIB_STD_B67,
  AVCOL_TRC_SMPTE2084,
  AVMEDIA_TYPE_VIDEO,
} from 'node-av/constants';
import type { FormatContext, Frame, Stream } from 'node-av/lib';
import type { Demuxer } from '../../../../../schema/media/demuxers.ts';
import { fieldsIn, framesOnly } from '../../../../bitstream/h264-fields.ts';
import { isVp9Unseen } from '../../../../bitstream/vp9-frames.ts';
import { needsVersion, PROFILE_444 } from '../../../../bitstream/x264-version.ts';
import type { SourceParts } from '../../../../model/source/media-source.ts';
import { isInterlaced } from '../../../../model/source/video-stream.ts';
import type { Printed, ProbeRequest } from '../../protocol.ts';
import { Decoder } from '../av.ts';
import { trackHeaders } from '../mp4/track-headers.ts';
import { openInput, Unreadable } from '../read/input.ts';
import { startsLate } from '../read/late-start.ts';
import { isChained } from '../read/ogg-links.ts';
import { isVideo, Reader } from '../read/reader.ts';
import { isJoined } from '../read/recordings-of.ts';
import { contentLight, masteringDisplay } from '../read/side-data.ts';
import { keyFlagsOf } from '../remux/key-flags.ts';
import { printedChapters } from './chapters.ts';
import { isEncrypted } from './encryption.ts';
import { trueRate } from './false-rate.ts';
import { type Properties, printedFormat, printedStream } from './probe-output.ts';
import { startsOf } from './stream-starts.ts';
import { isReorderedUnstated } from './unstated-order.ts';
import { hasUnsteadySound } from './unsteady-sound.ts';
import { isMiscounted } from './wav-header.ts';

/** Container and streams in ffprobe's format. For HDR, includes the side data of the first frame. */
export async function probe({ source }: ProbeRequest): Promise<Printed | null> {
  let input: FormatContext;
  try {
    input = await openInput(source, []);
  } catch (error) {
    if (error instanceof Unreadable) return null;
    throw error;
  }
  try {
    const headers = await trackHeaders(source);
    const pictured = input.streams.some(isVideo);
    const linked = source.format === 'ogg' && (await isChained(source));
    const chained = linked && !pictured;
    const joined = linked ? pictured : await isJoined(source);
    const miscounted = await isMiscounted(source);
    const streams: Printed['streams'] = [];
    for (const stream of input.streams) {
      const first = lacksMastering(stream) ? await ofFirstFrame(source, stream.index) : [];
      const version = mayNeedVersion(stream) && (await needsVersionOf(source, stream.index));
      const coded = stream.codecpar.codecId === AV_CODEC_ID_H264;
      const fields = coded ? await codedFields(source, stream) : null;
      const reordered = await isReorderedUnstated(source, stream);
      const untimed = mayBeUntimed(source, stream) && (await isUntimed(source, stream.index));
      const unsteady = await hasUnsteadySound(source, stream);
      const unseen = mayHoldUnseen(source, stream) && (await holdsUnseen(source, stream.index));
      const early = mayBeginEarly(source, stream) && (await beginsEarly(source, stream));
      const sync = headers?.firstSync.get(stream.id) ?? null;
      const misflagged =
        sync === null && mayBeMisflagged(source, stream) && (await isMisflagged(source, stream));
      const within = sync !== null && sync > 1 ? await shownFrom(source, stream) : null;
      const edits = headers?.edits.get(stream.id) ?? null;
      const length = headers?.lengths.get(stream.id) ?? null;
      const rate = await trueRate(source, stream);
      const described = { ...printedStream(stream, first, edits?.shown ?? null, length), ...within };
      streams.push({
        ...described,
        ...(rate ? { avg_frame_rate: rate, r_frame_rate: rate, false_rate: true } : {}),
        ...(fields && !isInterlaced(described.field_order) ? { field_order: fields.order } : {}),
        ...(reordered ? { has_b_frames: 1 } : {}),
        ...(version ? { needs_version: true } : {}),
        ...(fields?.single ? { single_fields: true } : {}),
        ...(untimed ? { untimed: true } : {}),
        ...(chained || (!pictured && (await startsLate(source, stream))) ? { chained: true } : {}),
        ...(joined ? { joined: true } : {}),
        ...(miscounted ? { miscounted: true } : {}),
        ...(statesPriming(source, stream) ? { primed: true } : {}),
        ...(unsteady ? { unsteady: true } : {}),
        ...(isUnframed(source, stream) ? { unframed: true } : {}),
        ...(unseen ? { unseen_packets: true } : {}),
        ...(misflagged ? { misflagged: true } : {}),
        ...(headers?.redescribed.has(stream.id) ? { redescribed: true } : {}),
        ...(early ? { begins_early: true } : {}),
        ...(edits?.inPieces ? { in_pieces: true } : {}),
        ...(edits && edits.rate !== null ? { edit_rate: edits.rate } : {}),
        ...(headers?.empty.has(stream.id) ? { empty: true } : {}),
      });
    }
    const chapters = await printedChapters(input);
    return {
      format: printedFormat(input),
      streams,
      chapters,
      encrypted: await isEncrypted(source, input, headers),
    };
  } finally {
    await input.closeInput();
  }
}

/** The span that a stream shows if nothing is shown before a keyframe within it; null if it shows something from the first packet on. */
async function shownFrom(
  source: SourceParts,
  { index, startTime, duration, timeBase }: Stream,
): Promise<Properties | null> {
  const [start] = await startsOf({ kind: 'extents', source, streams: [index] });
  if (!start?.withinGroup) return null;
  const { num, den } = timeBase;
  const end = Number(startTime + duration);
  return {
    within_group: true,
    start_time: String((start.tick * num) / den),
    duration: String(((end - start.tick) * num) / den),
    nb_frames: undefined,
  };
}

/** Whether samples at the beginning are to be left out by what a Core Audio file states of its packets. */
const statesPriming = ({ format }: SourceParts, { codecpar: { initialPadding } }: Stream) =>
  format === 'caf' && initialPadding > 0;

/** Whether nothing says where frames begin: WAV has no packets, and AAC that is configured aside no headers. Nor has Speex. */
const isUnframed = ({ format }: SourceParts, { codecpar: { codecId, extradata } }: Stream) =>
  format === 'wav' &&
  (codecId === AV_CODEC_ID_SPEEX || (codecId === AV_CODEC_ID_AAC && (extradata?.length ?? 0) > 0));

/** The length of most codecs' frames is known to libav. */
const mayBeUntimed = ({ format }: SourceParts, { codecpar: { codecId } }: Stream) =>
  format === 'matroska' && codecId === AV_CODEC_ID_ALAC;

/** Whether the second packet has no time: it lies in a block with the first. */
async function isUntimed(source: SourceParts, stream: number): Promise<boolean> {
  const reader = await Reader.ofPackets({ source, stream });
  try {
    await reader.next();
    const packet = await reader.next();
    return packet !== null && packet.pts === AV_NOPTS_VALUE;
  } finally {
    await reader.close();
  }
}

const mayBeginEarly = ({ format }: SourceParts, { codecpar: { codecType } }: Stream) =>
  format === 'matroska' && codecType === AVMEDIA_TYPE_VIDEO;

/** Whether the first frame lies before 0, where libav cannot seek. Of frames that follow a cluster at 0, it does not read the time. */
async function beginsEarly(source: SourceParts, { index, startTime }: Stream): Promise<boolean> {
  if (startTime !== AV_NOPTS_VALUE && startTime < 0n) return true;
  const reader = await Reader.ofPackets({ source, stream: index });
  try {
    return (await reader.next())?.pts === AV_NOPTS_VALUE;
  } finally {
    await reader.close();
  }
}

const mayHoldUnseen = ({ format }: SourceParts, { codecpar: { codecId } }: Stream) =>
  format === 'matroska' && codecId === AV_CODEC_ID_VP9;

/** Packets among which the first frame is that others refer to; encoders write one behind the first keyframe. */
const FIRST_GROUP = 8;

/** Whether frames that are not shown have packets of their own. */
async function holdsUnseen(source: SourceParts, stream: number): Promise<boolean> {
  const reader = await Reader.ofPackets({ source, stream });
  try {
    for (let count = 0; count < FIRST_GROUP; count++) {
      const packet = await reader.next();
      if (!packet) return false;
      if (isVp9Unseen(packet.data ?? new Uint8Array())) return true;
    }
    return false;
  } finally {
    await reader.close();
  }
}

/** Containers that state which packets are keyframes. Of an AVI without its index, libav takes every packet for one. */
const flagging: readonly Demuxer[] = ['mov', 'matroska', 'avi'];

const mayBeMisflagged = ({ format }: SourceParts, { codecpar: { codecType } }: Stream) =>
  codecType === AVMEDIA_TYPE_VIDEO && flagging.includes(format);

/** Whether the container flags every packet as a keyframe, or none, though the codec says otherwise of the first two. */
async function isMisflagged(source: SourceParts, stream: Stream): Promise<boolean> {
  const flags = keyFlagsOf(stream);
  if (!flags) return false;
  const reader = await Reader.unparsed({ source, stream: stream.index });
  try {
    const first = await reader.next();
    if (!first) return false;
    if (!first.isKeyframe) return flags.isOne(first);
    const second = await reader.next();
    return second?.isKeyframe === true && flags.isNone(second);
  } finally {
    await reader.close();
  }
}

const mayNeedVersion = ({ codecpar: { codecId, profile } }: Stream) =>
  codecId === AV_CODEC_ID_H264 && (profile as number) === PROFILE_444;

async function needsVersionOf(source: SourceParts, stream: number): Promise<boolean> {
  const reader = await Reader.ofPackets({ source, stream });
  try {
    return needsVersion((await reader.next())?.data ?? new Uint8Array());
  } finally {
    await reader.close();
  }
}

/** Packets in which to look for fields; encoders choose between fields and frames for each picture. */
const FIRST_PACKETS = 64;

/** How a stream codes fields as pictures of their own, which libav does not see if both are in one packet; null if it does not. */
async function codedFields(
  source: SourceParts,
  { index, codecpar }: Stream,
): Promise<{ order: string; single: boolean } | null> {
  const extradata = Uint8Array.from(codecpar.extradata ?? []);
  if (framesOnly(extradata)) return null;
  const fieldsOf = fieldsIn(extradata);
  const reader = await Reader.ofPackets({ source, stream: index });
  try {
    for (let count = 0; count < FIRST_PACKETS; count++) {
      const packet = await reader.next();
      if (!packet) return null;
      const fields = fieldsOf(packet.data ?? new Uint8Array());
      const [first] = fields;
      if (first) return { order: first === 'top' ? 'tt' : 'bb', single: fields.length === 1 };
    }
    return null;
  } finally {
    await reader.close();
  }
}

function lacksMastering({ codecpar }: Stream): boolean {
  const hdr = codecpar.colorTrc === AVCOL_TRC_SMPTE2084 || codecpar.colorTrc === AVCOL_TRC_ARIB_STD_B67;
  const kinds = [AV_PKT_DATA_MASTERING_DISPLAY_METADATA, AV_PKT_DATA_CONTENT_LIGHT_LEVEL];
  return hdr && kinds.every((kind) => codecpar.getCodedSideData(kind) === null);
}

async function ofFirstFrame(source: SourceParts, stream: number): Promise<Properties[]> {
  const reader = await Reader.ofPackets({ source, stream });
  const decoder = await Decoder.open(reader.stream);
  try {
    let found: Properties[] | null = null;
    while (!found) {
      const packet = await reader.next();
      await decoder.send(packet, async (frame) => {
        found ??= sideDataOf(frame);
      });
      if (!packet) break;
    }
    return found ?? [];
  } finally {
    decoder.close();
    await reader.close();
  }
}

function sideDataOf(frame: Frame): Properties[] {
  const [display, light] = [
    frame.getSideData(AV_FRAME_DATA_MASTERING_DISPLAY_METADATA),
    frame.getSideData(AV_FRAME_DATA_CONTENT_LIGHT_LEVEL),
  ];
  return [...(display ? [masteringDisplay(display)] : []), ...(light ? [contentLight(light)] : [])];
}

import {
  AVDISCARD_ALL,
  AVERROR_EOF,
  AVFMT_FLAG_NOFILLIN,
  AVFMT_FLAG_NOPARSE,
  AVMEDIA_TYPE_AUDIO,
  AVMEDIA_TYPE_VIDEO,
  AVSEEK_FLAG_BACKWARD,
  AVSEEK_FLAG_BYTE,
} from 'node-av/constants';
import { Dictionary, FFmpegError, FormatContext, InputFormat, type Packet, type Stream } from 'node-av/lib';
import { MAX_PIXELS, MAX_STREAMS } from '../../../../../schema/api/plans.ts';
import type { Demuxer } from '../../../../../schema/media/demuxers.ts';
import type { SourceFile, SourceParts } from '../../../../model/source/media-source.ts';
import { atWork } from '../at-work.ts';
import { checked } from '../av.ts';
import { describe } from '../probe/codec-parameters.ts';
import { isUnheard, learnSound } from './learn-sound.ts';
import { preferOwnSound } from './own-sound.ts';
import { type Hidden, SparseInput } from './sparse-input.ts';

/** The demuxer chosen for a file does not recognize it. */
export class Unreadable extends Error {}

/**
 * Opens a source with the one demuxer chosen for it, and reads packets of the `wanted` streams only. If the header does not
 * describe all streams, packets are read to complete them.
 */
export async function openInput(source: SourceParts, wanted: readonly number[]): Promise<FormatContext> {
  const input = source.present === null ? new FormatContext() : new SparseInput(source);
  await open(input, source);
  if (!(await isDescribed(input, source)) && !(await learnNear(input, source))) {
    await input.closeInput();
    return openInput({ ...source, near: null }, wanted);
  }
  discard(input, wanted);
  if (input instanceof SparseInput) input.goesOn = true;
  return input;
}

const isDescribed = async (input: FormatContext, { format }: SourceFile) =>
  format === 'mov' && (await describe(input.streams));

/** Reads packets where the job will read anyway. @returns whether they described every stream. */
async function learnNear(input: FormatContext, { format, near }: SourceParts): Promise<boolean> {
  const away = format === 'mov' && near !== null && (await goTo(input, near));
  if (input instanceof SparseInput) input.goesOn = away;
  await learn(input);
  return !away || (input.streams.every(isKnown) && (await goTo(input, EARLIEST)));
}

/** Containers whose header is enough to open a decoder. */
const described: readonly Demuxer[] = ['mov', 'matroska'];

/** For packets and decoding only: reads nothing to learn more about the streams. */
export async function openPackets(source: SourceParts, wanted: readonly number[]): Promise<FormatContext> {
  if (!described.includes(source.format)) return openInput(source, wanted);
  const input = source.present === null ? new FormatContext() : new SparseInput(source);
  await open(input, source);
  // Otherwise a parser confirms the index's keyframes by their bytes, which may be missing.
  if (source.format === 'mov') input.setFlags(AVFMT_FLAG_NOPARSE, AVFMT_FLAG_NOFILLIN);
  discard(input, wanted);
  if (input instanceof SparseInput) input.goesOn = true;
  return input;
}

/** For packets as their container holds them. Otherwise a parser sets their flags by their bytes, though seeks go by the container's. */
export async function openUnparsed(source: SourceParts, wanted: readonly number[]): Promise<FormatContext> {
  const input = await openPackets(source, wanted);
  input.setFlags(AVFMT_FLAG_NOPARSE, AVFMT_FLAG_NOFILLIN);
  return input;
}

/** For the end of a source: skips the bytes between its header and one of its last units. */
export async function openHiding(
  source: SourceParts,
  hidden: Hidden,
  wanted: readonly number[],
): Promise<FormatContext> {
  const input = new SparseInput(source, hidden);
  await open(input, source);
  input.goesOn = true;
  await learn(input);
  discard(input, wanted);
  return input;
}

/** As `openInput`, for a complete local file. */
export async function openFile(file: SourceFile, wanted: readonly number[]): Promise<FormatContext> {
  const input = new FormatContext();
  await open(input, file);
  if (!(await isDescribed(input, file))) await learn(input);
  discard(input, wanted);
  return input;
}

/** Lets the demuxer choose the stream to seek by; times are in microseconds. */
const ANY = -1;
const MICROS = 1e6;
/** Earlier than every time of a file, in seconds. */
const EARLIEST = -1e9;

/** @returns whether the demuxer can seek there. */
export async function goTo(input: FormatContext, seconds: number): Promise<boolean> {
  return (await input.seekFrame(ANY, BigInt(Math.round(seconds * MICROS)), AVSEEK_FLAG_BACKWARD)) >= 0;
}

/** Seeks to a byte position. */
export async function goToByte(input: FormatContext, at: number): Promise<boolean> {
  return (await input.seekFrame(ANY, BigInt(at), AVSEEK_FLAG_BYTE)) >= 0;
}

async function open(input: FormatContext, { path, format }: SourceFile): Promise<void> {
  const options = Dictionary.fromObject({
    ...{ protocol_whitelist: 'file', format_whitelist: format, max_streams: MAX_STREAMS },
  });
  const url = input instanceof SparseInput ? '' : `file:${path}`;
  const code = await input.openInput(url, InputFormat.findInputFormat(format), options);
  if (code >= 0) return;
  if (input instanceof SparseInput) await input.closeInput();
  throw new Unreadable(FFmpegError.strerror(code) ?? '');
}

/** Completes the stream information that the header lacks. */
async function learn(input: FormatContext): Promise<void> {
  // libav decodes here, and node-av offers no way to limit the picture size.
  const huge = input.streams.some(({ codecpar: { width, height } }) => width * height > MAX_PIXELS);
  if (huge) {
    await input.closeInput();
    throw new Unreadable('the picture is too large');
  }
  checked(await input.findStreamInfo(), 'find streams');
  if (input.streams.some(isUnheard)) {
    await learnSound(input);
    await goToByte(input, 0);
    // libav counts the times within a PES packet by the rate that it knew when it last looked.
    checked(await input.findStreamInfo(), 'find streams');
  }
  preferOwnSound(input);
}

function discard(input: FormatContext, wanted: readonly number[]): void {
  for (const stream of input.streams) {
    if (!wanted.includes(stream.index)) stream.discard = AVDISCARD_ALL;
  }
}

function isKnown({ codecpar }: Stream): boolean {
  const { codecType, format } = codecpar;
  return format >= 0 || (codecType !== AVMEDIA_TYPE_VIDEO && codecType !== AVMEDIA_TYPE_AUDIO);
}

/** Seeks to the last keyframe at or before a tick of a stream; to the first keyframe if there is none. */
export async function seek(input: FormatContext, stream: number, tick: number): Promise<void> {
  if (await trySeek(input, stream, tick)) return;
  checked(await input.seekFrame(stream, BigInt(tick)), 'seek');
}

/** @returns whether the demuxer could. */
export async function trySeek(input: FormatContext, stream: number, tick: number): Promise<boolean> {
  return (await input.seekFrame(stream, BigInt(tick), AVSEEK_FLAG_BACKWARD)) >= 0;
}

/** @returns whether there was another packet. */
export function readPacket(input: FormatContext, packet: Packet): boolean | Promise<boolean> {
  return input instanceof SparseInput
    ? input.readFrame(packet).then(isRead)
    : isRead(input.readFrameSync(packet));
}

function isRead(result: number): boolean {
  if (result === AVERROR_EOF) return false;
  checked(result, 'read');
  atWork();
  return true;
}

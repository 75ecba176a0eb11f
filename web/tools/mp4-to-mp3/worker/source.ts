import {
  ALL_FORMATS,
  BlobSource,
  EncodedPacketSink,
  Input,
  type InputAudioTrack,
  MP3,
  MP4,
  QTFF,
  UnsupportedInputFormatError,
} from 'mediabunny';
import { codecName, type Failure, ToolError } from '../failures.ts';
import { readMp3Frame } from '../sound/mp3-frame.ts';
import { isCutOffMp4 } from '../sound/mp4-index.ts';

/** A file that ends this much before its tables say is reported as cut off, in seconds. */
const WORTH_SAYING = 0.5;
/** Bytes of a file that are kept in memory. */
const CACHE = 4 * 2 ** 20;

export interface Source {
  input: Input;
  tracks: InputAudioTrack[];
  /** The timestamp that players show as 0:00. */
  origin: number;
}

/** @throws ToolError if nothing can be made of the file */
export async function openSource(file: File): Promise<Source> {
  if (file.size === 0) throw new ToolError({ code: 'empty' });
  const input = new Input({ source: new BlobSource(file, { maxCacheSize: CACHE }), formats: ALL_FORMATS });
  try {
    if ((await input.getFormat()) === MP3) throw new ToolError({ code: 'already_mp3' });
    const tracks = await input.getAudioTracks();
    if (tracks.length === 0) throw new ToolError({ code: (await isCutOff(file)) ? 'cut_off' : 'no_sound' });
    return { input, tracks, origin: Math.max(await input.getFirstTimestamp(), 0) };
  } catch (error) {
    input.dispose();
    throw await explained(error, file);
  }
}

/** Why a track cannot become an MP3; null if it can. */
export async function trackFailure(track: InputAudioTrack): Promise<Failure | null> {
  const codec = await track.getCodec();
  const inFile = await track.getInternalCodecId();
  if (inFile === 'enca') return { code: 'protected' };
  if (codec === 'mp3' && !(await isLayer3(track))) return { code: 'undecodable', codec: 'MPEG layer II' };
  if (codec === null) return { code: 'unknown_codec', codec: codecName(codec, inFile) };
  if (await track.canDecode()) return null;
  if (typeof AudioDecoder === 'undefined') return { code: 'no_webcodecs' };
  return { code: 'undecodable', codec: codecName(codec, inFile) };
}

/** Containers name all layers of MPEG audio alike, and the library all of them MP3. */
export async function isLayer3(track: InputAudioTrack): Promise<boolean> {
  const first = await new EncodedPacketSink(track).getFirstPacket();
  return first === null || readMp3Frame(first.data) !== null;
}

/**
 * Seconds that a file lacks of a track that should last until `end`. Outside MP4 only the end of the whole file is stated, before which
 * its sound may well end.
 */
export async function secondsMissing({ input }: Source, end: number, lost: number): Promise<number> {
  if (lost <= WORTH_SAYING) return 0;
  if (await isMp4(input)) return lost;
  return end - (await input.computeDuration()) > WORTH_SAYING ? lost : 0;
}

const isMp4 = async (input: Input): Promise<boolean> => [MP4, QTFF].includes(await input.getFormat());

/** The timestamp at which the last of these tracks ends. */
export async function endOf({ input, origin }: Source, tracks: InputAudioTrack[]): Promise<number> {
  const promised = (await isMp4(input))
    ? null
    : await input.getDurationFromMetadata(tracks).catch(() => null);
  return Math.max(promised ?? (await input.computeDuration(tracks)), origin);
}

async function explained(error: unknown, file: File): Promise<unknown> {
  if (error instanceof ToolError || isUnreadable(error)) return error;
  const isUnknown = error instanceof UnsupportedInputFormatError && !(await isCutOff(file));
  return new ToolError({ code: isUnknown ? 'not_media' : 'cut_off' });
}

const isCutOff = (file: File) =>
  isCutOffMp4(file.size, async (start, end) => new Uint8Array(await file.slice(start, end).arrayBuffer()));

/** The browser says so of files that were moved, changed or taken away with their disk. */
export const isUnreadable = (error: unknown) =>
  error instanceof DOMException && ['NotReadableError', 'NotFoundError'].includes(error.name);

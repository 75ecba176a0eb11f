import { rm } from 'node:fs/promises';
import {
  AV_CODEC_ID_AV1,
  AV_CODEC_ID_FLAC,
  AV_CODEC_ID_H264,
  AV_CODEC_ID_VP8,
  AV_CODEC_ID_VP9,
} from 'node-av/constants';
import type { FormatContext, Stream } from 'node-av/lib';
import type { SourceParts } from '../../../../model/source/media-source.ts';
import { streamOf } from '../av.ts';
import { openInput } from '../read/input.ts';
import { linksOf } from '../read/ogg-links.ts';
import { isVideo } from '../read/reader.ts';
import { recordingsOf } from '../read/recordings-of.ts';
import { NotAsStated } from './not-as-stated.ts';
import { partFile } from './part-files.ts';

/** A part of a source that libav reads rightly by itself. */
interface Recording {
  input: FormatContext;
  /** Its number; null if clocks alone tell where another one begins. */
  number: number | null;
  /** Byte of the source at which it begins. */
  from: number;
}

/**
 * The recordings of a source, one after another, each open until the next one: the source itself, or the files that were joined byte by
 * byte. Throws NotAsStated if one of them does not go on with the same streams.
 * @param wanted Indices of streams.
 * @param whole The source, of which nothing has been read.
 * @param result Path of the result; a file with another ending is made there, and removed.
 */
export async function* recordingsIn(
  source: SourceParts,
  wanted: readonly number[],
  { whole, result }: { whole: FormatContext; result: string },
): AsyncGenerator<Recording> {
  // Links of sound alone are decoded, and need not have one setup.
  const linked = source.format === 'ogg' && whole.streams.some(isVideo);
  // All of the source is read here anyway.
  const spans = linked ? await linksOf(source) : await recordingsOf(source, true);
  if (spans.length < 2) return yield { input: whole, number: null, from: 0 };
  const path = `${result}.part`;
  try {
    for (const [number, span] of spans.entries()) {
      const input = await openInput(await partFile(source, span, path), wanted);
      try {
        for (const index of wanted)
          if (!goesOn(input.streams[index], streamOf(whole, index)))
            throw new NotAsStated(`stream ${index} differs in recording ${number}`);
        yield { input, number, from: span[0] };
      } finally {
        await input.closeInput();
      }
    }
  } finally {
    await rm(path, { force: true });
  }
}

/** Codecs whose pictures bring along what their decoder has to know; of H.264, it can be written into them. */
const bringing: readonly number[] = [AV_CODEC_ID_VP8, AV_CODEC_ID_VP9, AV_CODEC_ID_AV1, AV_CODEC_ID_H264];

/** Whether a stream goes on with the one of the recording before it. */
function goesOn(stream: Stream | undefined, { codecpar: before, timeBase }: Stream): boolean {
  if (!stream || stream.codecpar.codecId !== before.codecId) return false;
  const { num, den } = stream.timeBase;
  if (num * timeBase.den !== den * timeBase.num) return false;
  const { codecId, sampleRate, channels, extradata } = stream.codecpar;
  if (bringing.includes(codecId)) return true;
  const heard = sampleRate === before.sampleRate && channels === before.channels;
  const [stated, known] = [extradata ?? NONE, before.extradata ?? NONE];
  return (
    heard && (codecId === AV_CODEC_ID_FLAC ? formOf(stated).equals(formOf(known)) : stated.equals(known))
  );
}

/** RFC 9639, section 8.2: lengths of blocks, then of frames, then the form of samples, their number and a checksum of them. */
function formOf(streamInfo: Buffer): Buffer {
  const form = Buffer.concat([streamInfo.subarray(0, 4), streamInfo.subarray(10, 14)]);
  // In its last half byte, the number begins.
  if (form.length === 8) form[7] = (form[7] ?? 0) & 0xf0;
  return form;
}

const NONE = Buffer.alloc(0);

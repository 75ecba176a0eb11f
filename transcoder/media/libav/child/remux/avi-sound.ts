import { closeSync, openSync, writeSync } from 'node:fs';
import { AV_NOPTS_VALUE } from 'node-av/constants';
import { chunkedSounds } from '../../../../bitstream/avi-sounds.ts';
import type { SourceParts } from '../../../../model/source/media-source.ts';
import type { ConsistentRequest } from '../../protocol.ts';
import { Decoder } from '../av.ts';
import { Reader } from '../read/reader.ts';
import { SourceBytes } from '../read/source-bytes.ts';

/** Bytes in which the headers of streams are. */
const HEAD = 256 * 1024;
const CHUNK = 1 << 20;
/** Packets to look at. */
const FIRST_PACKETS = 16;
/** Stated times that are longer than the samples by this are wrong. Recorders state rates that are off by less. */
const TOO_LONG = 1.2;
/** How far the length of a chunk may be from its samples. */
const NEAR = 0.1;

/**
 * Rewrites an AVI for libav to count the chunks of its sounds rightly. Where `dwSampleSize` is 0, a tick is a chunk, of which a muxer such as
 * ffmpeg says how long it lasts. libav counts its blocks of `nBlockAlign` instead, of which DTS, E-AC-3, Speex and G.726 have many. Without
 * that size it counts chunks. A file is written only where one is needed.
 */
export async function countedChunks({ source, file }: ConsistentRequest): Promise<boolean> {
  const bytes = new SourceBytes(source);
  try {
    const alignments: number[] = [];
    for (const { stream, alignmentAt } of chunkedSounds(await bytes.all([0, HEAD])))
      if (await isMiscounted(source, stream)) alignments.push(alignmentAt);
    if (alignments.length > 0 && file !== null) await writeWithout(bytes, alignments, file);
    return alignments.length > 0;
  } finally {
    bytes.close();
  }
}

/** Writes an AVI whose sounds have blocks of no size. @param alignments Where these are stated. */
async function writeWithout(bytes: SourceBytes, alignments: readonly number[], file: string): Promise<void> {
  const output = openSync(file, 'w');
  try {
    for (let at = 0; at < bytes.size; at += CHUNK) {
      await new Promise(setImmediate);
      writeSync(output, await bytes.all([at, Math.min(bytes.size, at + CHUNK)]));
    }
    for (const at of alignments) writeSync(output, Buffer.alloc(2), 0, 2, at);
  } finally {
    closeSync(output);
  }
}

/** Whether a sound is too long as libav counts it, and as long as its samples if its chunks are counted. */
async function isMiscounted(source: SourceParts, stream: number): Promise<boolean> {
  const reader = await Reader.ofPackets({ source, stream });
  const decoder = await Decoder.open(reader.stream, { exact: false });
  let seconds = 0;
  const starts: bigint[] = [];
  try {
    for (let count = 0; count < FIRST_PACKETS; count++) {
      const packet = await reader.next();
      if (!packet || packet.pts === AV_NOPTS_VALUE) break;
      starts.push(packet.pts);
      await decoder.send(packet, async ({ nbSamples, sampleRate }) => {
        seconds += nbSamples / sampleRate;
      });
    }
  } catch {
    // What cannot be decoded is found later.
    return false;
  } finally {
    decoder.close();
    await reader.close();
  }
  const [first, last] = [starts[0], starts.at(-1)];
  const steps = starts.length - 1;
  if (first === undefined || last === undefined || steps < 1) return false;
  const { num, den } = reader.timeBase;
  const each = seconds / starts.length;
  const isTooLong = (Number(last - first) * num) / den > TOO_LONG * each * steps;
  return isTooLong && Math.abs(num / den / each - 1) < NEAR;
}

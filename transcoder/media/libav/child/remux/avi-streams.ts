import { AV_NOPTS_VALUE } from 'node-av/constants';
import { chunkedSounds, uncompressedPictures } from '../../../../bitstream/avi-streams.ts';
import type { Patch } from '../../../../bitstream/unfinished-sizes.ts';
import type { SourceParts } from '../../../../model/source/media-source.ts';
import { Decoder } from '../av.ts';
import { Reader } from '../read/reader.ts';

/** Packets to look at. */
const FIRST_PACKETS = 16;
/** Stated times that are longer than the samples by this are wrong. Recorders state rates that are off by less. */
const TOO_LONG = 1.2;
/** How far the length of a chunk may be from its samples. */
const NEAR = 0.1;

/**
 * For libav to count the chunks of sounds rightly. Where `dwSampleSize` is 0, a tick is a chunk, of which a muxer such as ffmpeg says how
 * long it lasts. libav counts its blocks of `nBlockAlign` instead, of which DTS, E-AC-3, Speex and G.726 have many. Without that size it
 * counts chunks.
 */
export async function miscountedSounds(source: SourceParts, head: Buffer): Promise<Patch[]> {
  const patches: Patch[] = [];
  for (const { stream, alignmentAt } of chunkedSounds(head))
    if (await isMiscounted(source, stream)) patches.push({ at: alignmentAt, bytes: Buffer.alloc(2) });
  return patches;
}

/** For libav to decode HEVC, which ffmpeg calls uncompressed. */
export async function misnamedPictures(source: SourceParts, head: Buffer): Promise<Patch[]> {
  const patches: Patch[] = [];
  for (const { stream, compressionAt } of uncompressedPictures(head))
    if (await isHevc(source, stream))
      patches.push({ at: compressionAt, bytes: Buffer.from('HEVC', 'latin1') });
  return patches;
}

/** The headers of units that a stream begins with: parameter sets, or a delimiter (ITU-T H.265, 7.3.1.2). */
const first: readonly number[] = [0x40, 0x42, 0x46];

/** Whether a stream begins with a start code and such a unit. */
async function isHevc(source: SourceParts, stream: number): Promise<boolean> {
  const reader = await Reader.unparsed({ source, stream });
  try {
    const data = (await reader.next())?.data ?? Buffer.alloc(0);
    const zeros = data.findIndex((byte) => byte !== 0);
    return (zeros === 2 || zeros === 3) && data[zeros] === 1 && first.includes(data[zeros + 1] ?? 0);
  } finally {
    await reader.close();
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
  const [from, to] = [starts[0], starts.at(-1)];
  const steps = starts.length - 1;
  if (from === undefined || to === undefined || steps < 1) return false;
  const { num, den } = reader.timeBase;
  const each = seconds / starts.length;
  const isTooLong = (Number(to - from) * num) / den > TOO_LONG * each * steps;
  return isTooLong && Math.abs(num / den / each - 1) < NEAR;
}

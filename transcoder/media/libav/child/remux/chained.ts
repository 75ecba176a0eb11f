import { rm } from 'node:fs/promises';
import { type FormatContext, Packet, type Stream } from 'node-av/lib';
import type { SourceParts } from '../../../../model/source/media-source.ts';
import { openFile, readPacket } from '../read/input.ts';
import { LateStart, mayBeLate } from '../read/late-start.ts';
import { linksOf } from '../read/ogg-links.ts';
import { partFile } from './part-files.ts';
import { formOf, type SampleForm } from './sample-form.ts';

/** The sound of one recording of a chain. */
interface Link {
  stream: Stream;
  /** Share of the file before it. */
  fraction: number;
  /** Each is valid until the next one. */
  packets: AsyncGenerator<Packet>;
}

/**
 * Opens the recordings of a chained Ogg file one after another, each as a file of its own and until the next one. A recording that
 * cannot be opened is left out.
 * @param result Path of the result; a file with another ending is made there, and removed.
 */
export async function* linksIn(source: SourceParts, result: string): AsyncGenerator<Link> {
  const path = `${result}.link`;
  try {
    for (const span of await linksOf(source)) {
      const input = await openFile(await partFile(source, span, path), [0]).catch(() => null);
      if (!input) continue;
      try {
        const stream = input.streams.find(({ codecpar: { sampleRate } }) => sampleRate > 0);
        if (!stream) continue;
        yield { stream, fraction: span[0] / source.bytes, packets: packetsOf(input, stream) };
      } finally {
        await input.closeInput();
      }
    }
  } finally {
    await rm(path, { force: true });
  }
}

async function* packetsOf(input: FormatContext, stream: Stream): AsyncGenerator<Packet> {
  const { index } = stream;
  const start = mayBeLate(stream) ? new LateStart() : null;
  const packet = new Packet();
  packet.alloc();
  try {
    while (await readPacket(input, packet)) {
      if (packet.streamIndex === index) {
        start?.follow(packet);
        packet.pts -= start?.ticks ?? 0n;
        yield packet;
      }
      packet.unref();
    }
  } finally {
    packet.free();
  }
}

/** The largest sample rate and number of channels of a chain, and the depth of its deepest sound. */
export async function largestOf(source: SourceParts, result: string): Promise<SampleForm> {
  const largest = { sampleRate: 0, channels: 0, deep: false };
  for await (const { stream } of linksIn(source, result)) {
    const { sampleRate, channels, deep } = formOf(stream);
    largest.sampleRate = Math.max(largest.sampleRate, sampleRate);
    largest.channels = Math.max(largest.channels, channels);
    largest.deep ||= deep;
  }
  return largest;
}

import { AV_LOG_ERROR, AV_NOPTS_VALUE, AVMEDIA_TYPE_AUDIO, AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import { type FormatContext, type Frame, Packet, type Stream } from 'node-av/lib';
import { MAX_STREAMS } from '../../../../../schema/api/plans.ts';
import type { Examined, ExamineRequest } from '../../protocol.ts';
import { Decoder, streamOf } from '../av.ts';
import { goTo, openInput, readPacket } from '../read/input.ts';
import { withMessages } from '../read/log-messages.ts';
import { printedChapters } from './chapters.ts';
import { printedStream } from './probe-output.ts';

/** Packets to decode at the start, of all streams together. */
const FIRST_PACKETS = 24;
/** Packets between two turns of the event loop, which lets messages out. */
const TURN = 64;
/** Messages about the same damage may be as many as there are packets. */
const MOST_MESSAGES = 20;

/** What is in a file, with the frames of its first packets and those from a second on, in ffprobe's structure. */
export async function examine({ source, from }: ExamineRequest): Promise<Examined> {
  const messages: string[] = [];
  const take = (message: string) => {
    if (messages.length < MOST_MESSAGES) messages.push(message);
  };
  const all = Array.from({ length: MAX_STREAMS }, (_, index) => index);
  const input = await openInput(source, all);
  const viewer = new Viewer(input);
  try {
    await viewer.open();
    await withMessages(AV_LOG_ERROR, take, async () => {
      await viewer.read(FIRST_PACKETS, null);
      if (from === null) return;
      if (!(await goTo(input, from))) throw new Error('the file is not seekable');
      await viewer.read(Number.POSITIVE_INFINITY, from);
    });
    const streams = input.streams.map((stream) => printedStream(stream, [], null, null));
    return { streams, chapters: await printedChapters(input), frames: viewer.frames, messages };
  } finally {
    viewer.close();
    await input.closeInput();
  }
}

/** Decodes the pictures and sounds of all streams; what is damaged is left out. */
class Viewer {
  readonly #input: FormatContext;
  readonly #decoders = new Map<number, Decoder>();
  readonly #packet = new Packet();
  readonly frames: Examined['frames'] = [];

  constructor(input: FormatContext) {
    this.#input = input;
    this.#packet.alloc();
  }

  async open(): Promise<void> {
    for (const stream of this.#input.streams) {
      if (!isVideo(stream) && stream.codecpar.codecType !== AVMEDIA_TYPE_AUDIO) continue;
      this.#decoders.set(stream.index, await Decoder.open(stream, { exact: false }));
    }
  }

  /**
   * Reads up to `most` packets, and what the decoders give out after them.
   * @param wanted Second up to which frames are decoded only if others refer to them; null to decode all.
   */
  async read(most: number, wanted: number | null): Promise<void> {
    for (let count = 0; count < most; count++) {
      if (count % TURN === 0) await new Promise(setImmediate);
      this.#packet.unref();
      const read = readPacket(this.#input, this.#packet);
      if (!(read instanceof Promise ? await read : read)) break;
      const stream = streamOf(this.#input, this.#packet.streamIndex);
      const early = wanted !== null && timeOf(this.#packet, stream) < wanted;
      if (isVideo(stream)) this.#decoders.get(stream.index)?.spare(early);
      await this.#decode(stream, this.#packet);
    }
    for (const [index, decoder] of this.#decoders) {
      await this.#decode(streamOf(this.#input, index), null);
      decoder.flush();
    }
  }

  close(): void {
    for (const decoder of this.#decoders.values()) decoder.close();
    this.#packet.free();
  }

  async #decode(stream: Stream, packet: Packet | null): Promise<void> {
    const decoder = this.#decoders.get(stream.index);
    try {
      await decoder?.send(packet, async (frame) => void this.frames.push(printedFrame(stream, frame)));
    } catch {
      // A stream that cannot be decoded has no frames.
    }
  }
}

const isVideo = ({ codecpar }: Stream) => codecpar.codecType === AVMEDIA_TYPE_VIDEO;

/** In seconds; that of a packet without a time is later than any other. */
function timeOf({ pts }: Packet, { timeBase: { num, den } }: Stream): number {
  return pts === AV_NOPTS_VALUE ? Number.POSITIVE_INFINITY : (Number(pts) * num) / den;
}

function printedFrame({ index, timeBase: { num, den } }: Stream, frame: Frame): Examined['frames'][number] {
  const { bestEffortTimestamp: time, duration } = frame;
  return {
    stream_index: index,
    ...(time === AV_NOPTS_VALUE ? {} : { best_effort_timestamp_time: (Number(time) * num) / den }),
    ...(duration > 0n ? { duration_time: (Number(duration) * num) / den } : {}),
  };
}

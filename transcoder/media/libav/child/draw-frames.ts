import { AV_PIX_FMT_GRAY8 } from 'node-av/constants';
import { Frame } from 'node-av/lib';
import type { Drawn, PictureFeed } from '../../../model/splice.ts';
import { greyMap } from '../../steps/luma-map.ts';
import { upright } from './autorotate.ts';
import { Decoder } from './av.ts';
import { type Feed, flow } from './complex-graph.ts';
import { pictureForm } from './frame-graph.ts';
import type { Place } from './lane-inputs.ts';
import { Stretch, Tape, tickOf } from './read/packet-window.ts';
import type { Reader } from './read/reader.ts';

/**
 * Draws the frames of a piece at their planned times. Throws if the number of frames differs from the plan.
 * @param format Pixel format of the result, as ffmpeg names it.
 */
export async function draw(
  { feeds, map, chains, pts }: Drawn,
  { inputs, sharing }: Pick<Place, 'inputs' | 'sharing'>,
  format: string,
  onFrame: (frame: Frame) => Promise<void>,
): Promise<void> {
  if (new Set(feeds.map(({ input }) => input)).size < feeds.length)
    throw new Error('two feeds of a piece read one input');
  const films: Film[] = [];
  const still = map && new Still(greyMap(map.shape, map.width, map.height), map);
  try {
    for (const [at, feed] of feeds.entries()) {
      films.push(await Film.open(await inputs.at(feed.input), feed, { at, sharing }));
    }
    let count = 0;
    const take = async (frame: Frame) => {
      const time = pts[count++];
      if (time === undefined) throw new Error('more frames were drawn than planned');
      frame.pts = BigInt(time);
      frame.duration = 0n;
      await onFrame(frame);
    };
    const before = [`format=pix_fmts=${format}`];
    await flow([...films, ...(still ? [still] : [])], chains, [
      { from: 'v', name: 'buffersink', before, take },
    ]);
    if (count !== pts.length) throw new Error(`${count} frames were drawn, not ${pts.length}`);
  } finally {
    still?.close();
    for (const film of films) film.close();
  }
}

/** The keyframe from which everything after a tick decodes correctly; null for the beginning. @param second One second, in ticks. */
async function entryBefore(reader: Reader, tick: number, second: number): Promise<number | null> {
  const stretch = await Stretch.leadingTo(Tape.over(reader), tick, Math.ceil(second));
  return stretch.shown(tick)?.key ?? null;
}

/** Frames of a stream, upright, starting at a keyframe. */
class Film implements Feed {
  readonly label: string;
  readonly #reader: Reader;
  readonly #feed: PictureFeed;
  readonly #decoder: Decoder;
  /** The keyframe at which decoding began; pictures shown before it may reference pictures that were not decoded. */
  #key: number | null = null;
  #decoded: Frame[] = [];
  #ended = false;
  #frame: Frame | null = null;

  private constructor(reader: Reader, feed: PictureFeed, decoder: Decoder, at: number) {
    this.label = `${at}:${reader.stream.index}`;
    this.#reader = reader;
    this.#feed = feed;
    this.#decoder = decoder;
  }

  static async open(
    reader: Reader,
    feed: PictureFeed,
    { at, sharing }: { at: number; sharing: number },
  ): Promise<Film> {
    const { num, den } = reader.timeBase;
    const begin = feed.seek === null ? null : await entryBefore(reader, feed.from ?? feed.seek, den / num);
    await reader.seek(begin ?? Number.MIN_SAFE_INTEGER);
    return new Film(reader, feed, await Decoder.open(reader.stream, { exact: false, sharing }), at);
  }

  get frame(): Frame | null {
    return this.#frame;
  }

  get source() {
    if (!this.#frame) throw new Error('an input has no frame at the joint');
    const { stream, timeBase } = this.#reader;
    const { num, den } = timeBase;
    const options = pictureForm(this.#frame, `${num}/${den}`);
    return { name: 'buffer' as const, options, behind: upright(stream) };
  }

  get clock(): number {
    const { num, den } = this.#reader.timeBase;
    return ((Number(this.#frame?.pts ?? 0) - this.#feed.zero) * num) / den;
  }

  async advance(): Promise<void> {
    this.#frame?.free();
    while (this.#decoded.length === 0 && !this.#ended) await this.#decode();
    this.#frame = this.#decoded.shift() ?? null;
  }

  close(): void {
    this.#frame?.free();
    for (const frame of this.#decoded) frame.free();
    this.#decoder.close();
  }

  async #decode(): Promise<void> {
    const packet = await this.#reader.next();
    const { from } = this.#feed;
    if (packet) {
      const tick = tickOf(packet);
      if (packet.isKeyframe && tick !== null && tick < (this.#key ?? Number.POSITIVE_INFINITY))
        this.#key = tick;
      if (this.#key === null || (tick !== null && tick < this.#key)) return;
      this.#decoder.spare(from !== null && tick !== null && tick < from);
    }
    this.#ended = packet === null;
    await this.#decoder.send(packet, async (frame) => {
      const pts = this.#decoder.tickOf(frame);
      if (from !== null && pts < from) return;
      const kept = frame.clone();
      if (!kept) throw new Error('out of memory for a frame');
      kept.pts = pts;
      this.#decoded.push(kept);
    });
  }
}

/** A single greyscale picture. */
class Still implements Feed {
  readonly label = '2:0';
  readonly clock = Number.NEGATIVE_INFINITY;
  readonly source: Feed['source'];
  #picture: Frame;
  #next: Frame | null = null;
  #begun = false;

  constructor(pixels: Buffer, { width, height }: { width: number; height: number }) {
    const format = AV_PIX_FMT_GRAY8;
    this.#picture = Frame.fromVideoBuffer(pixels, { width, height, format, timeBase: { num: 1, den: 25 } });
    this.#picture.pts = 0n;
    this.source = { name: 'buffer', options: pictureForm(this.#picture, '1/25'), behind: [] };
  }

  get frame(): Frame | null {
    return this.#next;
  }

  async advance(): Promise<void> {
    this.#next = this.#begun ? null : this.#picture;
    this.#begun = true;
  }

  close(): void {
    this.#picture.free();
  }
}

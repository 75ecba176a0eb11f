import { type FileHandle, open } from 'node:fs/promises';
import {
  AV_CHANNEL_ORDER_NATIVE,
  AV_CHANNEL_ORDER_UNSPEC,
  AV_NOPTS_VALUE,
  AV_SAMPLE_FMT_FLT,
} from 'node-av/constants';
import { type ChannelLayout, Frame } from 'node-av/lib';
import {
  channelsOf,
  type ChannelLayout as LayoutName,
  maskOf,
  usualLayout,
} from '../../../../model/channel-layouts.ts';
import type { MixRequest } from '../../protocol.ts';
import { Decoder } from '../av.ts';
import type { Feed } from '../complex-graph.ts';
import { Reader } from '../read/reader.ts';

type Feeds = MixRequest['feeds'][number];
type Decoded = Extract<Feeds, { stream: number }>;
type Raw = Extract<Feeds, { raw: string }>;

export const nativeLayout = (layout: LayoutName): ChannelLayout => ({
  nbChannels: channelsOf(layout),
  order: AV_CHANNEL_ORDER_NATIVE,
  mask: maskOf(layout),
});

/** Sample format, known before the first samples arrive. */
interface Form {
  format: number;
  sampleRate: number;
  layout: ChannelLayout;
}

const entryOf = ({ format, sampleRate, layout }: Form) => ({
  name: 'abuffer' as const,
  options: [
    ...[`time_base=1/${sampleRate}`, `sample_rate=${sampleRate}`, `sample_fmt=${format}`],
    `channel_layout=${layoutText(layout)}`,
  ].join(':'),
  behind: [],
});

/** In the syntax of libavutil; without places, only the number of channels is known. */
const layoutText = ({ order, mask, nbChannels }: ChannelLayout): string =>
  order === AV_CHANNEL_ORDER_NATIVE ? `0x${mask.toString(16)}` : `${nbChannels}C`;

/** The stream's layout, or the default one for its channel count, if there is one. */
export function knownLayout(layout: ChannelLayout): ChannelLayout {
  if (layout.order === AV_CHANNEL_ORDER_NATIVE) return layout;
  const usual = usualLayout(layout.nbChannels);
  if (usual) return nativeLayout(usual);
  if (layout.order === AV_CHANNEL_ORDER_UNSPEC) return layout;
  throw new Error(`there is no usual layout for ${layout.nbChannels} channels`);
}

/** Decoded audio of a stream, timed in samples. */
export class SoundFeed implements Feed {
  readonly label: string;
  readonly #feed: Decoded;
  readonly #rate: number;
  readonly #layout: ChannelLayout;
  /** Of the current frame. What the container is taken for, before there is one, may differ: decoders of mp2 choose. */
  #format: number;
  #reader: Reader;
  #decoder: Decoder;
  #decoded: Frame[] = [];
  #frame: Frame | null = null;
  #ended = false;
  /** The sample after the last one. */
  #next: number | null = null;
  /** Offset in samples added to the file's times when it is looped. */
  #later = 0;
  #zero: number | null;

  private constructor(feed: Decoded, reader: Reader, decoder: Decoder) {
    const { format, sampleRate, channelLayout } = reader.stream.codecpar;
    this.label = feed.label;
    this.#feed = feed;
    this.#reader = reader;
    this.#decoder = decoder;
    this.#rate = sampleRate;
    this.#layout = knownLayout(channelLayout);
    this.#format = format;
    this.#zero = feed.zero;
  }

  static async open(feed: Decoded): Promise<SoundFeed> {
    const reader = await Reader.ofSound(feed);
    if (feed.seek !== null) await reader.goTo(feed.seek);
    return new SoundFeed(feed, reader, await Decoder.open(reader.stream, { exact: false }));
  }

  get source(): Feed['source'] {
    return entryOf({ format: this.#format, sampleRate: this.#rate, layout: this.#layout });
  }

  get frame(): Frame | null {
    return this.#frame;
  }

  get clock(): number {
    const seconds = Number(this.#frame?.pts ?? 0) / this.#rate;
    return seconds - (this.#zero ?? 0);
  }

  async advance(): Promise<void> {
    this.#frame?.free();
    while (this.#decoded.length === 0 && !this.#ended) await this.#decode();
    this.#frame = this.#decoded.shift() ?? null;
    if (!this.#frame) return;
    this.#zero ??= Number(this.#frame.pts) / this.#rate;
    this.#format = this.#frame.format;
  }

  async close(): Promise<void> {
    this.#frame?.free();
    for (const frame of this.#decoded) frame.free();
    this.#decoder.close();
    await this.#reader.close();
  }

  async #decode(): Promise<void> {
    const packet = await this.#reader.next();
    await this.#decoder.send(packet, async (frame) => {
      if (frame.sampleRate !== this.#rate || frame.channels !== this.#layout.nbChannels)
        throw new Error('the sound changes its sample rate or channels');
      const kept = frame.clone();
      if (!kept) throw new Error('out of memory for a frame');
      kept.channelLayout = this.#layout;
      kept.pts = BigInt(this.#timeOf(frame));
      this.#next = Number(kept.pts) + frame.nbSamples;
      this.#decoded.push(kept);
    });
    if (packet) return;
    if (this.#feed.loop && this.#next !== null) await this.#rewind(this.#next);
    else this.#ended = true;
  }

  /** If timestamps are coarser than samples, frames are contiguous unless the timestamps show a gap. */
  #timeOf({ pts }: Frame): number {
    if (pts === AV_NOPTS_VALUE) return this.#next ?? this.#later;
    const { num, den } = this.#reader.timeBase;
    const tick = (num * this.#rate) / den;
    const time = Number(pts) * tick + this.#later;
    const follows = tick > 1 && this.#next !== null && Math.abs(time - this.#next) <= tick;
    return follows && this.#next !== null ? this.#next : Math.round(time);
  }

  async #rewind(end: number): Promise<void> {
    await this.#reader.close();
    this.#reader = await Reader.ofSound(this.#feed);
    this.#decoder.flush();
    this.#later = end - Math.round((this.#zero ?? 0) * this.#rate);
    this.#next = null;
  }
}

/** Samples of a raw file. */
export class RawFeed implements Feed {
  readonly label: string;
  readonly source: Feed['source'];
  readonly #file: FileHandle;
  readonly #form: Form;
  #read = 0;
  #frame: Frame | null = null;

  private constructor({ label, sampleRate, layout }: Raw, file: FileHandle) {
    this.label = label;
    this.#file = file;
    this.#form = { format: AV_SAMPLE_FMT_FLT, sampleRate, layout: nativeLayout(layout) };
    this.source = entryOf(this.#form);
  }

  static async open(feed: Raw): Promise<RawFeed> {
    return new RawFeed(feed, await open(feed.raw));
  }

  get frame(): Frame | null {
    return this.#frame;
  }

  get clock(): number {
    return Number(this.#frame?.pts ?? 0) / this.#form.sampleRate;
  }

  async advance(): Promise<void> {
    this.#frame?.free();
    this.#frame = null;
    const { sampleRate, layout } = this.#form;
    const bytes = 4 * layout.nbChannels;
    const { buffer, bytesRead } = await this.#file.read(Buffer.alloc(AT_ONCE * bytes));
    const nbSamples = Math.floor(bytesRead / bytes);
    if (nbSamples === 0) return;
    this.#frame = Frame.fromAudioBuffer(buffer.subarray(0, nbSamples * bytes), {
      ...{ nbSamples, format: AV_SAMPLE_FMT_FLT, sampleRate, channelLayout: layout },
      timeBase: { num: 1, den: sampleRate },
    });
    this.#frame.pts = BigInt(this.#read);
    this.#read += nbSamples;
  }

  async close(): Promise<void> {
    this.#frame?.free();
    await this.#file.close();
  }
}

/** Samples per frame. */
const AT_ONCE = 4096;

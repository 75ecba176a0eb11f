import type { Entrance } from '../../../../bitstream/codec.ts';
import { composedAt, isKey } from '../../../../bitstream/mp4/sample-tables.ts';
import {
  box,
  chunkTables,
  type Filling,
  filled,
  lengthOf,
  MEDIA_HEADER,
  mediaHeader,
  tablesFor,
  type WrittenSamples,
} from '../../../../bitstream/mp4/write-tables.ts';
import type { Copy, SpliceRequest } from '../../../../model/splice.ts';
import type { FrameWriter } from '../frame-writer.ts';
import type { SourceBytes } from '../read/source-bytes.ts';
import { FREE_HEADER, INTERLEAVED, type Layout, layoutOf, type Planned, shiftOf } from './layout.ts';
import type { SourceTrack } from './movie.ts';
import { Sink } from './sink.ts';
import type { Times } from './template.ts';

/** Bytes between two turns of the event loop, which lets messages out. */
const TURN = 16 * 1024 * 1024;
/**
 * Writes an mp4 by moving samples as bytes, found in the index of their source; no packet passes through libav or JavaScript one by
 * one. The space for the index, whose size is known before, is left at the front. libav describes the tracks, see `templateOf`.
 */
export class SampleWriter implements FrameWriter {
  readonly #layout: Layout;
  readonly #sink: Sink;
  readonly #picture: WrittenSamples;
  readonly #sound: WrittenSamples | null;
  readonly #onProgress: (fraction: number) => void;
  #next = 0;
  #soundNext = 0;
  /** Output time up to which the picture is written before the sound is. */
  #mark: number;
  #latest: WrittenSamples | null = null;
  #turned = 0;
  #lastKey: { data: Uint8Array } | { bytes: SourceBytes; from: number; size: number } | null = null;

  private constructor(file: string, layout: Layout, onProgress: (fraction: number) => void) {
    const { timeline, template, reserved, units } = layout;
    this.#layout = layout;
    this.#onProgress = onProgress;
    this.#sink = new Sink(file, template.head.length + reserved + MEDIA_HEADER);
    this.#picture = blank(timeline);
    this.#sound = layout.sound && blank(layout.sound.times);
    this.#mark = (timeline.dts[0] ?? 0) * units[0] + INTERLEAVED;
    if (template.text) this.#sink.append(template.text.bytes);
  }

  /** Null if a packet of the splice is not a sample of an mp4, or if its track could not be described. */
  static async open(
    request: SpliceRequest,
    planned: Planned,
    onProgress: (fraction: number) => void,
  ): Promise<SampleWriter | null> {
    const { container, codec } = request;
    // Of these, libav's muxer writes packets of the picture as they are.
    if ((container !== 'mp4' && container !== 'mov') || (codec !== 'h264' && codec !== 'hevc')) return null;
    const layout = await layoutOf(request, planned);
    return layout && new SampleWriter(request.file, layout, onProgress);
  }

  async lastKey(): Promise<Uint8Array | null> {
    const last = this.#lastKey;
    if (last === null || 'data' in last) return last?.data ?? null;
    return last.bytes.all([last.from, last.from + last.size]);
  }

  async bytes(data: Uint8Array, key: boolean): Promise<void> {
    await this.#soundBefore(this.#next);
    this.#chunk(this.#picture, 1);
    this.#sink.append(data);
    this.#lastKey = key ? { data: Uint8Array.from(data) } : null;
    this.#wrote(data.length, key);
  }

  async copied(_: number, copy: Copy, entrance: Entrance): Promise<void> {
    const run = this.#layout.runs.get(copy);
    if (!run) throw new Error('a run has not been located');
    const { track, from, to } = run;
    const { samples, bytes } = track;
    const shift = shiftOf(copy, samples, from);
    const [first = 0] = copy.frames;
    const isLeading = (index: number) => composedAt(samples, index) + shift < first;
    for (let at = from; at < to; ) {
      const leading = isLeading(at);
      if (entrance.passed) {
        const count = leading ? 1 : this.#together(at, to, isLeading);
        if (!leading) await this.#copy(track, at, count);
        at += count;
        continue;
      }
      const position = samples.positions[at] ?? 0;
      const data = await bytes.all([position, position + (samples.sizes[at] ?? 0)]);
      const converted = entrance.packet(data, leading);
      if (!leading) await this.bytes(converted ?? data, isKey(samples, at));
      at += 1;
    }
  }

  async finish(): Promise<void> {
    const { template, timeline, units, reserved } = this.#layout;
    if (this.#next !== timeline.pts.length) throw new Error('frames are missing');
    await this.#soundUpTo(Number.POSITIVE_INFINITY);
    this.#sink.flush();
    const start = template.head.length + reserved;
    const text: Filling | null = template.text && {
      tables: new Map(chunkTables([{ position: start + MEDIA_HEADER, samples: template.text.samples }])),
      ...{ samples: null, bitrate: 0 },
    };
    const made = [
      fillingOf(this.#picture, units[0]),
      ...(this.#sound ? [fillingOf(this.#sound, units[1])] : []),
    ];
    const moov = filled(template.moov, [...made, ...(text ? [text] : [])]);
    const rest = reserved - lengthOf(moov);
    if (rest < FREE_HEADER) throw new Error('the index is longer than planned');
    let at = 0;
    for (const piece of [template.head, ...moov, box('free', Buffer.alloc(rest - FREE_HEADER))]) {
      this.#sink.put(piece, at);
      at += piece.length;
    }
    this.#sink.put(mediaHeader(this.#sink.position - start), start);
  }

  async close(): Promise<void> {
    this.#sink.close();
  }

  /** How many samples from `from` on, up to the first leading one, are written before the sound is. */
  #together(from: number, to: number, isLeading: (index: number) => boolean): number {
    const { timeline, units } = this.#layout;
    let at = from + 1;
    while (at < to && !isLeading(at)) {
      if ((timeline.dts[this.#next + at - from] ?? 0) * units[0] >= this.#mark) break;
      at += 1;
    }
    return at - from;
  }

  /** The next samples of the picture. */
  async #copy(track: SourceTrack, index: number, count: number): Promise<void> {
    await this.#soundBefore(this.#next);
    this.#chunk(this.#picture, count);
    await this.#move(track, index, count);
    const { samples, bytes } = track;
    for (let at = index; at < index + count; at++) this.#wrote(samples.sizes[at] ?? 0, isKey(samples, at));
    const last = index + count - 1;
    const from = samples.positions[last] ?? 0;
    this.#lastKey = isKey(samples, last) ? { bytes, from, size: samples.sizes[last] ?? 0 } : null;
  }

  #wrote(size: number, key: boolean): void {
    if (this.#next >= this.#picture.sizes.length) throw new Error('more frames than planned');
    this.#picture.sizes[this.#next] = size;
    this.#picture.keys[this.#next] = key ? 1 : 0;
    this.#next += 1;
    this.#onProgress(this.#next / this.#picture.sizes.length);
  }

  async #soundBefore(frame: number): Promise<void> {
    const { timeline, units } = this.#layout;
    const seconds = (timeline.dts[frame] ?? 0) * units[0];
    if (seconds < this.#mark) return;
    await this.#soundUpTo(seconds);
    this.#mark = seconds + INTERLEAVED;
    if (this.#sink.position - this.#turned < TURN) return;
    this.#turned = this.#sink.position;
    await new Promise(setImmediate);
  }

  async #soundUpTo(seconds: number): Promise<void> {
    const { sound, units } = this.#layout;
    if (!sound || !this.#sound) return;
    const { dts } = this.#sound;
    const first = this.#soundNext;
    while (this.#soundNext < dts.length && (dts[this.#soundNext] ?? 0) * units[1] < seconds)
      this.#soundNext += 1;
    const count = this.#soundNext - first;
    if (count === 0) return;
    const { track, from } = sound.run;
    this.#chunk(this.#sound, count);
    this.#sound.sizes.set(track.samples.sizes.subarray(from + first, from + this.#soundNext), first);
    await this.#move(track, from + first, count);
  }

  /** Moves samples, in one piece where they lie next to one another. */
  async #move(
    { samples: { positions, sizes }, bytes }: SourceTrack,
    index: number,
    count: number,
  ): Promise<void> {
    for (let at = index; at < index + count; ) {
      const from = positions[at] ?? 0;
      let to = from;
      while (at < index + count && positions[at] === to) to += sizes[at++] ?? 0;
      await this.#sink.copy(bytes, from, to - from);
    }
  }

  /** Samples that are written next belong to this track. */
  #chunk(track: WrittenSamples, samples: number): void {
    const last = track.chunks.at(-1);
    if (this.#latest === track && last) last.samples += samples;
    else track.chunks.push({ position: this.#sink.position, samples });
    this.#latest = track;
  }
}

function blank({ dts, pts, durations }: Times): WrittenSamples {
  const [sizes, keys] = [new Uint32Array(dts.length), new Uint8Array(dts.length).fill(1)];
  return { sizes, keys, dts, pts, durations, chunks: [] };
}

/** @param unit Seconds of a tick. */
function fillingOf(samples: WrittenSamples, unit: number): Filling {
  const { sizes, dts, durations } = samples;
  const last = dts.length - 1;
  const seconds = ((dts[last] ?? 0) + (durations[last] ?? 0) - (dts[0] ?? 0)) * unit;
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  return {
    tables: tablesFor(samples),
    samples: dts.length,
    bitrate: seconds > 0 ? (8 * bytes) / seconds : 0,
  };
}

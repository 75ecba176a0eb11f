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
import {
  FREE_HEADER,
  INTERLEAVED,
  type Layout,
  layoutOf,
  type Planned,
  type SoundRun,
  shiftOf,
} from './layout.ts';
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
  readonly #sounds: { samples: WrittenSamples; next: number; of: SoundRun }[];
  readonly #onProgress: (fraction: number) => void;
  #next = 0;
  /** Output time up to which the picture is written before the sounds are. */
  #mark: number;
  #latest: WrittenSamples | null = null;
  #turned = 0;
  #lastKey: { data: Uint8Array } | { bytes: SourceBytes; from: number; size: number } | null = null;

  private constructor(file: string, layout: Layout, onProgress: (fraction: number) => void) {
    const { timeline, template, reserved, unit, sounds } = layout;
    this.#layout = layout;
    this.#onProgress = onProgress;
    this.#sink = new Sink(file, template.head.length + reserved + MEDIA_HEADER);
    this.#picture = blank(timeline);
    this.#sounds = sounds.map((of) => ({ samples: blank(of.times), next: 0, of }));
    this.#mark = (timeline.dts[0] ?? 0) * unit + INTERLEAVED;
    for (const { bytes } of template.texts) this.#sink.append(bytes);
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
    await this.#soundsBefore(this.#next);
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
    const { template, timeline, unit, reserved } = this.#layout;
    if (this.#next !== timeline.pts.length) throw new Error('frames are missing');
    await this.#soundsUpTo(Number.POSITIVE_INFINITY);
    this.#sink.flush();
    const start = template.head.length + reserved;
    let position = start + MEDIA_HEADER;
    const texts = template.texts.map(({ bytes, samples }): Filling => {
      const tables = new Map(chunkTables([{ position, samples }]));
      position += bytes.length;
      return { tables, samples: null, bitrate: 0 };
    });
    const sounds = this.#sounds.map(({ samples, of }) => fillingOf(samples, of.unit));
    const moov = filled(template.moov, [fillingOf(this.#picture, unit), ...sounds, ...texts]);
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

  /** How many samples from `from` on, up to the first leading one, are written before the sounds are. */
  #together(from: number, to: number, isLeading: (index: number) => boolean): number {
    const { timeline, unit } = this.#layout;
    let at = from + 1;
    while (at < to && !isLeading(at)) {
      if ((timeline.dts[this.#next + at - from] ?? 0) * unit >= this.#mark) break;
      at += 1;
    }
    return at - from;
  }

  /** The next samples of the picture. */
  async #copy(track: SourceTrack, index: number, count: number): Promise<void> {
    await this.#soundsBefore(this.#next);
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

  async #soundsBefore(frame: number): Promise<void> {
    const { timeline, unit } = this.#layout;
    const seconds = (timeline.dts[frame] ?? 0) * unit;
    if (seconds < this.#mark) return;
    await this.#soundsUpTo(seconds);
    this.#mark = seconds + INTERLEAVED;
    if (this.#sink.position - this.#turned < TURN) return;
    this.#turned = this.#sink.position;
    await new Promise(setImmediate);
  }

  async #soundsUpTo(seconds: number): Promise<void> {
    for (const sound of this.#sounds) {
      const { run, unit } = sound.of;
      const { dts, sizes } = sound.samples;
      const first = sound.next;
      while (sound.next < dts.length && (dts[sound.next] ?? 0) * unit < seconds) sound.next += 1;
      const count = sound.next - first;
      if (count === 0) continue;
      const { track, from } = run;
      this.#chunk(sound.samples, count);
      sizes.set(track.samples.sizes.subarray(from + first, from + sound.next), first);
      await this.#move(track, from + first, count);
    }
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

import { availableParallelism } from 'node:os';
import { AV_CODEC_ID_H264, AV_CODEC_ID_HEVC } from 'node-av/constants';
import type { Coded, EncoderTarget } from '../../../bitstream/codec.ts';
import type { SpliceRequest } from '../../../model/splice.ts';
import { isDrawn, Lane, type RenderedPart, type RenderedStretch } from './encode-lane.ts';
import { OwnReaders, shared } from './lane-inputs.ts';
import { Lanes } from './lanes.ts';
import { type SampledPicture, sampledPicture } from './mp4/sample-reader.ts';
import type { Tracks } from './mp4/tracks.ts';
import type { Reader } from './read/reader.ts';
import { bitsPerPixel, type Spent, spentOn, targetOf } from './source-spending.ts';

/**
 * Encoders that take turns with the stretches, each of which goes on with what the quantisers of its own ones came to. Part of the
 * result, therefore not up to the machine, which only decides how many of them work at the same time.
 */
const LANES = 4;
/** Pixels of all frames outside of transitions from which on it is worthwhile to open the inputs once more for each lane: 16 frames of 1080p. */
const WORTHWHILE = 16 * 1920 * 1080;

/** Where the frames come from. */
interface Sources {
  inputs: SpliceRequest['inputs'];
  /** Of the inputs, in the same order. */
  readers: readonly Reader[];
  tracks: Tracks;
}

/** Re-encodes frames of the inputs, stretch by stretch, on all cores. */
export class Rendering {
  readonly #lanes: Lanes;
  readonly extradata: Uint8Array;

  private constructor(lanes: Lanes, extradata: Uint8Array) {
    this.#lanes = lanes;
    this.extradata = extradata;
  }

  /**
   * @param parts In the order of the output.
   * @param how Average seconds that a frame is shown; which field of a frame is shown first, and HDR10 metadata, as for an encoder.
   */
  static async open(
    coded: Coded,
    { inputs, readers, tracks }: Sources,
    parts: readonly RenderedPart[],
    { frame, fields, mastering }: Pick<EncoderTarget, 'fields' | 'mastering'> & { frame: number },
  ): Promise<Rendering> {
    const [model] = readers;
    if (!model) throw new Error('the splice has no input');
    const spendings: Spent[] = [];
    for (const part of parts) spendings.push(await spentOn(part, readers, coded));
    const frames = parts.reduce((sum, { pts }) => sum + pts.length, 0);
    const { width, height } = model.stream.codecpar;
    const same = {
      seconds: (frames * frame) / parts.length,
      bitsPerPixel: bitsPerPixel(spendings, width * height),
      ...{ fields, mastering },
    };
    const stretches = parts.map(({ jobs, pts }, index): RenderedStretch => {
      const spent = spendings[index] ?? { frames: 0, bytes: 0, largest: 0, pictures: [] };
      const target = { ...same, ...targetOf(spent, frame, coded) };
      return { jobs, pts, spent, target: isDrawn(jobs) ? { ...target, maxKbps: null } : target };
    });
    const [first] = stretches;
    if (!first) throw new Error('nothing is re-encoded');
    // The filters that draw a transition run in JavaScript's thread, one after another.
    const undrawn = parts.reduce((sum, { jobs, pts }) => sum + (isDrawn(jobs) ? 0 : pts.length), 0);
    const worthwhile = undrawn * width * height >= WORTHWHILE && !coded.encoder(first.target).parallel;
    const count = worthwhile ? Math.min(LANES, parts.length) : 1;
    const sharing = Math.min(count, availableParallelism());
    const pictures = count === 1 ? null : await picturesOf(parts, { inputs, readers, tracks });
    const lanes: Lane[] = [];
    for (const { target } of stretches.slice(0, count)) {
      const from = pictures ? new OwnReaders(inputs, pictures) : shared(readers);
      lanes.push(await Lane.open(coded, { like: model.stream, inputs: from, sharing }, target));
    }
    const [extradata = new Uint8Array(), ...others] = lanes.map((lane) => lane.extradata);
    if (others.some((other) => Buffer.compare(other, extradata) !== 0))
      throw new Error('two encoders have different parameter sets');
    return new Rendering(new Lanes(lanes, stretches, count === 1 ? 0 : sharing), extradata);
  }

  /** The next stretch in the order of the output. Throws if its frames do not match the plan. @param onPacket Called in decoding order. */
  async stretch(onPacket: (data: Uint8Array) => Promise<void>): Promise<void> {
    await this.#lanes.next(onPacket);
  }

  async close(): Promise<void> {
    await this.#lanes.close();
  }
}

/** libav may change packets of other codecs. */
const unparsed = [AV_CODEC_ID_H264, AV_CODEC_ID_HEVC];

/** By input, what the index of its file is read for instead of opening it once more. */
async function picturesOf(
  parts: readonly RenderedPart[],
  { inputs, readers, tracks }: Sources,
): Promise<Map<number, SampledPicture>> {
  const pictures = new Map<number, SampledPicture>();
  const known = new Set<number>();
  for (const job of parts.flatMap(({ jobs }) => jobs)) {
    if (job.kind !== 'run' || known.has(job.input)) continue;
    known.add(job.input);
    const [input, reader] = [inputs[job.input], readers[job.input]];
    if (!input || !reader || !unparsed.includes(reader.stream.codecpar.codecId)) continue;
    const track = await tracks.of(input, reader.stream.id);
    const { seek, entry } = job.run;
    const picture = track && (await sampledPicture(reader, track, { seek, pts: entry }));
    if (picture) pictures.set(job.input, picture);
  }
  return pictures;
}

import {
  AV_CODEC_ID_PCM_S16LE,
  AV_CODEC_ID_PCM_S32LE,
  AV_CODEC_ID_WMALOSSLESS,
  AV_CODEC_ID_WMAPRO,
  AV_CODEC_ID_WMAV1,
  AV_CODEC_ID_WMAV2,
  AV_CODEC_ID_WMAVOICE,
  AV_NOPTS_VALUE,
  AV_SAMPLE_FMT_S16,
  AV_SAMPLE_FMT_S32,
  AVMEDIA_TYPE_AUDIO,
  type AVSampleFormat,
} from 'node-av/constants';
import { type ChannelLayout, Frame, Packet, SoftwareResampleContext, type Stream } from 'node-av/lib';
import type { Demuxer } from '../../../../../schema/media/demuxers.ts';
import { usualLayout } from '../../../../model/channel-layouts.ts';
import { knownLayout, nativeLayout } from '../audio/decode.ts';
import { checked, Decoder } from '../av.ts';
import { PackedTimes } from './packed-times.ts';
import type { SampleForm } from './sample-form.ts';
import { type Out, ROUNDING, startTicks, write } from './tracks.ts';

/** Longest gap in seconds to fill with silence; a file with a longer one is damaged. */
const LONGEST_GAP = 600;
/** Samples of a packet of silence. */
const SILENT = 4096;

/** Formats in which many frames share a stated time, or have none. */
const counting: readonly Demuxer[] = ['mpegts', 'mpeg', 'aac', 'mp3', 'ac3', 'eac3'];

/**
 * By format, how far in seconds the stated time of a packet may be from the time at which its first frame follows the packet before. In
 * ASF a packet may begin with the end of a frame, and hold more frames or fewer than the one before. In program streams, muxers time the
 * samples of DVD to the millisecond or worse. WAV has no times: libav counts bytes, by a number of them per second that is rounded.
 */
const JITTER: Partial<Record<Demuxer, number>> = { asf: 0.25, mpeg: 0.02, wav: Number.POSITIVE_INFINITY };

/** Codecs whose packets hold many frames, how many only a decoder knows, and parts of frames of the packet before. */
export const packed: readonly number[] = [
  ...[AV_CODEC_ID_WMAV1, AV_CODEC_ID_WMAV2, AV_CODEC_ID_WMAPRO],
  ...[AV_CODEC_ID_WMAVOICE, AV_CODEC_ID_WMALOSSLESS],
];

/** Codecs whose decoders give the frames of a packet only when they have the next one, where frames do not state their length. */
const keepsBack: readonly number[] = [AV_CODEC_ID_WMAPRO, AV_CODEC_ID_WMALOSSLESS];

/** Describes the samples that a ConvertedSound writes. */
export function describeConverted(
  { codecpar }: Stream,
  model: Stream,
  { sampleRate, channels, deep }: SampleForm,
): void {
  const like = model.codecpar;
  codecpar.codecType = AVMEDIA_TYPE_AUDIO;
  codecpar.codecId = deep ? AV_CODEC_ID_PCM_S32LE : AV_CODEC_ID_PCM_S16LE;
  codecpar.format = deep ? AV_SAMPLE_FMT_S32 : AV_SAMPLE_FMT_S16;
  codecpar.sampleRate = sampleRate;
  codecpar.channelLayout = layoutFor(like.channelLayout, channels);
  codecpar.bitsPerCodedSample = deep ? 32 : 16;
  codecpar.bitRate = BigInt(codecpar.bitsPerCodedSample * sampleRate * channels);
}

function layoutFor(own: ChannelLayout, channels: number): ChannelLayout {
  const usual = usualLayout(channels);
  return own.nbChannels === channels || !usual ? knownLayout(own) : nativeLayout(usual);
}

/**
 * Decodes a sound whose configuration changes, and writes its samples at one rate and in one layout: containers state both once, and
 * what plans copy, seek and count relies on it. Gaps become silence.
 */
export class ConvertedSound {
  readonly #out: Out;
  readonly #decoder: Decoder;
  readonly #rate: number;
  readonly #layout: ChannelLayout;
  readonly #format: AVSampleFormat;
  readonly #frameBytes: number;
  /** Samples in a tick of the source. */
  readonly #unit: number;
  readonly #packet = new Packet();
  readonly #made = new Frame();
  #resampler: { context: SoftwareResampleContext; form: string } | null = null;
  /** Sample at which the next decoded frame begins if it follows the last one. */
  #due: number | null = null;
  /** Whether the demuxer counts times that packets do not state, by the sample rate of the first one. */
  readonly #countsTimes: boolean;
  /** How far in samples a stated time may be from the one that follows. */
  readonly #jitter: number;
  /** Tick at which the next frame begins by the length that the demuxer states for the last one. */
  #counted: number | null = null;
  /** Sample at which what is written ends; null before the first one. */
  #written: number | null = null;
  /** Samples to leave out of the next ones. */
  #overlap = 0;
  readonly #packed: PackedTimes<Frame> | null;

  private constructor(out: Out, model: Stream, made: Stream, decoder: Decoder, format: Demuxer) {
    this.#countsTimes = counting.includes(format);
    this.#jitter = (JITTER[format] ?? 0) * made.codecpar.sampleRate;
    this.#out = out;
    this.#decoder = decoder;
    this.#rate = made.codecpar.sampleRate;
    this.#layout = made.codecpar.channelLayout;
    this.#format = made.codecpar.format as AVSampleFormat;
    this.#frameBytes = (made.codecpar.bitsPerCodedSample / 8) * this.#layout.nbChannels;
    this.#unit = (model.timeBase.num * this.#rate) / model.timeBase.den;
    this.#packet.alloc();
    this.#made.alloc();
    const { codecId } = model.codecpar;
    const lengthOf = ({ nbSamples, sampleRate }: Frame) => (nbSamples * this.#rate) / sampleRate;
    this.#packed = packed.includes(codecId)
      ? new PackedTimes(
          { jitter: this.#jitter, rounding: 2 * this.#unit, canBeLate: keepsBack.includes(codecId) },
          lengthOf,
        )
      : null;
  }

  /**
   * @param made The stream of the output, as `describeConverted` describes it.
   * @param format Of the source.
   */
  static async open(out: Out, model: Stream, made: Stream, format: Demuxer): Promise<ConvertedSound> {
    return new ConvertedSound(out, model, made, await Decoder.open(model, { exact: false }), format);
  }

  async take(packet: Packet | null): Promise<void> {
    const decoded: Frame[] = [];
    const stated = packet && packet.pts !== AV_NOPTS_VALUE ? this.#sampleOf(packet.pts) : null;
    try {
      await this.#decoder.send(packet, async (frame) => {
        const kept = frame.clone();
        if (kept) decoded.push(kept);
      });
    } catch {
      // Packets are cut off where recordings were joined; what they lack becomes silence.
    }
    if (this.#packed) this.#convertPacked(this.#packed.take(stated, decoded));
    else for (const frame of decoded) this.#convert(frame, this.#timeOf(frame));
  }

  async end(): Promise<void> {
    await this.take(null);
    if (this.#packed) this.#convertPacked(this.#packed.end());
    this.#drain();
  }

  /** Second of the result at which what is written ends; null before the first sample. */
  get ends(): number | null {
    return this.#written === null ? null : this.#written / this.#rate;
  }

  close(): void {
    this.#resampler?.context.free();
    this.#decoder.close();
    this.#packet.free();
    this.#made.free();
  }

  #convertPacked(made: ReturnType<PackedTimes<Frame>['take']>): void {
    for (const { frames, stated } of made) {
      for (const [index, frame] of frames.entries()) {
        this.#convert(frame, this.#following(index === 0 ? stated : null));
      }
    }
  }

  /** Frees the frame. */
  #convert(frame: Frame, at: number): void {
    // Some decoders say how many channels there are, and not which.
    frame.channelLayout = knownLayout(frame.channelLayout);
    const { sampleRate, format, channelLayout } = frame;
    const form = [sampleRate, format, channelLayout.nbChannels, channelLayout.mask].join();
    if (at !== this.#due || form !== this.#resampler?.form) {
      this.#drain();
      this.#fill(Math.round(at));
      this.#resampler = { context: this.#resamplerOf(frame), form };
    }
    this.#due = at + (frame.nbSamples * this.#rate) / sampleRate;
    this.#resample(frame);
    frame.free();
  }

  /** Frames are contiguous unless the times show a gap: these may be coarser than samples, or counted at another sample rate. */
  #timeOf({ pts, duration }: Frame): number {
    if (pts === AV_NOPTS_VALUE) return this.#due ?? 0;
    const counted = this.#counted;
    this.#counted = Number(pts + duration);
    const isCounted = this.#countsTimes && counted !== null && Math.abs(Number(pts) - counted) <= ROUNDING;
    return isCounted && this.#due !== null ? this.#due : this.#following(this.#sampleOf(pts));
  }

  /** @param stated Sample at which the next frame is said to begin; null if it is not. */
  #following(stated: number | null): number {
    if (this.#due === null || stated === null) return stated ?? this.#due ?? 0;
    const isNear = Math.abs(stated - this.#due) <= Math.max(this.#jitter, ROUNDING * Math.max(1, this.#unit));
    return isNear ? this.#due : stated;
  }

  #sampleOf(pts: bigint): number {
    return Number(pts) * this.#unit - startTicks(this.#out, { num: 1, den: this.#rate });
  }

  #resamplerOf({ channelLayout, format, sampleRate }: Frame): SoftwareResampleContext {
    const context = new SoftwareResampleContext();
    const target = [this.#layout, this.#format, this.#rate] as const;
    checked(
      context.allocSetOpts2(...target, channelLayout, format as AVSampleFormat, sampleRate),
      'resample',
    );
    checked(context.init(), 'resample');
    return context;
  }

  /** Writes what the resampler still holds. */
  #drain(): void {
    if (!this.#resampler) return;
    this.#resample(null);
    this.#resampler.context.free();
    this.#resampler = null;
  }

  #resample(frame: Frame | null): void {
    if (!this.#resampler) return;
    const made = this.#made;
    made.unref();
    Object.assign(made, { format: this.#format, channelLayout: this.#layout, sampleRate: this.#rate });
    checked(this.#resampler.context.convertFrame(made, frame), 'resample');
    const bytes = made.nbSamples * this.#frameBytes;
    // What overlaps the sound before it is left out.
    const from = Math.min(bytes, this.#overlap * this.#frameBytes);
    this.#overlap -= from / this.#frameBytes;
    if (made.data?.[0] && from < bytes) this.#write(made.data[0].subarray(from, bytes));
  }

  /** Writes silence up to a sample; if that is written already, as many of the next samples are left out. */
  #fill(sample: number): void {
    const at = this.#written ?? Math.max(0, sample);
    this.#written = at;
    this.#overlap = Math.max(0, at - sample);
    if (sample - at > LONGEST_GAP * this.#rate) throw new Error('a sound has too long a gap');
    for (let left = sample - at; left > 0; left -= SILENT) {
      this.#write(Buffer.alloc(Math.min(left, SILENT) * this.#frameBytes));
    }
  }

  #write(samples: Buffer): void {
    const length = samples.length / this.#frameBytes;
    const packet = this.#packet;
    packet.data = Buffer.from(samples);
    packet.pts = packet.dts = BigInt(this.#written ?? 0);
    packet.duration = BigInt(length);
    packet.isKeyframe = true;
    this.#written = (this.#written ?? 0) + length;
    write(this.#out, packet, { num: 1, den: this.#rate });
    packet.unref();
  }
}

import {
  AV_CODEC_ID_AAC,
  AV_CODEC_ID_ALAC,
  AV_CODEC_ID_H264,
  AV_CODEC_ID_OPUS,
  AV_CODEC_ID_VP9,
  AV_NOPTS_VALUE,
  AVMEDIA_TYPE_AUDIO,
} from 'node-av/constants';
import { avGetCodecName, type FormatContext, type IRational, type Packet, type Stream } from 'node-av/lib';
import { alacFrameLength, alacSamples } from '../../../../bitstream/alac.ts';
import { amrFrames } from '../../../../bitstream/amr.ts';
import { hasAdtsHeader } from '../../../../bitstream/payload.ts';
import { PROFILE_444, versionRepeater } from '../../../../bitstream/x264-version.ts';
import { isUnsteady } from '../../../../model/source/unsteady-sound.ts';
import { checked, configurationOf } from '../av.ts';
import { refill } from '../read/refill.ts';
import type { Order } from './frame-order.ts';
import { KeyCorrection } from './key-flags.ts';

/** Destination of a track. */
export interface Out {
  output: FormatContext;
  /** Of the stream. */
  index: number;
  timeBase: IRational;
  /** Second of the source that becomes 0. */
  start: number;
}

export const startTicks = ({ start }: Out, { num, den }: IRational) => Math.round((start * den) / num);

export function write({ output, index, timeBase }: Out, packet: Packet, from: IRational): void {
  packet.streamIndex = index;
  packet.rescaleTs(from, timeBase);
  checked(output.interleavedWriteFrameSync(packet), 'write');
}

/**
 * Writes video packets at computed times. A packet without a frame is the second field of the previous one; in VP9, libav joins it
 * with the next one.
 */
export class PictureTrack {
  #out: Out;
  #timeBase: IRational;
  #times: Order;
  #repeated: ((unit: Uint8Array) => Uint8Array) | null;
  readonly #keys: KeyCorrection | null;
  #pending: { packet: Packet; index: number; more: Buffer[] } | null = null;
  readonly #joinsNext: boolean;
  /** Packets to join with the next one. */
  #unseen: Packet[] = [];
  #count = 0;
  #written = 0;

  /** @param redrawn Whether its packets are encoded again, all as keyframes. */
  constructor(out: Out, model: Stream, times: Order, { redrawn = false } = {}) {
    this.#out = out;
    this.#timeBase = model.timeBase;
    this.#times = times;
    this.#keys = redrawn ? null : new KeyCorrection(model);
    const { codecId, profile } = model.codecpar;
    const repeats = codecId === AV_CODEC_ID_H264 && (profile as number) === PROFILE_444;
    this.#joinsNext = codecId === AV_CODEC_ID_VP9;
    this.#repeated = repeats ? versionRepeater(configurationOf(model).extradata) : null;
  }

  take(packet: Packet): void {
    const index = this.#count;
    this.#count += 1;
    if (index >= this.#times.pts.length || this.#times.omitted.has(index)) return;
    if ((this.#times.pts[index] ?? null) === null) {
      if (this.#joinsNext) this.#joinLater(packet);
      else this.#pending?.more.push(Buffer.from(packet.data ?? []));
      return;
    }
    this.end();
    const kept = packet.clone();
    if (kept) this.#pending = { packet: kept, index, more: [] };
  }

  #joinLater(packet: Packet): void {
    this.end();
    const kept = packet.clone();
    if (kept) this.#unseen.push(kept);
  }

  end(): void {
    if (!this.#pending) return;
    const { packet, index, more } = this.#pending;
    const { pts, dts, durations } = this.#times;
    if (more.length > 0) refill(packet, Buffer.concat([packet.data ?? Buffer.alloc(0), ...more]));
    this.#keys?.correct(packet);
    if (this.#repeated && packet.isKeyframe && packet.data) refill(packet, this.#repeated(packet.data));
    const zero = startTicks(this.#out, this.#timeBase);
    packet.pts = BigInt((pts[index] ?? 0) - zero);
    packet.dts = BigInt((dts[this.#written] ?? 0) - zero);
    packet.duration = BigInt(durations[index] ?? 0);
    for (const unseen of this.#unseen) {
      Object.assign(unseen, { pts: packet.pts, dts: packet.dts });
      write(this.#out, unseen, this.#timeBase);
      unseen.free();
    }
    this.#unseen = [];
    write(this.#out, packet, this.#timeBase);
    packet.free();
    this.#written += 1;
    this.#pending = null;
  }
}

/** Largest rounding error of a container's times, in ticks. */
export const ROUNDING = 2;

/** Length of an AMR frame. */
const AMR_SECONDS = 0.02;

/** Codecs whose packets may hold several frames. */
const AMR: Readonly<Record<string, 'narrow' | 'wide'>> = { amr_nb: 'narrow', amr_wb: 'wide' };

/** A packet that is away from the ones before it. In ticks of the track. */
interface Stray {
  packet: Packet;
  stated: number;
  length: number;
  /** By how much. */
  off: number;
}

/** In seconds. For up to this long, sound may be away from where it belongs and come back. */
const ASTRAY_SECONDS = 1;
/** In seconds. Sound that is late by less and then early, or the other way round, has come back. */
const UNSTEADY_SECONDS = 0.1;

/**
 * Aligns audio packets to the sample grid that the container's times approximate. A packet that is said to be elsewhere stays behind the
 * one before it if those that follow do. Where they have the times at which they arrived, they are as late as the one that was the quickest.
 */
export class SoundTrack {
  #out: Out;
  /** Ticks of the track in a tick of the source. */
  #unit: number;
  /** Whether a tick of the track is a sample. */
  #inSamples: boolean;
  /** Samples of a packet, or 0 if they vary. */
  #frameSize: number;
  /** Samples of a whole frame; null for other codecs. */
  #alac: number | null;
  #amr: 'narrow' | 'wide' | null;
  #isOpus: boolean;
  /** Whether each packet has to begin with what muxers make the configuration of. */
  #isAdts: boolean;
  #next: number | null = null;
  #latest = Number.NEGATIVE_INFINITY;
  #astray: Stray[] = [];

  constructor(out: Out, { timeBase, codecpar }: Stream) {
    const { codecType, codecId, sampleRate, frameSize, extradata } = codecpar;
    this.#out = out;
    this.#unit = (timeBase.num * out.timeBase.den) / (timeBase.den * out.timeBase.num);
    this.#inSamples = codecType === AVMEDIA_TYPE_AUDIO && out.timeBase.den === sampleRate;
    this.#frameSize = frameSize;
    this.#alac = codecId === AV_CODEC_ID_ALAC ? alacFrameLength(new Uint8Array(extradata ?? [])) : null;
    this.#isOpus = codecId === AV_CODEC_ID_OPUS;
    this.#isAdts = codecId === AV_CODEC_ID_AAC && (extradata?.length ?? 0) === 0;
    this.#amr = AMR[avGetCodecName(codecId) ?? ''] ?? null;
  }

  take(packet: Packet): void {
    // Where a recording was cut off within a packet, its parser passes on what is left of it, which muxers refuse.
    if (this.#isAdts && !hasAdtsHeader(packet.data ?? new Uint8Array())) return;
    const unit = this.#unit;
    const zero = startTicks(this.#out, this.#out.timeBase);
    const stated = packet.pts === AV_NOPTS_VALUE ? null : Number(packet.pts) * unit - zero;
    const frames = this.#amr && amrFrames(packet.data ?? new Uint8Array(), this.#amr);
    const samples = this.#samplesOf(packet);
    const counted = frames === null && this.#inSamples && samples !== null;
    const length = counted ? samples : Math.round(Number(packet.duration) * unit);
    if (frames) {
      const at = stated === null || this.#isNear(stated, this.#next) ? (this.#next ?? 0) : Math.round(stated);
      this.#writeFrames(packet, frames, { at, length });
    } else if (counted || unit !== 1 || this.#isOpus) this.#place(packet, stated, length);
    // In the container's own time base, a length is a rounded one, and its error would add up, but for Opus.
    else this.#put(packet, stated === null ? (this.#next ?? 0) : Math.round(stated), length);
  }

  #isNear(stated: number, place: number | null): boolean {
    return place !== null && Math.abs(stated - place) <= ROUNDING * this.#unit;
  }

  /** Where the next packet belongs if the strays do not count. */
  get #behind(): number | null {
    return this.#next === null ? null : this.#astray.reduce((at, { length }) => at + length, this.#next);
  }

  #place(packet: Packet, stated: number | null, length: number): void {
    const behind = this.#behind;
    const last = this.#astray.at(-1);
    const placed = stated ?? (last ? last.stated + last.length : behind) ?? 0;
    const off = placed - (behind ?? placed);
    const most = UNSTEADY_SECONDS * this.#out.timeBase.den;
    const crosses = last !== undefined && last.off * off < 0 && Math.abs(off) <= most;
    if (behind === null || crosses || this.#isNear(placed, behind)) {
      this.#settle((_, next) => next);
      this.#put(packet, behind ?? Math.round(placed), length);
      return;
    }
    const kept = packet.clone();
    if (!kept) throw new Error('out of memory for a packet');
    this.#astray.push({ packet: kept, stated: placed, length, off });
    const awhile = ASTRAY_SECONDS * this.#out.timeBase.den;
    if (behind + length - (this.#next ?? 0) > awhile) this.#leave();
  }

  /** The packets that are away do not come back. */
  #leave(): void {
    const { den } = this.#out.timeBase;
    const blocks = this.#astray.map(({ stated, length }) => ({ time: stated / den, length: length / den }));
    if (isUnsteady(blocks)) {
      const [first] = this.#astray.toSorted((a, b) => Math.abs(a.off) - Math.abs(b.off));
      this.#next = Math.round((this.#next ?? 0) + (first?.off ?? 0));
      this.#settle((_, next) => next);
    } else this.#settle((stated, next) => (this.#isNear(stated, next) ? next : Math.round(stated)));
  }

  #settle(place: (stated: number, next: number) => number): void {
    for (const { packet, stated, length } of this.#astray) {
      this.#put(packet, place(stated, this.#next ?? 0), length);
      packet.free();
    }
    this.#astray = [];
  }

  #put(packet: Packet, at: number, length: number): void {
    this.#next = at + length;
    this.#write(packet, at, length);
  }

  /** Null for codecs with packets of any length. */
  #samplesOf(packet: Packet): number | null {
    if (this.#alac !== null) return alacSamples(packet.data ?? new Uint8Array(), this.#alac);
    return this.#frameSize > 0 ? this.#frameSize : null;
  }

  /** Each frame becomes a packet; those after the end of the packet's duration are not part of the track. */
  #writeFrames(packet: Packet, frames: readonly Uint8Array[], packed: { at: number; length: number }): void {
    const each = this.#out.timeBase.den * AMR_SECONDS;
    const end = packed.length > 0 ? packed.length : frames.length * each;
    this.#next = packed.at + end;
    for (const [index, frame] of frames.entries()) {
      const before = index * each;
      if (before >= end) return;
      const own = packet.clone();
      if (!own) throw new Error('out of memory for a packet');
      refill(own, frame);
      this.#write(own, packed.at + before, Math.min(each, end - before));
      own.free();
    }
  }

  #write(packet: Packet, at: number, length: number): void {
    // Where two recordings were joined, packets may overlap; muxers refuse a time that does not rise.
    this.#latest = Math.max(at, this.#latest + 1);
    packet.pts = packet.dts = BigInt(this.#latest);
    packet.duration = BigInt(length);
    write(this.#out, packet, this.#out.timeBase);
  }

  end(): void {
    this.#leave();
  }

  close(): void {
    for (const { packet } of this.#astray) packet.free();
    this.#astray = [];
  }
}

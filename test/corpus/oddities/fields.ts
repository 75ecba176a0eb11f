import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MASTER, type Oddity } from './oddity.ts';

/** Whole macroblocks in each field. */
const WIDTH = 96;
const HEIGHT = 64;
const FRAMES = 50;

/** H.264 in which each field is a picture of its own, with samples as they are; no encoder of ffmpeg makes it. */
export const fields: readonly Oddity[] = [
  inFields('fields.flv', 20),
  inFields('fields.ts', 1800),
  inFields('fields.mp4', 24_000),
];

/** As cameras of Sony begin. Of these frames ffmpeg drops the first two, but for B-frames, which cannot be coded here. */
export const leadingFields = inFields('leading-fields.ts', 1800, 'two leading frames');

type Order = 'as shown' | 'two leading frames';

/** @param ticks Of the container, from field to field. */
function inFields(name: string, ticks: number, order: Order = 'as shown'): Oddity {
  return {
    name,
    make: async ({ directory, ffmpeg }) => {
      const [samples, stream] = [`${name}.yuv`, `${name}.h264`];
      const shape = ['-vf', `scale=${WIDTH}:${HEIGHT},fps=25,format=yuv420p`, '-frames:v', `${FRAMES}`];
      await ffmpeg(...MASTER, '-an', ...shape, '-f', 'rawvideo', samples);
      await writeFile(join(directory, stream), coded(await readFile(join(directory, samples)), order));
      const shown = order === 'as shown' ? 'N' : 'N+2+4*lt(N\\,2)-2*between(N\\,2\\,5)';
      const times = ['-bsf:v', `setts=pts=(${shown})*${ticks}:dts=N*${ticks}`];
      await ffmpeg('-framerate', '25', '-i', stream, '-c', 'copy', ...times, name);
      await Promise.all([samples, stream].map((file) => rm(join(directory, file))));
    },
  };
}

/** @param samples Frames of yuv420p. */
function coded(samples: Buffer, order: Order): Buffer {
  const size = (WIDTH * HEIGHT * 3) / 2;
  const frames = Array.from({ length: samples.length / size }, (_, at) =>
    samples.subarray(at * size, (at + 1) * size),
  );
  const units = [sequence(order), picture()];
  const add = (frame: Buffer, number: number, place: Place) => {
    units.push(slice(frame, number, { ...place, bottom: false }));
    units.push(slice(frame, number, { ...place, bottom: true }));
  };
  if (order === 'as shown') for (const [at, frame] of frames.entries()) add(frame, at, {});
  else {
    const [first, second, third, ...others] = frames as [Buffer, Buffer, Buffer, ...Buffer[]];
    add(third, 0, { shown: 0 });
    add(first, 1, { shown: -4, kind: 'leads' });
    add(second, 1, { shown: -2, kind: 'leads' });
    for (const [at, frame] of others.entries()) add(frame, at + 1, { shown: 2 * (at + 1), kind: 'follows' });
  }
  return Buffer.concat(units);
}

interface Place {
  /** Picture order count of the first field; absent where pictures are shown as they are coded. */
  shown?: number;
  /** Absent for an IDR picture. `leads`: shown before the one that it follows, and no reference. */
  kind?: 'leads' | 'follows';
}

class Bits {
  #bits: number[] = [];

  u(value: number, count: number): this {
    for (let bit = count - 1; bit >= 0; bit--) this.#bits.push((value >> bit) & 1);
    return this;
  }

  /** Exp-Golomb. */
  ue(value: number): this {
    const length = Math.floor(Math.log2(value + 1));
    return this.u(0, length).u(value + 1, length + 1);
  }

  align(bit: 0 | 1): this {
    if (bit === 1) this.#bits.push(1);
    while (this.#bits.length % 8 !== 0) this.#bits.push(0);
    return this;
  }

  bytes(): number[] {
    return Array.from({ length: this.#bits.length / 8 }, (_, at) =>
      this.#bits.slice(8 * at, 8 * at + 8).reduce((byte, bit) => 2 * byte + bit, 0),
    );
  }
}

/** ISO/IEC 14496-10, section 7.3.2.1.1: Main profile, two fields a frame. */
function sequence(order: Order): Buffer {
  const bits = new Bits().u(0x4d001e, 24).ue(0).ue(0);
  const ordered = order === 'as shown' ? bits.ue(2) : bits.ue(0).ue(ORDER_BITS - 4);
  const shaped = ordered
    .ue(1)
    .u(0, 1)
    .ue(WIDTH / 16 - 1)
    .ue(HEIGHT / 32 - 1);
  if (order === 'as shown') return unit(0x67, shaped.u(0b00100, 5).align(1).bytes());
  // Annex E.1.1: one frame is coded before others that are shown earlier.
  const reordered = shaped.u(0b00101, 5).u(0, 8).u(0b11, 2).ue(0).ue(0).ue(16).ue(16).ue(1).ue(2);
  return unit(0x67, reordered.align(1).bytes());
}

const ORDER_BITS = 8;

/** Section 7.3.2.2: CAVLC, with control of the deblocking filter. */
const picture = () =>
  unit(
    0x68,
    new Bits().ue(0).ue(0).u(0, 2).ue(0).ue(0).ue(0).u(0, 3).ue(0).ue(0).ue(0).u(0b100, 3).align(1).bytes(),
  );

/**
 * A field as one slice; sections 7.3.3 and 7.3.5. The second field of an IDR picture is not an IDR picture. What leads is of type P, since ffmpeg
 * takes other pictures for keyframes.
 */
function slice(frame: Buffer, number: number, { bottom, shown, kind }: Place & { bottom: boolean }): Buffer {
  const leads = kind === 'leads';
  const bits = new Bits()
    .ue(0)
    .ue(leads ? 5 : 7)
    .ue(0)
    .u(kind ? number % 16 : 0, 4)
    .u(1, 1)
    .u(bottom ? 1 : 0, 1);
  const isIdr = !bottom && !kind;
  if (isIdr) bits.ue(number % 2);
  if (shown !== undefined) bits.u((shown + (bottom ? 1 : 0)) & (2 ** ORDER_BITS - 1), ORDER_BITS);
  if (leads) bits.u(0, 2);
  else bits.u(0, isIdr ? 2 : 1);
  /** After no skipped macroblocks, if some may be skipped. */
  const macroblockType = (of: Bits) => (leads ? of.ue(0).ue(5 + I_PCM) : of.ue(I_PCM)).align(0).bytes();
  // No change of the quantiser, and no deblocking.
  const bytes = macroblockType(bits.ue(0).ue(1));
  const across = WIDTH / 16;
  const count = (across * HEIGHT) / 32;
  for (let block = 0; block < count; block++) {
    if (block > 0) bytes.push(...macroblockType(new Bits()));
    bytes.push(...macroblock(frame, block % across, Math.floor(block / across), bottom ? 1 : 0));
  }
  return unit(isIdr ? 0x65 : leads ? 0x01 : 0x61, [...bytes, 0x80]);
}

const I_PCM = 25;

/** Every other row of each plane. */
function macroblock(frame: Buffer, x: number, y: number, parity: number): number[] {
  const luma = WIDTH * HEIGHT;
  const planes = [
    { at: 0, width: WIDTH, side: 16 },
    { at: luma, width: WIDTH / 2, side: 8 },
    { at: luma * 1.25, width: WIDTH / 2, side: 8 },
  ];
  return planes.flatMap(({ at, width, side }) =>
    Array.from({ length: side }, (_, row) => {
      const from = at + (2 * (side * y + row) + parity) * width + side * x;
      return [...frame.subarray(from, from + side)];
    }).flat(),
  );
}

/** A NAL unit with a start code and emulation prevention; section 7.4.1. */
function unit(header: number, payload: readonly number[]): Buffer {
  const bytes = [0, 0, 0, 1, header];
  let zeros = 0;
  for (const byte of payload) {
    if (zeros >= 2 && byte <= 3) {
      bytes.push(3);
      zeros = 0;
    }
    bytes.push(byte);
    zeros = byte === 0 ? zeros + 1 : 0;
  }
  return Buffer.from(bytes);
}

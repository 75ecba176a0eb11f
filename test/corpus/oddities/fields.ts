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

/** @param ticks Of the container, from field to field. */
function inFields(name: string, ticks: number): Oddity {
  return {
    name,
    make: async ({ directory, ffmpeg }) => {
      const [samples, stream] = [`${name}.yuv`, `${name}.h264`];
      const shape = ['-vf', `scale=${WIDTH}:${HEIGHT},fps=25,format=yuv420p`, '-frames:v', `${FRAMES}`];
      await ffmpeg(...MASTER, '-an', ...shape, '-f', 'rawvideo', samples);
      await writeFile(join(directory, stream), coded(await readFile(join(directory, samples))));
      const times = ['-bsf:v', `setts=ts=N*${ticks}`];
      await ffmpeg('-framerate', '25', '-i', stream, '-c', 'copy', ...times, name);
      await Promise.all([samples, stream].map((file) => rm(join(directory, file))));
    },
  };
}

/** @param samples Frames of yuv420p. */
function coded(samples: Buffer): Buffer {
  const size = (WIDTH * HEIGHT * 3) / 2;
  const units = [sequence(), picture()];
  for (let at = 0; at + size <= samples.length; at += size) {
    const frame = samples.subarray(at, at + size);
    units.push(slice(frame, (at / size) % 2, false), slice(frame, 0, true));
  }
  return Buffer.concat(units);
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

/** ISO/IEC 14496-10, section 7.3.2.1.1: Main profile, order of output as coded, two fields a frame. */
const sequence = () =>
  unit(
    0x67,
    new Bits()
      .u(0x4d001e, 24)
      .ue(0)
      .ue(0)
      .ue(2)
      .ue(1)
      .u(0, 1)
      .ue(WIDTH / 16 - 1)
      .ue(HEIGHT / 32 - 1)
      .u(0b00100, 5)
      .align(1)
      .bytes(),
  );

/** Section 7.3.2.2: CAVLC, with control of the deblocking filter. */
const picture = () =>
  unit(
    0x68,
    new Bits().ue(0).ue(0).u(0, 2).ue(0).ue(0).ue(0).u(0, 3).ue(0).ue(0).ue(0).u(0b100, 3).align(1).bytes(),
  );

/** A field as one slice; sections 7.3.3 and 7.3.5. The second field of an IDR picture is not an IDR picture. */
function slice(frame: Buffer, id: number, bottom: boolean): Buffer {
  const bits = new Bits()
    .ue(0)
    .ue(7)
    .ue(0)
    .u(0, 4)
    .u(1, 1)
    .u(bottom ? 1 : 0, 1);
  if (bottom) bits.u(0, 1);
  else bits.ue(id).u(0, 2);
  // No change of the quantiser, no deblocking, and the first macroblock: I_PCM.
  const bytes = bits.ue(0).ue(1).ue(I_PCM).align(0).bytes();
  const across = WIDTH / 16;
  const count = (across * HEIGHT) / 32;
  for (let block = 0; block < count; block++) {
    if (block > 0) bytes.push(...new Bits().ue(I_PCM).align(0).bytes());
    bytes.push(...macroblock(frame, block % across, Math.floor(block / across), bottom ? 1 : 0));
  }
  return unit(bottom ? 0x61 : 0x65, [...bytes, 0x80]);
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

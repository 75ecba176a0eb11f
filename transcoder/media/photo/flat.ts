import { readFileSync } from 'node:fs';
import type { View } from '../../model/photo-layers.ts';
import { Axis, MARGIN, ONE, TAPS } from './axis.ts';
import type { Plane } from './planes.ts';

/** Compiled from assembly/plane.ts. */
const PROGRAM = new URL('plane.wasm', import.meta.url);
const PAGE = 65_536;
/** Bytes that SIMD reads or writes at once, of which some may lie behind the end. */
const AT_ONCE = 16;
/** A sample of the source times a weight is 64 times as large, above bit 15. */
const SCALE = (64 << 15) / ONE;

/** What is used of the global, which @types/node does not declare. */
declare const WebAssembly: {
  Memory: new (pages: { initial: number }) => { buffer: ArrayBuffer };
  Module: new (code: Uint8Array) => object;
  Instance: new (module: object, imports: object) => { exports: Record<string, unknown> };
};

interface Size {
  width: number;
  height: number;
}

/** Addresses. */
type Weights = [rowStarts: number, rowWeights: number, columnStarts: number, columnWeights: number];

type PlaneFunction = (
  ...given: [
    source: number,
    stride: number,
    ...Weights,
    line: number,
    into: number,
    width: number,
    height: number,
  ]
) => void;

/** Draws views of a picture as planes of yuv420p, which stay until the next view is drawn. */
export function flatDrawer(
  { width, height }: Size,
  views: readonly View[],
  [luma, cb, cr]: readonly [Plane, Plane, Plane],
): (frame: number) => Uint8Array[] {
  const space = new Space();
  const small = { width: width / 2, height: height / 2 };
  const [large, fine] = [weightsIn(space, { width, height }), weightsIn(space, small)];
  const placed = [
    { picture: luma, size: { width, height }, weights: large, ...roomFor(space, luma, width * height) },
    { picture: cb, size: small, weights: fine, ...roomFor(space, cb, small.width * small.height) },
    { picture: cr, size: small, weights: fine, ...roomFor(space, cr, small.width * small.height) },
  ];
  const memory = new WebAssembly.Memory({ initial: space.pages });
  const { buffer } = memory;
  const program = new WebAssembly.Module(readFileSync(PROGRAM));
  const plane = new WebAssembly.Instance(program, { env: { memory } }).exports.plane as PlaneFunction;
  const shown = [axesOf(buffer, luma, { width, height }, large), axesOf(buffer, cb, small, fine)];
  for (const { picture, source, stride } of placed) copy(picture, new Int16Array(buffer, source), stride);
  return (frame) => {
    const view = views[frame];
    if (!view) throw new Error(`a photo has no view ${frame}`);
    for (const show of shown) show(view);
    return placed.map(({ source, stride, weights, line, into, size }) => {
      plane(source, stride, ...weights, line, into, size.width, size.height);
      return new Uint8Array(buffer, into, size.width * size.height);
    });
  };
}

/** Addresses in a memory that is made last, because a memory that grows loses its arrays. */
class Space {
  #end = 0;

  take(bytes: number): number {
    const at = this.#end;
    this.#end += AT_ONCE * (Math.ceil(bytes / AT_ONCE) + 1);
    return at;
  }

  get pages(): number {
    return Math.ceil(this.#end / PAGE);
  }
}

/** Columns are read four at a time. */
const weightsIn = (space: Space, { width, height }: Size): Weights => [
  space.take(4 * height),
  space.take(2 * TAPS * height),
  space.take(4 * (width + 3)),
  space.take(2 * TAPS * (width + 3)),
];

function roomFor(space: Space, { width, height }: Plane, samples: number) {
  const stride = width + 2 * MARGIN;
  return {
    stride,
    source: space.take(2 * stride * (height + 2 * MARGIN)),
    line: space.take(2 * stride),
    into: space.take(samples),
  };
}

function axesOf(
  buffer: ArrayBuffer,
  picture: Plane,
  size: Size,
  [rowStarts, rowWeights, columnStarts, columnWeights]: Weights,
): (view: View) => void {
  const axis = (length: number, count: number, starts: number, weights: number) =>
    new Axis(length, new Uint32Array(buffer, starts, count), new Int16Array(buffer, weights, TAPS * count));
  const rows = axis(picture.height, size.height, rowStarts, rowWeights);
  const columns = axis(picture.width, size.width, columnStarts, columnWeights);
  return ({ x, y, across, down }) => {
    rows.show(y, down);
    columns.show(x, across);
  };
}

/** Copies a picture with margins that repeat its edges. */
function copy({ pixels, first, stride, width, height }: Plane, into: Int16Array, columns: number): void {
  for (let row = 0; row < height + 2 * MARGIN; row++) {
    const from = first + Math.min(height - 1, Math.max(0, row - MARGIN)) * stride;
    const to = row * columns;
    for (let column = 0; column < width; column++) {
      into[to + MARGIN + column] = (pixels[from + column] ?? 0) * SCALE;
    }
    into.fill(into[to + MARGIN] ?? 0, to, to + MARGIN);
    into.fill(into[to + MARGIN + width - 1] ?? 0, to + MARGIN + width, to + columns);
  }
}

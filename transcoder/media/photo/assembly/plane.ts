/**
 * Resamples one plane, in AssemblyScript. `npm run generate` compiles it to ../plane.wasm.
 *
 * The source has 16-bit samples, 128 times their value. Every sample of the result is weighed from eight rows and eight
 * columns. Starts are indices of 32 bits. Weights have 16 bits; the eight of a sample add up to 1 << 14.
 *
 * @param stride Columns of the source, margins included.
 * @param line Room for one row of the source; it gets 64 times the values.
 * @param into Written in steps of four samples: the rows follow one another, and three more bytes may be written.
 */
export function plane(
  source: usize,
  stride: usize,
  rowStarts: usize,
  rowWeights: usize,
  columnStarts: usize,
  columnWeights: usize,
  line: usize,
  into: usize,
  width: usize,
  height: usize,
): void {
  const first: usize = load<u32>(columnStarts);
  const last: usize = load<u32>(columnStarts + ((width - 1) << 2)) + 8;
  const lineEnd = line + ((last - first) << 1);
  const origin = line - (first << 1);
  for (let y: usize = 0; y < height; y++) {
    const row: usize = load<u32>(rowStarts + (y << 2));
    weighRows(source + ((row * stride + first) << 1), stride << 1, rowWeights + (y << 4), line, lineEnd);
    weighColumns(origin, columnStarts, columnWeights, into + y * width, width);
  }
}

function weighRows(from: usize, rowBytes: usize, weights: usize, line: usize, lineEnd: usize): void {
  const a = v128.load16_splat(weights);
  const b = v128.load16_splat(weights, 2);
  const c = v128.load16_splat(weights, 4);
  const d = v128.load16_splat(weights, 6);
  const e = v128.load16_splat(weights, 8);
  const f = v128.load16_splat(weights, 10);
  const g = v128.load16_splat(weights, 12);
  const h = v128.load16_splat(weights, 14);
  let upper = from;
  // The relaxed product differs from the exact one only for −1 × −1, which no weight is.
  for (let to = line; to < lineEnd; to += 16) {
    const lower = upper + 4 * rowBytes;
    let even = i16x8.relaxed_q15mulr_s(v128.load(upper), a);
    let odd = i16x8.relaxed_q15mulr_s(v128.load(upper + rowBytes), b);
    even = i16x8.add(even, i16x8.relaxed_q15mulr_s(v128.load(upper + 2 * rowBytes), c));
    odd = i16x8.add(odd, i16x8.relaxed_q15mulr_s(v128.load(upper + 3 * rowBytes), d));
    even = i16x8.add(even, i16x8.relaxed_q15mulr_s(v128.load(lower), e));
    odd = i16x8.add(odd, i16x8.relaxed_q15mulr_s(v128.load(lower + rowBytes), f));
    even = i16x8.add(even, i16x8.relaxed_q15mulr_s(v128.load(lower + 2 * rowBytes), g));
    odd = i16x8.add(odd, i16x8.relaxed_q15mulr_s(v128.load(lower + 3 * rowBytes), h));
    v128.store(to, i16x8.add(even, odd));
    upper += 16;
  }
}

function weighColumns(origin: usize, starts: usize, weights: usize, into: usize, width: usize): void {
  const half = i32x4.splat(1 << 19);
  const end = into + width;
  let start = starts;
  let weight = weights;
  for (let to = into; to < end; to += 4) {
    const a = i32x4.dot_i16x8_s(v128.load(origin + (load<u32>(start) << 1)), v128.load(weight));
    const b = i32x4.dot_i16x8_s(v128.load(origin + (load<u32>(start, 4) << 1)), v128.load(weight, 16));
    const c = i32x4.dot_i16x8_s(v128.load(origin + (load<u32>(start, 8) << 1)), v128.load(weight, 32));
    const d = i32x4.dot_i16x8_s(v128.load(origin + (load<u32>(start, 12) << 1)), v128.load(weight, 48));
    const ab = i32x4.add(i32x4.shuffle(a, b, 0, 4, 1, 5), i32x4.shuffle(a, b, 2, 6, 3, 7));
    const cd = i32x4.add(i32x4.shuffle(c, d, 0, 4, 1, 5), i32x4.shuffle(c, d, 2, 6, 3, 7));
    const sums = i32x4.add(i64x2.shuffle(ab, cd, 0, 2), i64x2.shuffle(ab, cd, 1, 3));
    const values = i32x4.shr_s(i32x4.add(sums, half), 20);
    const words = i16x8.narrow_i32x4_s(values, values);
    v128.store32_lane(to, i8x16.narrow_i16x8_u(words, words), 0);
    start += 16;
    weight += 64;
  }
}

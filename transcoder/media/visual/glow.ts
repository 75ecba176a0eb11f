import type { Mask } from './mask.ts';

/** Factor by which the glow is drawn smaller before it is blurred and placed under the sharp shapes. */
const SCALE = 4;
/** The sum of a cell whose pixels are all 255. */
const BRIGHTEST = 255 * SCALE * SCALE;
/** Light of such a cell after the first blur and, at full strength, after the second: 255 with a fraction of 10 bits. */
const ONCE = 1 << 18;
const TWICE = 255 << 10;
/** Eighths of the lower one of two cells, by the row of pixels between their centers, counted from the first row of a cell. */
const LOWER = [5, 7, 1, 3] as const;
/** Light with a fraction of 5 bits that changes no pixel. */
const FAINT = 16;

/** Rows of cells from `top` to before `bottom`; all others are dark. */
interface Lit {
  top: number;
  bottom: number;
}

/** All arithmetic is of integers, because it is done for every pixel of every frame. */
export class Glow {
  /** In cells. */
  readonly #width: number;
  readonly #height: number;
  /** One row more than the mask has, which stays dark. */
  readonly #light: Int32Array;
  readonly #blurred: Int32Array;
  readonly #sums: Int32Array;
  readonly #radius: number;
  readonly #strength: number;

  /** `reach` in pixels of the mask; `strength` 0 … 1. */
  constructor(mask: Mask, reach: number, strength: number) {
    this.#width = Math.ceil(mask.width / SCALE);
    this.#height = Math.ceil(mask.height / SCALE);
    this.#light = new Int32Array(this.#width * (this.#height + 1));
    this.#blurred = new Int32Array(this.#light.length);
    this.#sums = new Int32Array(this.#width);
    this.#radius = Math.max(1, Math.round(reach / SCALE / 2));
    this.#strength = strength;
  }

  apply(mask: Mask): void {
    const view = new DataView(mask.pixels.buffer);
    const drawn = this.#reduce(mask, view);
    const once = this.#blur(drawn, ONCE / BRIGHTEST);
    const { top, bottom } = this.#blur(once, (TWICE * this.#strength) / ONCE);
    const last = Math.min(mask.height, bottom * SCALE + SCALE / 2);
    for (let y = Math.max(0, top * SCALE - SCALE / 2); y < last; y++) this.#lay(mask, view, y);
  }

  /** Sums the pixels of each cell. */
  #reduce({ width, height }: Mask, view: DataView): Lit {
    const light = this.#light.fill(0);
    const cells = Math.floor(width / SCALE);
    let top = this.#height;
    let bottom = 0;
    for (let y = 0; y < height; y++) {
      const row = Math.floor(y / SCALE);
      const to = row * this.#width;
      const from = y * width;
      let any = 0;
      for (let cell = 0; cell < cells; cell++) {
        const four = view.getUint32(from + SCALE * cell, true);
        if (four === 0) continue;
        any |= four;
        const pairs = (four & 0xff00ff) + ((four >>> 8) & 0xff00ff);
        light[to + cell] = (light[to + cell] ?? 0) + (pairs & 0xffff) + (pairs >>> 16);
      }
      if (any === 0) continue;
      top = Math.min(top, row);
      bottom = row + 1;
    }
    return { top: Math.min(top, bottom), bottom };
  }

  /** Blurs across, then down, and multiplies by `scale`. */
  #blur({ top, bottom }: Lit, scale: number): Lit {
    for (let y = top; y < bottom; y++) this.#blurRow(y * this.#width);
    const from = this.#blurred;
    const to = this.#light;
    const sums = this.#sums.fill(0);
    const width = this.#width;
    const radius = this.#radius;
    const share = scale / (2 * radius + 1) ** 2;
    const dark = this.#height * width;
    const first = Math.max(0, top - radius);
    const last = Math.min(this.#height, bottom + radius);
    for (let y = top - radius; y < last; y++) {
      const enters = y + radius >= top && y + radius < bottom ? (y + radius) * width : dark;
      const leaves = y > first && y - radius > top ? (y - radius - 1) * width : dark;
      if (y < first) {
        for (let x = 0; x < width; x++) sums[x] = (sums[x] ?? 0) + (from[enters + x] ?? 0);
        continue;
      }
      const row = y * width;
      for (let x = 0; x < width; x++) {
        const sum = (sums[x] ?? 0) + (from[enters + x] ?? 0) - (from[leaves + x] ?? 0);
        sums[x] = sum;
        to[row + x] = sum * share;
      }
    }
    return { top: first, bottom: last };
  }

  #blurRow(start: number): void {
    const from = this.#light;
    const to = this.#blurred;
    const width = this.#width;
    const radius = this.#radius;
    let sum = 0;
    for (let x = 0; x < Math.min(width, radius); x++) sum += from[start + x] ?? 0;
    for (let x = 0; x < width; x++) {
      if (x + radius < width) sum += from[start + x + radius] ?? 0;
      if (x > radius) sum -= from[start + x - radius - 1] ?? 0;
      to[start + x] = sum;
    }
  }

  /** Brightens row `y` of the mask: four pixels at a time, which are between the centers of two cells. */
  #lay({ pixels, width }: Mask, view: DataView, y: number): void {
    const light = this.#light;
    const upper = Math.floor((y - SCALE / 2) / SCALE);
    const above = Math.max(0, upper) * this.#width;
    const below = Math.min(this.#height - 1, upper + 1) * this.#width;
    const lower = LOWER[(y % SCALE) as 0 | 1 | 2 | 3];
    const higher = 8 - lower;
    const start = y * width;
    const inside = Math.floor((width - SCALE / 2) / SCALE);
    let a = (Math.imul(light[above] ?? 0, higher) + Math.imul(light[below] ?? 0, lower)) >> 8;
    for (let x = 0; x < SCALE / 2; x++) pixels[start + x] = lit(pixels[start + x] ?? 0, a << 3);
    for (let cell = 1; cell <= inside; cell++) {
      const before = a;
      a = (Math.imul(light[above + cell] ?? 0, higher) + Math.imul(light[below + cell] ?? 0, lower)) >> 8;
      if ((before | a) < FAINT) continue;
      const at = start + SCALE * cell - SCALE / 2;
      const four = view.getInt32(at, true);
      if (four === -1) continue;
      // Light of the first and third pixel, and of the second and fourth, with a fraction of 8 bits.
      const odd = Math.imul(before, 0x30007) + Math.imul(a, 0x50001);
      const even = Math.imul(before, 0x10005) + Math.imul(a, 0x70003);
      if (four === 0) {
        view.setInt32(at, (((odd + 0x800080) >>> 8) & 0xff00ff) | ((even + 0x800080) & 0xff00ff00), true);
        continue;
      }
      pixels[at] = lit(four & 255, odd & 0xffff);
      pixels[at + 1] = lit((four >>> 8) & 255, even & 0xffff);
      pixels[at + 2] = lit((four >>> 16) & 255, odd >>> 16);
      pixels[at + 3] = lit(four >>> 24, even >>> 16);
    }
    const last = Math.min(inside + 1, this.#width - 1);
    const b = (Math.imul(light[above + last] ?? 0, higher) + Math.imul(light[below + last] ?? 0, lower)) >> 8;
    const rest = SCALE * inside + SCALE / 2;
    for (let x = rest; x < width; x++) {
      const part = 2 * (x - rest) + 1;
      pixels[start + x] = lit(pixels[start + x] ?? 0, Math.imul(a, 8 - part) + Math.imul(b, part));
    }
  }
}

/** A pixel with light of 0 to 255, which has a fraction of 8 bits. */
function lit(value: number, light: number): number {
  const more = Math.imul(255 - value, light);
  return value + ((more + (more >> 8) + 0x8000) >> 16);
}

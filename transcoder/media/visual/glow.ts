import type { Mask } from './mask.ts';

/** Factor by which the glow is drawn smaller before it is blurred and placed under the sharp shapes. */
const SCALE = 4;

export class Glow {
  readonly #width: number;
  readonly #height: number;
  readonly #light: Float32Array;
  readonly #blurred: Float32Array;
  readonly #row: Float32Array;
  readonly #radius: number;
  readonly #strength: number;

  /** `reach` in pixels of the mask; `strength` 0 … 1. */
  constructor(mask: Mask, reach: number, strength: number) {
    this.#width = Math.ceil(mask.width / SCALE);
    this.#height = Math.ceil(mask.height / SCALE);
    this.#light = new Float32Array(this.#width * this.#height);
    this.#blurred = new Float32Array(this.#width * this.#height);
    this.#row = new Float32Array(this.#width + 2);
    this.#radius = Math.max(1, Math.round(reach / SCALE / 2));
    this.#strength = strength;
  }

  apply(mask: Mask): void {
    this.#reduce(mask);
    for (let pass = 0; pass < 2; pass++) {
      blurRows(this.#light, this.#blurred, this.#width, this.#height, this.#radius);
      blurColumns(this.#blurred, this.#light, this.#width, this.#height, this.#radius);
    }
    for (let y = 0; y < mask.height; y++) this.#lay(mask, y);
  }

  #reduce({ pixels, width, height }: Mask): void {
    this.#light.fill(0);
    for (let y = 0; y < height; y++) {
      const to = Math.floor(y / SCALE) * this.#width;
      const from = y * width;
      for (let x = 0; x + 3 < width; x += SCALE) {
        const sum =
          (pixels[from + x] ?? 0) +
          (pixels[from + x + 1] ?? 0) +
          (pixels[from + x + 2] ?? 0) +
          (pixels[from + x + 3] ?? 0);
        if (sum !== 0) this.#light[to + x / SCALE] = (this.#light[to + x / SCALE] ?? 0) + sum;
      }
    }
  }

  #lay({ pixels, width }: Mask, y: number): void {
    const place = (y + 0.5) / SCALE - 0.5;
    const upper = Math.max(0, Math.floor(place));
    const lower = Math.min(this.#height - 1, upper + 1);
    const share = Math.min(1, Math.max(0, place - upper));
    const scale = this.#strength / (SCALE * SCALE * 255);
    const row = this.#row;
    let any = 0;
    for (let x = 0; x < this.#width; x++) {
      const a = this.#light[upper * this.#width + x] ?? 0;
      const value = (a + ((this.#light[lower * this.#width + x] ?? 0) - a) * share) * scale;
      row[x + 1] = value;
      any = Math.max(any, value);
    }
    if (any < 1 / 512) return;
    row[0] = row[1] ?? 0;
    row[this.#width + 1] = row[this.#width] ?? 0;
    const start = y * width;
    for (let x = 0; x < width; x++) {
      const column = (x + 0.5) / SCALE + 0.5;
      const left = Math.floor(column);
      const a = row[left] ?? 0;
      const light = Math.min(1, a + ((row[left + 1] ?? a) - a) * (column - left));
      const value = pixels[start + x] ?? 0;
      pixels[start + x] = value + (255 - value) * light + 0.5;
    }
  }
}

function blurRows(from: Float32Array, to: Float32Array, width: number, height: number, radius: number): void {
  const share = 1 / (2 * radius + 1);
  for (let y = 0; y < height; y++) {
    const start = y * width;
    let sum = 0;
    for (let x = 0; x < Math.min(width, radius); x++) sum += from[start + x] ?? 0;
    for (let x = 0; x < width; x++) {
      if (x + radius < width) sum += from[start + x + radius] ?? 0;
      if (x - radius - 1 >= 0) sum -= from[start + x - radius - 1] ?? 0;
      to[start + x] = Math.max(0, sum * share);
    }
  }
}

function blurColumns(
  from: Float32Array,
  to: Float32Array,
  width: number,
  height: number,
  radius: number,
): void {
  const share = 1 / (2 * radius + 1);
  const sums = new Float32Array(width);
  for (let y = 0; y < Math.min(height, radius); y++) {
    for (let x = 0; x < width; x++) sums[x] = (sums[x] ?? 0) + (from[y * width + x] ?? 0);
  }
  for (let y = 0; y < height; y++) {
    const [enters, leaves] = [y + radius, y - radius - 1];
    for (let x = 0; x < width; x++) {
      const more = enters < height ? (from[enters * width + x] ?? 0) : 0;
      const less = leaves >= 0 ? (from[leaves * width + x] ?? 0) : 0;
      const sum = (sums[x] ?? 0) + more - less;
      sums[x] = sum;
      to[y * width + x] = Math.max(0, sum * share);
    }
  }
}

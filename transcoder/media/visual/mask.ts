/** A coverage map, 0–255 per pixel. Shapes are antialiased; where they overlap, the higher value wins. */
export class Mask {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
  /** The pixels of one row of a shape. */
  readonly #row: Uint8Array;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.pixels = new Uint8Array(width * height);
    this.#row = new Uint8Array(width);
  }

  clear(): void {
    this.pixels.fill(0);
  }

  /** A rectangle with rounded corners; coordinates are pixel edges, not pixel centers. */
  roundRect(x0: number, y0: number, x1: number, y1: number, radius: number, alpha: number): void {
    const r = Math.min(radius, (x1 - x0) / 2, (y1 - y0) / 2);
    if (r < 0) return;
    const cx = (x0 + x1) / 2;
    const cy = (y0 + y1) / 2;
    const hx = (x1 - x0) / 2 - r;
    const hy = (y1 - y0) / 2 - r;
    const left = Math.max(0, Math.floor(x0));
    const right = Math.min(this.width, Math.ceil(x1));
    const bottom = Math.min(this.height, Math.ceil(y1));
    const full = Math.round(255 * alpha);
    const solidLeft = Math.ceil(x0 + 0.5);
    const solidRight = Math.floor(x1 - 0.5);
    const solidAcross = solidRight > solidLeft;
    let straight = false;
    for (let row = Math.max(0, Math.floor(y0)); row < bottom; row++) {
      const dy = Math.abs(row + 0.5 - cy) - hy;
      // All rows between the corners are alike.
      const solid = solidAcross && dy <= Math.min(0, r - 1) && dy + 0.5 <= r;
      if (!(solid && straight)) {
        for (let column = left; column < right; column++) {
          const dx = Math.abs(column + 0.5 - cx) - hx;
          const inside = solid && column >= solidLeft && column < solidRight;
          this.#row[column] = inside ? full : Math.round(full * coverage(dx, dy, r));
        }
      }
      straight = solid;
      this.#lay(row, left, right);
    }
  }

  /** Keeps the higher of the old and new value of each pixel. */
  #lay(row: number, left: number, right: number): void {
    const { pixels } = this;
    const values = this.#row;
    const start = row * this.width;
    for (let column = left; column < right; column++) {
      const value = values[column] ?? 0;
      if (value > (pixels[start + column] ?? 0)) pixels[start + column] = value;
    }
  }

  /** Everything within `radius` of a line segment. */
  capsule(x0: number, y0: number, x1: number, y1: number, radius: number, alpha: number): void {
    const { pixels } = this;
    const reach = radius + 0.5;
    const dx = x1 - x0;
    const dy = y1 - y0;
    const length2 = dx * dx + dy * dy;
    const inner = Math.max(0, radius - 0.5);
    const inner2 = inner * inner;
    const outer2 = reach * reach;
    const full = 255 * alpha;
    const highest = Math.round(full);
    const bottom = Math.min(this.height - 1, Math.floor(Math.max(y0, y1) + reach));
    for (let row = Math.max(0, Math.floor(Math.min(y0, y1) - reach)); row <= bottom; row++) {
      const y = row + 0.5;
      let t0 = 0;
      let t1 = 1;
      if (dy !== 0) {
        const a = (y - reach - y0) / dy;
        const b = (y + reach - y0) / dy;
        t0 = Math.max(0, Math.min(a, b));
        t1 = Math.min(1, Math.max(a, b));
        if (t0 > t1) continue;
      }
      const xa = x0 + t0 * dx;
      const xb = x0 + t1 * dx;
      const left = Math.max(0, Math.floor(Math.min(xa, xb) - reach));
      const right = Math.min(this.width - 1, Math.floor(Math.max(xa, xb) + reach));
      const py = y - y0;
      for (let column = left; column <= right; column++) {
        const at = row * this.width + column;
        const before = pixels[at] ?? 0;
        if (before >= highest) continue;
        const px = column + 0.5 - x0;
        const t = length2 === 0 ? 0 : Math.min(1, Math.max(0, (px * dx + py * dy) / length2));
        const ox = px - t * dx;
        const oy = py - t * dy;
        const away2 = ox * ox + oy * oy;
        if (away2 >= outer2) continue;
        const value = away2 <= inner2 ? highest : Math.round(full * Math.min(1, reach - Math.sqrt(away2)));
        if (value > before) pixels[at] = value;
      }
    }
  }

  disc(x: number, y: number, radius: number, alpha: number): void {
    const reach = radius + 0.5;
    const inner = Math.max(0, radius - 0.5);
    const full = 255 * alpha;
    const bottom = Math.min(this.height - 1, Math.floor(y + reach));
    for (let row = Math.max(0, Math.floor(y - reach)); row <= bottom; row++) {
      const py2 = (row + 0.5 - y) ** 2;
      const wide2 = reach * reach - py2;
      if (wide2 <= 0) continue;
      const wide = Math.sqrt(wide2);
      const solid = Math.sqrt(Math.max(0, inner * inner - py2));
      const left = Math.max(0, Math.ceil(x - wide - 0.5));
      const right = Math.min(this.width, Math.floor(x + wide + 0.5));
      for (let column = left; column < right; column++) {
        const px = Math.abs(column + 0.5 - x);
        const part = px <= solid ? 1 : Math.min(1, reach - Math.sqrt(px * px + py2));
        this.#row[column] = Math.round(full * part);
      }
      this.#lay(row, left, right);
    }
  }

  /** A line through points, given as alternating x and y. */
  polyline(points: Float32Array, radius: number, alpha: number): void {
    for (let at = 0; at + 3 < points.length; at += 2) {
      const x0 = points[at] ?? 0;
      const y0 = points[at + 1] ?? 0;
      this.capsule(x0, y0, points[at + 2] ?? 0, points[at + 3] ?? 0, radius, alpha);
    }
  }

  circle(x: number, y: number, radius: number, thickness: number, alpha: number): void {
    const steps = Math.max(24, Math.ceil(radius * 1.2));
    const points = new Float32Array(2 * (steps + 1));
    for (let step = 0; step <= steps; step++) {
      const angle = (2 * Math.PI * step) / steps;
      points[2 * step] = x + radius * Math.cos(angle);
      points[2 * step + 1] = y + radius * Math.sin(angle);
    }
    this.polyline(points, thickness / 2, alpha);
  }
}

/** Coverage of a pixel whose center is `dx` and `dy` outside of the centers of the corners, of radius `r`. */
function coverage(dx: number, dy: number, r: number): number {
  const [right, down] = [Math.max(dx, 0), Math.max(dy, 0)];
  const outside = Math.sqrt(right * right + down * down) + Math.min(0, Math.max(dx, dy)) - r;
  return Math.min(1, Math.max(0, 0.5 - outside));
}

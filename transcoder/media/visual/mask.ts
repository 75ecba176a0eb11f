/** A coverage map, 0–255 per pixel. Shapes are antialiased; where they overlap, the higher value wins. */
export class Mask {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.pixels = new Uint8Array(width * height);
  }

  clear(): void {
    this.pixels.fill(0);
  }

  /** Keeps the higher of the old and new value. */
  #put(at: number, value: number): void {
    if (value > (this.pixels[at] ?? 0)) this.pixels[at] = value;
  }

  #run(row: number, from: number, to: number, value: number): void {
    const start = row * this.width;
    for (let at = start + from; at < start + to; at++) this.#put(at, value);
  }

  /** A rectangle with rounded corners; coordinates are pixel edges, not pixel centres. */
  roundRect(x0: number, y0: number, x1: number, y1: number, radius: number, alpha: number): void {
    const r = Math.min(radius, (x1 - x0) / 2, (y1 - y0) / 2);
    if (r < 0) return;
    const [cx, cy] = [(x0 + x1) / 2, (y0 + y1) / 2];
    const [hx, hy] = [(x1 - x0) / 2 - r, (y1 - y0) / 2 - r];
    const [left, right] = [Math.max(0, Math.floor(x0)), Math.min(this.width, Math.ceil(x1))];
    const bottom = Math.min(this.height, Math.ceil(y1));
    const full = Math.round(255 * alpha);
    const [solidLeft, solidRight] = [Math.ceil(x0 + 0.5), Math.floor(x1 - 0.5)];
    for (let row = Math.max(0, Math.floor(y0)); row < bottom; row++) {
      const dy = Math.abs(row + 0.5 - cy) - hy;
      const solid = dy <= Math.min(0, r - 1) && dy + 0.5 <= r && solidRight > solidLeft;
      if (solid) this.#run(row, Math.max(0, solidLeft), Math.min(this.width, solidRight), full);
      for (let column = left; column < right; column++) {
        if (solid && column >= solidLeft && column < solidRight) {
          column = solidRight - 1;
          continue;
        }
        const dx = Math.abs(column + 0.5 - cx) - hx;
        const outside = Math.hypot(Math.max(dx, 0), Math.max(dy, 0)) + Math.min(0, Math.max(dx, dy)) - r;
        const coverage = Math.min(1, Math.max(0, 0.5 - outside));
        this.#put(row * this.width + column, Math.round(full * coverage));
      }
    }
  }

  /** Everything within `radius` of a line segment; a disc if both ends coincide. */
  capsule(x0: number, y0: number, x1: number, y1: number, radius: number, alpha: number): void {
    const reach = radius + 0.5;
    const [dx, dy] = [x1 - x0, y1 - y0];
    const length2 = dx * dx + dy * dy;
    const [inner2, outer2] = [Math.max(0, radius - 0.5) ** 2, reach * reach];
    const full = 255 * alpha;
    const bottom = Math.min(this.height - 1, Math.floor(Math.max(y0, y1) + reach));
    for (let row = Math.max(0, Math.floor(Math.min(y0, y1) - reach)); row <= bottom; row++) {
      const y = row + 0.5;
      let [t0, t1] = [0, 1];
      if (dy !== 0) {
        const [a, b] = [(y - reach - y0) / dy, (y + reach - y0) / dy];
        t0 = Math.max(0, Math.min(a, b));
        t1 = Math.min(1, Math.max(a, b));
        if (t0 > t1) continue;
      }
      const [xa, xb] = [x0 + t0 * dx, x0 + t1 * dx];
      const left = Math.max(0, Math.floor(Math.min(xa, xb) - reach));
      const right = Math.min(this.width - 1, Math.floor(Math.max(xa, xb) + reach));
      for (let column = left; column <= right; column++) {
        const [px, py] = [column + 0.5 - x0, y - y0];
        const t = length2 === 0 ? 0 : Math.min(1, Math.max(0, (px * dx + py * dy) / length2));
        const [ox, oy] = [px - t * dx, py - t * dy];
        const away2 = ox * ox + oy * oy;
        if (away2 >= outer2) continue;
        const coverage = away2 <= inner2 ? 1 : Math.min(1, reach - Math.sqrt(away2));
        this.#put(row * this.width + column, Math.round(full * coverage));
      }
    }
  }

  /** A line through points, given as alternating x and y. */
  polyline(points: Float32Array, radius: number, alpha: number): void {
    for (let at = 0; at + 3 < points.length; at += 2) {
      const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = points.subarray(at, at + 4);
      this.capsule(x0, y0, x1, y1, radius, alpha);
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

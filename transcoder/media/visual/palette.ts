import type { VisualStyleName } from '../../../schema/media/visual-styles.ts';
import type { Palette } from '../../model/steps.ts';

type Triple = readonly [number, number, number];

/** Position along the gradient, 0–1, for each point of a style; `x` and `y` run from −1 to 1, `y` pointing down. */
const along: Record<VisualStyleName, (x: number, y: number) => number> = {
  bars: (x) => (x + 1) / 2,
  wave: (x) => (x + 1) / 2,
  spectrum: (_, y) => (1 - y) / 2,
  ring: (x, y) => 1 - Math.abs(Math.atan2(x, y)) / Math.PI,
  line: (x) => (x + 1) / 2,
  mirror: (x) => Math.abs(x),
  cqt: (x) => (x + 1) / 2,
  vectorscope: (x, y) => Math.hypot(x, y),
  dots: (_, y) => (1 - y) / 2,
};

const STEPS = 1024;

/** The palette as a binary PPM. */
export function palettePicture({ style, width, height, margin, colors }: Palette): Buffer {
  const stops = colors.map(oklabOf);
  const steps = Uint8Array.from(
    Array.from({ length: STEPS + 1 }, (_, step) => sampled(stops, step / STEPS)).flat(),
  );
  const header = Buffer.from(`P6\n${width} ${height}\n255\n`);
  const picture = Buffer.alloc(header.length + 3 * width * height);
  header.copy(picture);
  const placeOf = along[style];
  const spread = (at: number, length: number) => (2 * (at + 0.5 - margin)) / (length - 2 * margin) - 1;
  const across = Float64Array.from({ length: width }, (_, column) => spread(column, width));
  let to = header.length;
  for (let row = 0; row < height; row++) {
    const y = spread(row, height);
    for (const x of across) {
      const place = Math.min(1, Math.max(0, placeOf(x, y)));
      const step = 3 * Math.round(place * STEPS);
      picture[to++] = steps[step] ?? 0;
      picture[to++] = steps[step + 1] ?? 0;
      picture[to++] = steps[step + 2] ?? 0;
    }
  }
  return picture;
}

function sampled(stops: readonly Triple[], place: number): Triple {
  const at = place * (stops.length - 1);
  const index = Math.min(stops.length - 1, Math.floor(at));
  const from = stops[index] ?? [0, 0, 0];
  const to = stops[index + 1] ?? from;
  const between = (n: 0 | 1 | 2) => from[n] + (to[n] - from[n]) * (at - index);
  return rgbOf([between(0), between(1), between(2)]);
}

/** Colors are mixed in OKLab because its gradients have no muddy middle. https://bottosson.github.io/posts/oklab/ */
function oklabOf(color: string): Triple {
  const linear = (at: number) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  const [r, g, b] = [linear(1), linear(3), linear(5)];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function rgbOf([lightness, a, b]: Triple): Triple {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const byte = (value: number) => {
    const clipped = Math.min(1, Math.max(0, value));
    const coded = clipped <= 0.0031308 ? 12.92 * clipped : 1.055 * clipped ** (1 / 2.4) - 0.055;
    return Math.round(255 * coded);
  };
  return [
    byte(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    byte(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    byte(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

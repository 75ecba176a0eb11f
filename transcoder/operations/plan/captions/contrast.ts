/** Lowest contrast of WCAG 2 for text. https://www.w3.org/TR/WCAG22/#contrast-minimum */
const LEAST = 4.5;

const levels = (color: string) => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));

/** https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminance(rgb: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = rgb.map((level) => {
    const share = level / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: readonly number[], other: readonly number[]): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

const [black, white] = ['#000000', '#FFFFFF'];

/** The one of black and white that is easier to tell from a color: its contrast is at least 4.58. */
export const farFrom = (color: string): string =>
  contrast(levels(color), levels(black)) > contrast(levels(color), levels(white)) ? black : white;

/** Whether letters of one color can be read on another. */
export const readableOn = (color: string, surface: string) =>
  contrast(levels(color), levels(surface)) >= LEAST;

/** The box behind letters and the outline around them. */
interface Surroundings {
  background: { color: string; opacity: number } | null;
  outline: { color: string; width: number };
}

/** Whether letters of a color can be read with what a preset draws around them, whatever the picture. */
export function readableIn(color: string, { background, outline }: Surroundings): boolean {
  if (outline.width > 0) return readableOn(color, outline.color);
  if (!background) return false;
  const { opacity } = background;
  const over = (picture: string) =>
    levels(background.color).map((level, at) => opacity * level + (1 - opacity) * (levels(picture)[at] ?? 0));
  return [black, white].every((picture) => contrast(levels(color), over(picture)) >= LEAST);
}

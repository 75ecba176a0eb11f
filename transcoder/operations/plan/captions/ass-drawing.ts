/** Rounds to a hundredth, as of a pixel. */
export const hundredth = (value: number) => Number(value.toFixed(2));

/** In pixels of the picture. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A box with rounded corners as the text of an event at its upper left corner; corners are Bézier curves. @param color With alpha. */
export function shape(
  { width, height }: Pick<Box, 'width' | 'height'>,
  radius: number,
  color: string,
): string {
  const r = Math.min(radius, width / 2, height / 2);
  const k = r * 0.4477;
  const n = hundredth;
  const [w, h] = [width, height];
  const path = [
    ...[`m ${n(r)} 0 l ${n(w - r)} 0`, `b ${n(w - k)} 0 ${n(w)} ${n(k)} ${n(w)} ${n(r)}`],
    ...[`l ${n(w)} ${n(h - r)}`, `b ${n(w)} ${n(h - k)} ${n(w - k)} ${n(h)} ${n(w - r)} ${n(h)}`],
    ...[`l ${n(r)} ${n(h)}`, `b ${n(k)} ${n(h)} 0 ${n(h - k)} 0 ${n(h - r)}`],
    ...[`l 0 ${n(r)}`, `b 0 ${n(k)} ${n(k)} 0 ${n(r)} 0`],
  ].join(' ');
  return drawing(path, color);
}

/** A path as the text of an event. @param path In pixels from its place. @param color With alpha. */
export function drawing(path: string, color: string): string {
  const [alpha, plain] = [color.slice(2, 4), `&H${color.slice(4)}&`];
  return `{\\bord0\\shad0\\1c${plain}\\1a&H${alpha}&\\p1}${path}{\\p0}`;
}

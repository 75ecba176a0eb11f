/** Names of colors that people write most. */
const colorNames: Record<string, string> = {
  ...{ black: '000000', white: 'ffffff', red: 'ff0000', green: '008000', blue: '0000ff', yellow: 'ffff00' },
  ...{
    orange: 'ffa500',
    purple: '800080',
    pink: 'ffc0cb',
    cyan: '00ffff',
    magenta: 'ff00ff',
    lime: '00ff00',
  },
  ...{ gray: '808080', grey: '808080', silver: 'c0c0c0', gold: 'ffd700', brown: 'a52a2a', navy: '000080' },
};

const hexColor = /^(?:#|0x)?([0-9a-f]{6}|[0-9a-f]{3})$/;
const rgbColor = /^rgb\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)$/;

/** A color in another notation as `#rrggbb`; null if the text is none. */
function colorNear(text: string): string | null {
  const hex = colorNames[text] ?? hexColor.exec(text)?.[1];
  if (hex !== undefined) return `#${hex.length === 3 ? hex.replace(/./g, '$&$&') : hex}`;
  const parts = rgbColor.exec(text)?.slice(1).map(Number);
  if (!parts?.every((part) => part <= 255)) return null;
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

const ratioNames: Record<string, string> = {
  ...{ vertical: '9:16', portrait: '9:16', story: '9:16', landscape: '16:9', horizontal: '16:9' },
  ...{ widescreen: '16:9', wide: '16:9', square: '1:1' },
};

const commonRatios = ['16:9', '9:16', '1:1', '4:3', '3:4', '4:5', '5:4', '3:2', '2:3', '21:9'];
const twoSides = /^(\d{1,4})\s?[x×*/:]\s?(\d{1,4})$/;
const quotient = /^\d{1,2}(?:\.\d{1,6})?$/;

const commonDivisor = (one: number, other: number): number =>
  other === 0 ? one : commonDivisor(other, one % other);

/** An aspect ratio in another notation as `width:height`; null if the text is none. */
function ratioNear(text: string): string | null {
  const named = ratioNames[text];
  if (named !== undefined) return named;
  const [width = 0, height = 0] = twoSides.exec(text)?.slice(1).map(Number) ?? [];
  if (width > 0 && height > 0) {
    const divisor = commonDivisor(width, height);
    return `${width / divisor}:${height / divisor}`;
  }
  if (!quotient.test(text)) return null;
  const near = (ratio: string) => {
    const [wide = 0, high = 1] = ratio.split(':').map(Number);
    return Math.abs(wide / high - Number(text)) < 0.005;
  };
  return commonRatios.find(near) ?? null;
}

const MAX_CHARACTERS = 30;

/** The usual notation of a color or an aspect ratio that is given in another one, if the field takes it; null otherwise. */
export function valueNear(given: string | number, takes: (value: string) => boolean): string | null {
  const text = String(given).trim().toLowerCase();
  // A field for free text takes everything.
  if (text.length > MAX_CHARACTERS || takes('?')) return null;
  return [colorNear(text), ratioNear(text)].find((near) => near !== null && takes(near)) ?? null;
}

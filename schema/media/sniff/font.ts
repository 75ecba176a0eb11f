import { latin1 } from './bytes.ts';

const types: Readonly<Record<string, string>> = {
  '\0\x01\0\0': 'font/ttf',
  true: 'font/ttf',
  OTTO: 'font/otf',
  ttcf: 'font/collection',
  wOFF: 'font/woff',
  wOF2: 'font/woff2',
};

/** The media type of a file that begins like a font: TrueType, OpenType, a collection, WOFF or WOFF2; otherwise null. */
export const fontType = (head: Uint8Array): string | null => types[latin1(head, 0, 4)] ?? null;

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Programs } from '../ffmpeg/run.ts';
import type { Letters, SetLine, Typeface } from '../model/letters.ts';
import { Emoji } from './emoji.ts';
import { Faces } from './faces.ts';
import { type InstalledFonts, installedFonts } from './installed-fonts.ts';
import { packagedFonts } from './packaged-fonts.ts';
import { capitals, emojiSize, setLine } from './set-line.ts';

const require = createRequire(import.meta.url);
/** Converts WOFF2 to TrueType; the package has no types. */
const decompress: (font: Uint8Array) => Promise<Uint8Array> = require('wawoff2/decompress');

/** Lines that are kept: a caption is measured when it is divided and again when it is drawn. */
const KEPT = 5000;

export interface LoadedLetters {
  letters: Letters;
  fonts: InstalledFonts;
}

/** Lists the fonts of this machine and reads that of the emoji. */
export async function loadLetters(
  programs: Programs,
  list: Promise<InstalledFonts> = installedFonts(programs),
): Promise<LoadedLetters> {
  const file = require.resolve('twemoji-colr-font/twemoji.woff2');
  const [installed, packed] = await Promise.all([list, readFile(file)]);
  const fonts: InstalledFonts = new Map([...installed, ...packagedFonts()]);
  const faces = new Faces(fonts);
  const emoji = new Emoji(Uint8Array.from(await decompress(packed)));
  const lines = new Map<string, SetLine>();
  const letters: Letters = {
    lineOf: (text, type, parts = []) => {
      const key = JSON.stringify([text, type.font, type.bold, type.spacing, type.language, parts]);
      const known = lines.get(key);
      if (known) return known;
      const line = setLine(faces, text, type, parts);
      if (lines.size >= KEPT) lines.clear();
      lines.set(key, line);
      return line;
    },
    emoji: (cluster) => emoji.layersOf(cluster),
    emojiSize: (type: Typeface) => emojiSize(faces, type),
    capitals: (type) => capitals(faces, type),
  };
  return { letters, fonts };
}

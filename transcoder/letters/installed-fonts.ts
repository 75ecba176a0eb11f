import { isInstalled, type Programs, run } from '../ffmpeg/run.ts';

export interface FontFile {
  path: string;
  /** In a collection. */
  index: number;
  bold: boolean;
  italic: boolean;
  /** Whether its letters may reach beyond the ends of a line, which is then measured. */
  overhangs?: boolean | undefined;
}

/** The fonts of usual width that fontconfig knows, by family. libass chooses among the same. */
export type InstalledFonts = ReadonlyMap<string, readonly FontFile[]>;

/** `FC_WEIGHT_REGULAR` and `FC_WEIGHT_BOLD`. */
const weights: Record<string, boolean> = { 80: false, 200: true };

const FORMAT = String.raw`%{family}\t%{weight}\t%{slant}\t%{width}\t%{index}\t%{file}\n`;

/** `FC_SLANT_ROMAN`, `FC_SLANT_ITALIC` and `FC_SLANT_OBLIQUE`. */
const slants: Record<string, boolean> = { 0: false, 100: true, 110: true };

/** None where fontconfig is missing: captions in our own fonts need no others. */
export async function installedFonts(
  programs: Programs,
  isThere: typeof isInstalled = isInstalled,
): Promise<InstalledFonts> {
  if (!isThere('fc-list')) return new Map();
  const { stdout } = await run(programs, 'fc-list', ['--format', FORMAT], { timeoutSeconds: 60 });
  return fontsListed(stdout);
}

/** Reads what `fc-list` prints in the format above. */
export function fontsListed(text: string): InstalledFonts {
  const fonts = new Map<string, FontFile[]>();
  for (const line of text.split('\n')) {
    const [names = '', weight = '', slant = '', width = '', index = '', path = ''] = line.split('\t');
    const bold = weights[weight];
    const italic = slants[slant];
    if (bold === undefined || italic === undefined || width !== '100' || path === '') continue;
    // A font can have names in several languages.
    for (const family of names.split(',')) {
      const files = fonts.get(family) ?? [];
      if (!files.some((file) => file.bold === bold && file.italic === italic))
        files.push({ path, index: Number(index), bold, italic });
      fonts.set(family, files);
    }
  }
  return fonts;
}

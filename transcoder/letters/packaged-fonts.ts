import { createRequire } from 'node:module';
import type { PackagedFont } from '../../schema/media/caption-presets.ts';
import type { FontFile } from './installed-fonts.ts';

const require = createRequire(import.meta.url);

/** Files of npm's packages of the fonts; the bold ones are those that captions use. */
const files: Record<PackagedFont, { regular: string | null; bold: string }> = {
  Montserrat: {
    regular: 'montserrat/400Regular/Montserrat_400Regular.ttf',
    bold: 'montserrat/800ExtraBold/Montserrat_800ExtraBold.ttf',
  },
  Poppins: {
    regular: 'poppins/400Regular/Poppins_400Regular.ttf',
    bold: 'poppins/700Bold/Poppins_700Bold.ttf',
  },
  Oswald: {
    regular: 'oswald/400Regular/Oswald_400Regular.ttf',
    bold: 'oswald/700Bold/Oswald_700Bold.ttf',
  },
  Fredoka: {
    regular: 'fredoka/400Regular/Fredoka_400Regular.ttf',
    bold: 'fredoka/700Bold/Fredoka_700Bold.ttf',
  },
  'Playfair Display': {
    regular: 'playfair-display/400Regular/PlayfairDisplay_400Regular.ttf',
    bold: 'playfair-display/700Bold/PlayfairDisplay_700Bold.ttf',
  },
  'Roboto Slab': {
    regular: 'roboto-slab/400Regular/RobotoSlab_400Regular.ttf',
    bold: 'roboto-slab/700Bold/RobotoSlab_700Bold.ttf',
  },
  Anton: { regular: null, bold: 'anton/400Regular/Anton_400Regular.ttf' },
  'Archivo Black': { regular: null, bold: 'archivo-black/400Regular/ArchivoBlack_400Regular.ttf' },
  Bangers: { regular: null, bold: 'bangers/400Regular/Bangers_400Regular.ttf' },
  'Luckiest Guy': { regular: null, bold: 'luckiest-guy/400Regular/LuckiestGuy_400Regular.ttf' },
  'Permanent Marker': {
    regular: null,
    bold: 'permanent-marker/400Regular/PermanentMarker_400Regular.ttf',
  },
  'Titan One': { regular: null, bold: 'titan-one/400Regular/TitanOne_400Regular.ttf' },
};

/** Where a font is; a family of one weight has it in place of both. */
export function packagedFontPath(family: PackagedFont, bold: boolean): string {
  const { regular, bold: heavy } = files[family];
  return require.resolve(`@expo-google-fonts/${bold ? heavy : (regular ?? heavy)}`);
}

/** The fonts of npm's packages, by family. */
export const packagedFonts = (): [PackagedFont, FontFile[]][] =>
  (Object.keys(files) as PackagedFont[]).map((family) => [
    family,
    [true, false].map((bold) => ({
      ...{ path: packagedFontPath(family, bold), index: 0, bold, italic: false, overhangs: true },
    })),
  ]);

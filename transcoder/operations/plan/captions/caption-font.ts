import { isPackaged } from '../../../../schema/media/caption-presets.ts';
import { BROUGHT_FONT, FONTS, type FontFamily } from '../../../model/letters.ts';
import type { Step } from '../../../model/steps.ts';

interface Drawn {
  font: FontFamily;
  bold: boolean;
}

/** Puts a font that is not one of the system into the directory of the task. The caller's is there already. */
export const fontSteps = ({ font, bold }: Drawn): Step[] =>
  isPackaged(font) ? [{ kind: 'font', file: `${FONTS}/font.ttf`, family: font, bold }] : [];

/** Whether the file of a font is in the directory of the task. */
export const hasOwnFile = (font: FontFamily): boolean => font === BROUGHT_FONT || isPackaged(font);

/** Options of the filter `ass` for a font of `fontSteps` or of the caller. */
export const fontOptions = ({ font }: Drawn): { fontsdir?: string } =>
  hasOwnFile(font) ? { fontsdir: FONTS } : {};

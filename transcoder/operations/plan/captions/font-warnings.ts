import type { Warning } from '../../../../schema/task/task.ts';
import { graphemes } from '../../../model/graphemes.ts';
import { BROUGHT_FONT } from '../../../model/letters.ts';
import { type Drawn, typeset } from './layout.ts';
import type { CaptionCue } from './segmentation.ts';

/** Share of the letters that a font may lack without a warning: names and quotations in other languages. */
const FEW = 0.02;
const NAMED = 10;
const letter = /[\p{L}\p{N}]/u;

/** What of the captions the font of the caller does not draw as expected. */
export function lettersLacking(cues: readonly CaptionCue[], drawn: Drawn): Warning[] {
  if (drawn.look.font !== BROUGHT_FONT) return [];
  const lacking = new Set<string>();
  let [all, lacked] = [0, 0];
  for (const { text, set } of typeset(cues, drawn)) {
    for (const { from, to, family } of set.runs) {
      const letters = graphemes(text.slice(from, to)).filter((one) => letter.test(one));
      all += letters.length;
      if (family === BROUGHT_FONT) continue;
      lacked += letters.length;
      for (const one of letters) lacking.add(one);
    }
  }
  const warnings: Warning[] = [];
  if (lacked > FEW * all) {
    const some = `${[...lacking].slice(0, NAMED).join(' ')}${lacking.size > NAMED ? ' …' : ''}`;
    const detail = `The font in style.font_url lacks ${lacked} of ${all} letters, which are drawn with other fonts: ${some}`;
    warnings.push({ code: 'font_lacks_letters', detail });
  }
  if ('variable' in drawn.letters && drawn.letters.variable) warnings.push(variable);
  return warnings;
}

const variable: Warning = {
  code: 'font_variable',
  detail:
    'The font in style.font_url is variable and is drawn in its default style. For another weight, give a font file of that weight.',
};

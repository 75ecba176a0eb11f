import type { CueMark } from '../../../schema/media/cue-markup.ts';
import { srtText, vttText } from '../../../schema/media/subtitles.ts';
import { type CaptionOutput, MOST_WORDS_TOLD } from '../../../schema/operations/captions-auto.ts';
import type { Facts } from '../../model/plan.ts';
import { assText } from '../plan/captions/ass-document.ts';
import type { Drawn } from '../plan/captions/layout.ts';
import { type CaptionCue, cueText, wordsOf } from '../plan/captions/segmentation.ts';
import { type CaptionWord, given, textOf } from '../plan/captions/words.ts';
import { type Written, writtenText } from '../plan/output.ts';
import { micros } from '../plan/require-streams.ts';
import { speakersIn, turnsOf } from '../plan/speech/who-speaks.ts';

export interface Captioned {
  cues: readonly CaptionCue[];
  words: readonly CaptionWord[];
  /** Only for `ass`. */
  drawn?: Drawn;
  language: string | null;
  /** Running text for `txt`; by default it has a line for every caption. */
  text?: string;
}

/** The requested files, in order. @param what First part of their roles and names. */
export function captionFiles(
  outputs: readonly CaptionOutput[],
  captioned: Captioned,
  what = 'captions',
): Written[] {
  return outputs.map((output) => {
    const extension = output === 'words_json' ? 'json' : output;
    return writtenText(`${what}_${output}`, `${what}-${output}`, extension, textOfFile(output, captioned));
  });
}

const wordListed = ({ start, end, text, confidence, speaker }: CaptionWord) => ({
  ...{ start: micros(start), end: micros(end), text, confidence: confidence ?? null },
  ...given({ speaker }),
});

/** The words and speakers in a result, which lists the first of very many. */
export function spokenData(words: readonly CaptionWord[], facts: Facts) {
  const listed = words.slice(0, MOST_WORDS_TOLD);
  return { words: listed.map(wordListed), speakers: speakersIn(words, listed, facts) };
}

/** Parts of a caption's text by speaker. */
function voicesOf({ lines }: CaptionCue): CueMark[] {
  const marks: CueMark[] = [];
  let at = -1;
  let before: string | undefined;
  for (const row of lines) {
    for (const [index, { text, glued, speaker }] of row.entries()) {
      // After a space or a line break.
      const from = index > 0 && glued ? at : at + 1;
      at = from + text.length;
      const last = marks.at(-1);
      if (last && speaker === before && speaker !== undefined) last.to = at;
      else if (speaker !== undefined) marks.push({ from, to: at, speaker });
      before = speaker;
    }
  }
  return marks;
}

function textOfFile(output: CaptionOutput, { cues, words, drawn, language, text }: Captioned): string {
  const timed = cues.map((cue) => ({
    start: cue.start,
    end: cue.end,
    text: cueText(cue),
    marks: voicesOf(cue),
  }));
  switch (output) {
    case 'srt':
      return srtText(timed);
    case 'vtt':
      return vttText(timed);
    case 'ass':
      if (!drawn) throw new Error('captions without a picture');
      return assText(cues, drawn);
    case 'txt':
      return text !== undefined ? `${text}\n` : `${cues.map((cue) => textOf(wordsOf(cue))).join('\n')}\n`;
    case 'words_json': {
      const content = words.map(({ color, bold, italic, ...word }) => ({
        ...wordListed(word),
        ...given({ color, bold, italic }),
      }));
      const turns = turnsOf(words);
      const listed = { language, words: content, ...(turns.length > 0 ? { turns } : {}) };
      return `${JSON.stringify(listed, null, 2)}\n`;
    }
  }
}

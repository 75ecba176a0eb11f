import { textMediaTypes } from '../../../schema/media/media-types.ts';
import { srtText, vttText } from '../../../schema/media/subtitles.ts';
import type { CaptionOutput } from '../../../schema/operations/captions-auto.ts';
import type { Written } from '../plan/output.ts';
import { micros } from '../plan/require-streams.ts';
import { assText } from './ass-document.ts';
import type { Drawn } from './layout.ts';
import { type CaptionCue, cueText } from './segmentation.ts';
import type { CaptionWord } from './words.ts';

export interface Captioned {
  cues: readonly CaptionCue[];
  words: readonly CaptionWord[];
  drawn: Drawn;
  language: string | null;
}

/** The requested files, in order. */
export function captionFiles(outputs: readonly CaptionOutput[], captioned: Captioned): Written[] {
  return outputs.map((output) => {
    const extension = output === 'words_json' ? 'json' : output;
    const file = `captions-${output}.${extension}`;
    return {
      file: { role: `captions_${output}`, file, extension, media_type: textMediaTypes[extension] },
      step: { kind: 'text', file, text: textOfFile(output, captioned) },
    };
  });
}

function textOfFile(output: CaptionOutput, { cues, words, drawn, language }: Captioned): string {
  const timed = cues.map((cue) => ({ start: cue.start, end: cue.end, text: cueText(cue) }));
  switch (output) {
    case 'srt':
      return srtText(timed);
    case 'vtt':
      return vttText(timed);
    case 'ass':
      return assText(cues, drawn);
    case 'txt':
      return `${cues.map((cue) => cueText(cue, ' ')).join('\n')}\n`;
    case 'words_json': {
      const content = words.map(({ start, end, text, confidence }) => ({
        ...{ start: micros(start), end: micros(end), text, confidence: confidence ?? null },
      }));
      return `${JSON.stringify({ language, words: content }, null, 2)}\n`;
    }
  }
}

import { textMediaTypes } from '../../../schema/media/media-types.ts';
import { srtText, vttText } from '../../../schema/media/subtitles.ts';
import type { CaptionOutput } from '../../../schema/operations/captions-auto.ts';
import type { Plan, PlannedFile } from '../../model/plan.ts';
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

interface CaptionFile extends PlannedFile {
  text: string;
}

/** The requested files, in order. */
export function captionFiles(outputs: readonly CaptionOutput[], captioned: Captioned): CaptionFile[] {
  return outputs.map((output) => {
    const extension = output === 'words_json' ? 'json' : output;
    const text = textOfFile(output, captioned);
    return {
      role: `captions_${output}`,
      file: `captions-${output}.${extension}`,
      extension,
      media_type: textMediaTypes[extension],
      text,
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

/** Adds caption files to a plan. */
export function withFiles(plan: Plan, files: readonly CaptionFile[]): Plan {
  return {
    ...plan,
    ...(plan.otherwise ? { otherwise: withFiles(plan.otherwise, files) } : {}),
    steps: [...plan.steps, ...files.map(({ file, text }) => ({ kind: 'text' as const, file, text }))],
    files: [...plan.files, ...files.map(({ text: _, ...file }) => file)],
  };
}

import { engineUsedOf } from '../../../schema/media/engines.ts';
import type { OperationInput } from '../../../schema/operations/index.ts';
import { MOST_TEXT_TOLD, timedScript } from '../../../schema/operations/transcribe.ts';
import type { Warning } from '../../../schema/task/task.ts';
import type { Brought, Planner } from '../../model/plan.ts';
import type { CaptionWord, TextRequest } from '../../model/read-text.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import { endsSentence, lengthOfWord } from '../plan/captions/line-breaking.ts';
import { readCaptions } from '../plan/captions/parse-input.ts';
import { grouped } from '../plan/captions/segmentation.ts';
import { namesIn, speakerChanges } from '../plan/captions/speakers.ts';
import { textOf } from '../plan/captions/words.ts';
import { planOf } from '../plan/output.ts';
import { audioOf, lengthOf, only } from '../plan/require-streams.ts';
import { asSentences, languageOf, listening, recognized } from '../plan/speech/recognition.ts';
import { listeningForSpeakers, namedBy } from '../plan/speech/who-speaks.ts';
import { captionFiles, spokenData } from './sidecar-files.ts';

type Input = OperationInput<'transcribe'>;

export const transcribe: Planner<Input> = {
  reads: scriptText,

  analyses: (input, probes, means) => {
    const probe = only(probes);
    if (input.audio_url !== undefined) audioOf(probe);
    lengthOf(probe);
    return [
      listening(input, scriptOf(input, means.brought), probe, means),
      ...listeningForSpeakers(input, false, probe, means),
    ];
  },

  plan: ({ input, probes, facts, brought }) => {
    const end = lengthOf(only(probes));
    const warnings: Warning[] = [];
    const scripted = scriptOf(input, brought) !== null;
    const heard = recognized(facts, scripted, warnings);
    const named = namedBy<CaptionWord>(heard.words, facts, input, false);
    const words = scripted ? named : asSentences(named, heard.engine, input.vocabulary);
    const language = languageOf(input, heard, warnings);
    const cues = grouped([{ words, shown: null }], {
      ...{ maxChars: input.max_chars_per_line, maxLines: input.max_lines, lengthOf: lengthOfWord },
      ...{ maxWords: Number.POSITIVE_INFINITY, least: 0.833, most: 7, pace: 20, gap: 0.08, end },
    });
    const text = paragraphs(words);
    const files = captionFiles(input.outputs, { cues, words, language, text }, 'transcript');
    const data = {
      text: text.slice(0, MOST_TEXT_TOLD),
      ...spokenData(words, facts),
      ...{ word_count: words.length, cue_count: cues.length, language },
      ...{ engine: engineUsedOf(heard.engine, heard.model), times: scripted ? 'aligned' : 'heard' },
    };
    return planOf({ steps: files.map(({ step }) => step), files, data, warnings });
  },
};

function scriptText({ script }: Input): TextRequest | null {
  return script === undefined ? null : { as: 'captions', field: 'script', text: script };
}

/** Throws `captions_invalid`. */
function scriptOf(input: Input, brought: Brought | undefined): string | null {
  const asked = scriptText(input);
  if (!asked) return null;
  const read =
    brought?.read?.as === 'captions' ? brought.read.captions : readCaptions(asked.text, asked.field);
  if (read.kind === 'script') return read.text;
  throw new TaskFailure('captions_invalid', `\`script\` ${timedScript}`);
}

/** A pause of this many seconds after a sentence begins a paragraph. */
const PAUSE = 1.5;

/**
 * The text in paragraphs, which an empty line separates: at long pauses, and where another speaker begins. Of several speakers, each
 * is named where they begin.
 */
function paragraphs(words: readonly CaptionWord[]): string {
  const several = namesIn(words).length > 1;
  const parts: { name: string; words: CaptionWord[] }[] = [];
  for (const [index, word] of words.entries()) {
    const last = words[index - 1];
    const pauses = last && endsSentence(last) && word.start - last.end >= PAUSE;
    const changes = !last || speakerChanges(last, word);
    const name = several && changes && word.speaker !== undefined ? `${word.speaker}: ` : '';
    if (changes || pauses) parts.push({ name, words: [word] });
    else parts.at(-1)?.words.push(word);
  }
  return parts.map((part) => part.name + textOf(part.words)).join('\n\n');
}

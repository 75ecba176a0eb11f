import { type EngineId, engineOf } from '../../../../schema/media/engines.ts';
import type { Warning } from '../../../../schema/task/task.ts';
import type { Analysis, Facts, Heard, Means } from '../../../model/plan.ts';
import type { CaptionWord } from '../../../model/read-text.ts';
import { wordsOfText } from '../../../model/segment-words.ts';
import type { MediaProbe } from '../../../model/source/media-probe.ts';
import { audioOf } from '../require-streams.ts';
import { enginesThatServe } from '../select-engine.ts';
import { doubtful, uncertain } from './doubt.ts';
import { bare, sentenced } from './sentences.ts';

interface SpeechInput {
  /** As a BCP 47 tag, or `auto`. */
  language: string;
  engine: 'auto' | EngineId;
  vocabulary: readonly string[];
}

/** Recognizes the speech of a source, or aligns a script with it. Throws `source_no_audio`, `engine_unavailable`. */
export function listening(
  { language, engine, vocabulary }: SpeechInput,
  script: string | null,
  probe: MediaProbe,
  { engines, own }: Pick<Means, 'engines' | 'own'>,
): Analysis {
  const { index: stream } = audioOf(probe);
  const asked = language === 'auto' ? undefined : language;
  const wanted = engine === 'auto' && own?.has('speech_api') ? 'speech_api' : engine;
  const able = enginesThatServe(script === null ? 'asr' : 'align', wanted, engines, asked);
  return {
    ...{ kind: 'words', source: 0, stream, engines: able, script },
    ...{ vocabulary, language: asked ?? null },
  };
}

const MISSED = 0.25;

/** What was recognized, with warnings about its quality. @param scripted Whether a script was aligned. */
export function recognized({ words }: Facts, scripted: boolean, warnings: Warning[]): Heard {
  if (!words) throw new Error('the analysis found no words');
  const add = (code: Warning['code'], detail: string) => warnings.push({ code, detail });
  const { title, quality } = engineOf(words.engine);
  const { guessed = 0 } = words;
  if (guessed > 0)
    add(
      'low_confidence',
      `${title} reported no times for ${guessed} of ${words.words.length} words. They were spread over their sentence by length, so their times may be off by a word. Use a model with word timestamps for exact times.`,
    );
  if (scripted) {
    const share = Math.round(words.missed * 100);
    if (words.missed > MISSED)
      add(
        'low_confidence',
        `${share} % of the words in the script were not recognized in the speech; their times may be inaccurate.`,
      );
    return words;
  }
  if (quality === 'basic')
    add(
      'basic_engine',
      `${title} is a basic engine: in a clear reading about every fourth word is wrong, in calls or with music more than half. Correct the words before you publish or burn them: captions that you send in \`captions\` of /captions/auto need no recognition. Or choose an \`engine\` that \`GET /capabilities\` lists with quality \`high\`.`,
    );
  if (uncertain(words)) {
    const share = Math.round(doubtful(words) * 100);
    add(
      'low_confidence',
      `${title} is unsure of ${share} % of the words, and many of them may be wrong. Check the text, or give a script of what is said for better results.`,
    );
  }
  return words;
}

/** Language of the words: that of the request, the only one of the engine, or the one that it recognized. */
export function languageOf(
  { language }: Pick<SpeechInput, 'language'>,
  heard: Pick<Heard, 'engine' | 'language'> | null,
  warnings: Warning[],
): string | null {
  if (language !== 'auto') return language;
  if (!heard) return null;
  const { title, languages } = engineOf(heard.engine);
  const [only, ...others] = languages;
  if (only === undefined || only === '*' || others.length > 0) return heard.language ?? null;
  const name = new Intl.DisplayNames('en', { type: 'language' }).of(only) ?? only;
  const detail = `${title} supports ${name} only, so ${name} was assumed.`;
  warnings.push({ code: 'language_assumed', detail });
  return only;
}

/**
 * Words as sentences if their engine gives none. Words of other engines are not changed.
 * @param spelled Texts of the caller whose spelling is kept, such as `vocabulary`.
 */
export function asSentences<W extends CaptionWord>(
  words: readonly W[],
  engine: EngineId,
  spelled: readonly string[],
): W[] {
  if (!engineOf(engine).unpunctuated) return [...words];
  return sentenced(
    words,
    new Set(spelled.flatMap((text) => wordsOfText(text).map((word) => bare(word.text)))),
  );
}

import { type EngineId, engineOf } from '../../../../schema/media/engines.ts';
import type { Warning } from '../../../../schema/task/task.ts';
import type { MediaProbe } from '../../../model/media-probe.ts';
import type { Analysis, Facts, Heard, Means } from '../../../model/plan.ts';
import type { CaptionWord } from '../../../model/read-text.ts';
import { wordsOfText } from '../../../model/segment-words.ts';
import { soundOnly } from '../require-streams.ts';
import { enginesThatServe } from '../select-engine.ts';
import { doubtful, uncertain } from './doubt.ts';
import { bare, sentenced } from './sentences.ts';

interface SpeechInput {
  /** As a BCP 47 tag, or `auto`. */
  language: string;
  engine: 'auto' | EngineId;
  vocabulary: readonly string[];
}

/** Recognises the speech of a source, or aligns a script with it. Throws `source_no_audio`, `engine_unavailable`. */
export function listening(
  { language, engine, vocabulary }: SpeechInput,
  script: string | null,
  probe: MediaProbe,
  { engines }: Pick<Means, 'engines'>,
): Analysis {
  soundOnly(probe);
  const { audio } = probe;
  const asked = language === 'auto' ? undefined : language;
  const able = enginesThatServe(script === null ? 'asr' : 'align', engine, engines, asked);
  return {
    ...{ kind: 'words', source: 0, stream: audio?.index ?? 0, engines: able, script },
    ...{ vocabulary, language: asked ?? null },
  };
}

const MISSED = 0.25;

/** What was recognised, with warnings about its quality. @param scripted Whether a script was aligned. */
export function recognized({ words }: Facts, scripted: boolean, warnings: Warning[]): Heard {
  if (!words) throw new Error('the analysis found no words');
  const add = (code: Warning['code'], detail: string) => warnings.push({ code, detail });
  if (scripted) {
    const share = Math.round(words.missed * 100);
    if (words.missed > MISSED)
      add(
        'low_confidence',
        `${share} % of the words in the script were not recognised in the speech; their times may be inaccurate.`,
      );
    return words;
  }
  const { title, quality } = engineOf(words.engine);
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

/** Language of the words: that of the request, or the only one of the engine. */
export function languageOf(
  { language }: Pick<SpeechInput, 'language'>,
  engine: EngineId | null,
  warnings: Warning[],
): string | null {
  if (language !== 'auto') return language;
  const [only, ...others] = engine === null ? [] : engineOf(engine).languages;
  if (engine === null || only === undefined || only === '*' || others.length > 0) return null;
  const name = new Intl.DisplayNames('en', { type: 'language' }).of(only) ?? only;
  const detail = `${engineOf(engine).title} supports ${name} only, so ${name} was assumed.`;
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

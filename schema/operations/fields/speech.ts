import { z } from 'zod';
import { SPEAKER_CHARACTERS } from '../../media/cue-markup.ts';
import { enginesFor, engineUsed } from '../../media/engines.ts';
import { wrongLanguage } from '../../media/spoken-language.ts';

export const spokenLanguage = () =>
  z
    .string()
    .regex(/^(auto|[a-z]{2,3}(-[A-Za-z0-9]{2,4})?)$/, { error: wrongLanguage })
    .default('auto')
    .meta({
      description:
        'Language of the speech as a BCP 47 tag, such as `en` or `pt-BR`. `auto` leaves the choice to the engine.',
    });

/** @param unless The field with which it has no effect. */
export const vocabulary = (unless: 'captions' | 'script' | 'words') =>
  z
    .array(z.string().min(1).max(100))
    .max(200)
    .default([])
    .meta({
      description: `Names and terms that occur in the speech, in their correct spelling, such as \`Kubernetes\`. In English, uncertain words that sound like a term are recognized again and replaced if the term is more likely. In other languages, words spelled almost like a term are replaced, which finds fewer. All other words stay unchanged. Has no effect if \`${unless}\` is given.`,
    });

/** Most people whom an engine is asked to tell apart. */
const MOST_HEARD = 20;

const wrongSpeakers = {
  error: `must be \`auto\`, \`detect\`, \`none\`, or how many people speak, from 1 to ${MOST_HEARD}`,
};

/** @param given What becomes of speakers that the words already name. */
export const speakers = (given = '') =>
  z
    .union(
      [
        z.enum(['auto', 'detect', 'none']),
        z.number().int().min(1, wrongSpeakers).max(MOST_HEARD, wrongSpeakers),
      ],
      wrongSpeakers,
    )
    .default('auto')
    .meta({
      description: `Tells voices apart and names who says each word \`Speaker 1\`, \`Speaker 2\` and so on, in the order in which they begin to speak. No caption then has words of two speakers, and WebVTT names them as \`<v Speaker 1>\`. \`auto\` does so if \`GET /capabilities\` lists an available engine for \`diarize\` and there is more than one voice. \`detect\` names a single voice too, and fails without such an engine, as does a number: how many people speak at most. A number is safer than counting voices. \`none\` names no one.${given}`,
    });

type Speakers = z.output<ReturnType<typeof speakers>>;

/** The need of an engine that tells speakers apart, if the request depends on one. */
export const speakerEngines = (asked: Speakers, pointer: `/${string}`) =>
  asked === 'auto' || asked === 'none' ? [] : [{ pointer, engines: enginesFor('diarize') }];

export const speakerTurns = () =>
  z
    .array(
      z.strictObject({
        speaker: z.string().max(SPEAKER_CHARACTERS).meta({ description: 'Name of who speaks.' }),
        start: z.number().meta({ description: 'Start of the first word in seconds.' }),
        end: z.number().meta({ description: 'End of the last word in seconds.' }),
        text: z.string().meta({ description: 'What is said.' }),
      }),
    )
    .meta({
      description: 'Words in a row of one speaker, for the words in `words`; the file `words_json` has all.',
    });

/** Who speaks in a result. */
export const speakersFound = () =>
  z
    .strictObject({
      engine: engineUsed.nullable().meta({
        description: 'Engine that distinguished the voices; null if the captions name the speakers.',
      }),
      count: z.number().int().meta({ description: 'Number of speakers.' }),
      turns: speakerTurns(),
    })
    .nullable()
    .meta({ description: 'Who speaks when; null if no word has a speaker.' });

/** Checks that each term can be spoken. */
export function checkVocabulary(terms: readonly string[], context: z.RefinementCtx): void {
  for (const [index, term] of terms.entries()) {
    if (term === '' || /\p{L}/u.test(term)) continue;
    context.addIssue({
      code: 'custom',
      path: ['vocabulary', index],
      message: `The term \`${term}\` in \`vocabulary\` must contain at least one letter.`,
    });
  }
}

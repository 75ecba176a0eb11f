import { z } from 'zod';
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
      description: `Names and terms that occur in the speech, in their correct spelling, such as \`Kubernetes\`. In English, uncertain words that sound like a term are recognised again and replaced if the term is more likely. In other languages, words spelled almost like a term are replaced, which finds fewer. All other words stay unchanged. Has no effect if \`${unless}\` is given.`,
    });

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

import { z } from 'zod';
import { enginesSelected, engineUsed } from '../../media/engines.ts';
import { captionsAuto } from '../captions-auto.ts';
import type { EngineNeed, SourceRef } from '../operation.ts';
import { captionFields, captionsProblem, checkCaptions } from './caption-fields.ts';
import { fontSource } from './font.ts';
import { checkVocabulary, speakerEngines } from './speech.ts';

const drawnCaptions = z.strictObject(captionFields);

type Captions = z.output<typeof drawnCaptions>;

/** @param description What the captions are drawn over, and where. */
export const captionsOver = (description: string) =>
  drawnCaptions
    .superRefine((input, context) => {
      checkCaptions(input, (path, message) => context.addIssue({ code: 'custom', path, message }));
      checkVocabulary(input.vocabulary, context);
    })
    .optional()
    .meta({ description });

/** Reports captions that cannot be read. */
export function checkCaptionsText(input: Captions | undefined, context: z.RefinementCtx): void {
  const message = captionsProblem(input?.captions);
  if (message !== null) context.addIssue({ code: 'custom', path: ['captions', 'captions'], message });
}

/** Sources that are not media; they come after all that are. */
export const captionSources = (input: Captions | undefined): SourceRef[] =>
  input === undefined
    ? []
    : [
        ...(input.captions_url === undefined
          ? []
          : [{ pointer: '/captions/captions_url', url: input.captions_url, kind: 'text' as const }]),
        ...fontSource(input.style, '/captions/style'),
      ];

/** The engines that hear the words, if they are not given, and who says them. */
export const captionEngines = (input: Captions | undefined): readonly EngineNeed[] =>
  input === undefined
    ? []
    : [
        ...(input.captions !== undefined || input.captions_url !== undefined
          ? []
          : [{ pointer: '/captions/engine' as const, engines: enginesSelected('asr', input.engine) }]),
        ...speakerEngines(input.speakers, '/captions/speakers'),
      ];

/** What a result says of its captions. */
export const captionsDrawn = () => {
  const { word_count, cue_count, language, times } = captionsAuto.data.shape;
  return z
    .strictObject({ word_count, cue_count, language, engine: engineUsed.nullable(), times })
    .nullable()
    .meta({ description: 'The captions that were drawn; null if the request has no `captions`.' });
};

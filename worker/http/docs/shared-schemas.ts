import { z } from 'zod';
import { engineUsed } from '../../../schema/media/engines.ts';
import { transitionNames } from '../../../schema/media/transitions.ts';
import { captionsAuto } from '../../../schema/operations/captions-auto.ts';
import {
  audioUrl,
  codec,
  format,
  pictureFields,
  quality,
  seconds,
  source,
  videoUrl,
} from '../../../schema/operations/fields/fields.ts';
import { drawnVideoFields } from '../../../schema/operations/fields/generated-video.ts';
import { backgroundFields, loudnessFound, normalizeLufs } from '../../../schema/operations/fields/redub.ts';
import { spans } from '../../../schema/operations/fields/spans.ts';
import { speakerTurns } from '../../../schema/operations/fields/speech.ts';
import { audioTrack, tracks } from '../../../schema/operations/fields/tracks.ts';
import { operationNames } from '../../../schema/operations/index.ts';
import { clip } from '../../../schema/operations/merge-urls.ts';
import { commonFields } from '../../../schema/operations/operation.ts';
import { timeMap } from '../../../schema/task/task.ts';

/** Converts `redub_tts` and `idempotency-key` to component names: `RedubTts`, `IdempotencyKey`. */
export const pascal = (name: string) =>
  name.replace(/(?:^|[_-])([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Fields that several operations share; each name gets `prefix`. */
function each(prefix: string, fields: Record<string, z.ZodType>): Record<string, z.ZodType> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [`${prefix}${pascal(name)}`, field]),
  );
}

const { width, height, ...otherPictureFields } = pictureFields;
const { style, preset, layout, entrance, keywords, replacements, exclude_ranges, speakers } =
  captionsAuto.fields;
const { quality: drawnQuality, codec: drawnCodec } = drawnVideoFields;

/**
 * Schemas that many requests and results repeat, by their names in `components.schemas`. A schema without a description or a
 * default replaces every schema of its shape; those two are then written next to the reference. The first match is used.
 */
export const sharedSchemas: Record<string, z.ZodType> = {
  ...each('', commonFields),
  ...each('Background', backgroundFields),
  ...each('Picture', otherPictureFields),
  ...each('Drawn', { quality: drawnQuality, codec: drawnCodec }),
  ...each('Caption', { style, preset, layout, entrance, keywords, replacements, exclude_ranges, speakers }),
  ...each('', loudnessFound),
  ...each('', { width, height }),
  VideoUrl: videoUrl(),
  AudioUrl: audioUrl(),
  SourceUrl: source().meta({ format: 'uri' }),
  Quality: quality(),
  Codec: codec(),
  Format: format(),
  Tracks: tracks(),
  AudioTrack: audioTrack().unwrap(),
  RenderedSpans: spans(),
  Seconds: seconds(),
  PositiveSeconds: seconds({ min: 0.001 }),
  Transition: z.enum(['none', ...transitionNames]),
  TransitionName: z.enum(transitionNames),
  NormalizeLufs: normalizeLufs(),
  EngineUsed: engineUsed,
  SpeakerTurns: speakerTurns(),
  OperationName: z.enum(operationNames),
  TimeMap: timeMap,
  Clip: clip(),
};

import { z } from 'zod';
import { planShown } from '../../../schema/api/account.ts';
import { examplesAt } from '../../../schema/api/examples.ts';
import { planNames, plans } from '../../../schema/api/plans.ts';
import {
  engineCapabilities,
  engineIds,
  engineOf,
  engineQualities,
  engineTiers,
} from '../../../schema/media/engines.ts';
import {
  type ReadFormat,
  readFormats,
  type WrittenFormat,
  writtenFormats,
} from '../../../schema/media/formats.ts';
import { transitionNames, transitions } from '../../../schema/media/transitions.ts';
import { voicePresets } from '../../../schema/media/voice-presets.ts';
import { voices } from '../../../schema/media/voices.ts';
import { operationNames, operations } from '../../../schema/operations/index.ts';
import { type TranscoderReady, transcoderReady } from '../../../schema/task/wire.ts';
import type { Context } from '../../context.ts';
import { engineNow } from '../tasks/engine-now.ts';
import { examplesHere } from './examples.ts';
import { inputSchema } from './input-schema.ts';
import { previewPath } from './preview.ts';

const jsonSchema = z.record(z.string(), z.unknown()).meta({ description: 'JSON Schema, draft 2020-12.' });

export const capabilities = z
  .strictObject({
    engine: transcoderReady.shape.engine.nullable().meta({
      description:
        'Media engine: `node-av` (libav in warm processes, plus the ffmpeg program) or only the `ffmpeg` program. Null until a transcoder has answered.',
    }),
    engines: z
      .array(
        z.strictObject({
          id: z.enum(engineIds),
          title: z.string(),
          capabilities: z.array(z.enum(engineCapabilities)),
          tier: z.enum(engineTiers).meta({
            description:
              '`model`: needs model weights installed by the operator; `embedded`: part of the service; `cloud`: an external provider, with your own key or that of the operator.',
          }),
          quality: z.enum(engineQualities),
          model_id: z.string().nullable(),
          languages: z.array(z.string()).meta({
            description:
              'ISO 639-1 codes; `*` for a hundred or more languages, empty if language does not matter.',
          }),
          license: z
            .string()
            .meta({ description: 'SPDX identifier; of the model weights if there are any.' }),
          available: z.boolean().nullable().meta({ description: 'Null until a transcoder has answered.' }),
          reason: z
            .string()
            .nullable()
            .meta({ description: 'Why the engine is unavailable; null if it is available or unknown.' }),
          speed: z.number().nullable().meta({
            description:
              'Seconds of sound per second of work in the latest tasks of the transcoder that answered last. Null until it has used the engine.',
          }),
          get: z.string().meta({ description: 'What you can do to use it.' }),
        }),
      )
      .meta({ description: 'Engines for speech, voices, stems and depth, best first.' }),
    voices: z
      .array(
        z.strictObject({
          id: z.string(),
          engine: z.enum(engineIds),
          title: z.string(),
          language: z.string().meta({ description: 'BCP 47.' }),
        }),
      )
      .meta({ description: 'Built-in voices. Providers have further voices of their own.' }),
    voice_presets: z
      .array(
        z.strictObject({
          id: z.string(),
          title: z.string(),
          pitch_semitones: z.number(),
          formant_semitones: z.number(),
          median_hz: z.array(z.number()).length(2),
        }),
      )
      .meta({
        description:
          'Voice presets of `/redub_vc` that need no model. The pitch moves by `pitch_semitones`, or by less or more (an octave at most) to have its median within `median_hz`.',
      }),
    operations: z.array(
      z.strictObject({
        name: z.enum(operationNames),
        path: z.string(),
        group: z.string(),
        title: z.string(),
        summary: z.string(),
        description: z.string(),
        feature: z.string(),
        input: jsonSchema,
        data: jsonSchema,
        errors: z.array(z.string()),
        examples: z.array(z.strictObject({ title: z.string(), input: z.record(z.string(), z.unknown()) })),
        media_examples: z
          .array(
            z.strictObject({
              field: z.string(),
              value: z.string(),
              title: z.string(),
              example_url: z.url().meta({ description: 'A clip or sound of 3 s. No key needed.' }),
              input: z.record(z.string(), z.unknown()).meta({ description: 'The request that created it.' }),
            }),
          )
          .meta({
            description:
              'Examples of the values of a field, such as presets and styles, if they are available.',
          }),
      }),
    ),
    formats: z
      .strictObject({
        read: z
          .array(
            z.strictObject({
              name: z.string().meta({ description: 'The container name in results of `/probe`.' }),
              title: z.string(),
              extensions: z.array(z.string()),
              video: z.array(z.string()).meta({ description: 'Common video codecs in this container.' }),
              audio: z.array(z.string()).meta({ description: 'Common audio codecs in this container.' }),
            }),
          )
          .meta({
            description: 'Containers of sources. The format is detected from the content, not from the name.',
          }),
        write: z
          .array(
            z.strictObject({
              name: z.string().meta({ description: 'The value of `format`.' }),
              video: z.array(z.string()),
              audio: z.array(z.string()),
            }),
          )
          .meta({ description: 'Containers of results with their codecs. `auto` uses the first.' }),
      })
      .meta({ description: 'Supported containers and codecs.' }),
    transitions: z.array(
      z.strictObject({
        name: z.enum(transitionNames),
        family: z.string().meta({ description: 'Group of similar transitions.' }),
        preview_url: z.url().meta({ description: 'A preview clip of 2 s. No key needed.' }),
      }),
    ),
    plans: z.record(z.enum(planNames), planShown),
  })
  .meta({ id: 'Capabilities' });

type Capabilities = z.output<typeof capabilities>;

let known:
  | { operations: Omit<Capabilities['operations'][number], 'media_examples'>[]; plans: Capabilities['plans'] }
  | undefined;

/** The registry, generated once per isolate, with the current state of the engines. */
export async function capabilitiesNow(context: Context): Promise<Capabilities> {
  const { config, transcoder } = context;
  known ??= {
    operations: operationNames.map((name) => {
      const { path, group, title, summary, description, feature, data, errors, examples } = operations[name];
      return {
        name,
        path,
        group,
        title,
        summary,
        description,
        feature,
        input: inputSchema(name) as Record<string, unknown>,
        data: z.toJSONSchema(data) as Record<string, unknown>,
        errors: [...errors],
        examples: examples.map((example) => ({ title: example.title, input: { ...example.input } })),
      };
    }),
    plans: z.record(z.enum(planNames), planShown).parse(plans),
  };
  const [state, here] = await Promise.all([transcoder.state(), examplesHere(context)]);
  const base = examplesAt(config.PUBLIC_URL);
  return {
    engine: state?.said?.engine ?? null,
    engines: enginesAs(context, state?.said ?? null),
    voices: [...voices],
    voice_presets: Object.entries(voicePresets).map(([id, { title, pitch, formant, range }]) => ({
      ...{ id, title, pitch_semitones: pitch, formant_semitones: formant, median_hz: [...range] },
    })),
    operations: known.operations.map((operation) => ({
      ...operation,
      media_examples: here
        .filter((example) => example.operation === operation.name)
        .map(({ field, value, title, file, request }) => ({
          ...{ field, value, title, example_url: `${base}/${file}`, input: request(base) },
        })),
    })),
    plans: known.plans,
    formats: { read: readFormats.map(listed), write: writtenFormats.map(listed) },
    transitions: transitions.map(({ name, family }) => ({
      name,
      family,
      preview_url: `${config.PUBLIC_URL}${previewPath(name)}`,
    })),
  };
}

/** A copy with mutable lists, as the response type requires. */
function listed<F extends ReadFormat | WrittenFormat>(format: F) {
  const { video, audio } = format;
  return { ...format, video: [...video], audio: [...audio] };
}

function enginesAs(context: Context, said: TranscoderReady | null): Capabilities['engines'] {
  return engineIds.map((id) => {
    const { title, capabilities, tier, quality, model_id, languages, license, get } = engineOf(id);
    return {
      ...{ id, title, capabilities: [...capabilities], tier, quality, model_id },
      ...{ languages: [...languages], license, get, ...engineNow(context, said, id) },
    };
  });
}

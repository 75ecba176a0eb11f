import { z } from 'zod';
import { examplesAt } from '../../../schema/api/examples.ts';
import { type LimitName, limitNames, planNames, plans } from '../../../schema/api/plans.ts';
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
import { examplesHere } from './examples.ts';
import { previewPath } from './preview.ts';

const limitShape = Object.fromEntries(limitNames.map((name) => [name, z.number().int()])) as Record<
  LimitName,
  z.ZodNumber
>;

/** A plan with its limits, as callers see it. */
export const planShown = z
  .strictObject({ title: z.string(), ...limitShape, features: z.array(z.string()) })
  .meta({ id: 'PlanLimits' });

const jsonSchema = z.record(z.string(), z.unknown()).meta({ description: 'JSON Schema, draft 2020-12.' });

export const capabilities = z
  .strictObject({
    engine: transcoderReady.shape.engine.nullable().meta({
      description:
        'What does the work: `node-av` (libav in warm processes, the ffmpeg program beside it) or the `ffmpeg` program alone. Null while no transcoder has answered.',
    }),
    engines: z
      .array(
        z.strictObject({
          id: z.enum(engineIds),
          title: z.string(),
          capabilities: z.array(z.enum(engineCapabilities)),
          tier: z.enum(engineTiers).meta({
            description:
              '`model`: weights that the operator has added; `embedded`: part of the service; `cloud`: a provider, with your key.',
          }),
          quality: z.enum(engineQualities),
          model_id: z.string().nullable(),
          languages: z.array(z.string()).meta({
            description: 'ISO 639-1; `*` for a hundred and more, empty where language does not matter.',
          }),
          license: z.string().meta({ description: 'SPDX, of the weights where there are some.' }),
          available: z.boolean().nullable().meta({ description: 'Null while no transcoder has answered.' }),
          reason: z.string().nullable().meta({ description: 'Why it is not.' }),
          get: z.string().meta({ description: 'What makes it available.' }),
        }),
      )
      .meta({ description: 'Engines of speech, voices, stems and depth, better ones first.' }),
    voices: z
      .array(
        z.strictObject({
          id: z.string(),
          engine: z.enum(engineIds),
          title: z.string(),
          language: z.string().meta({ description: 'BCP 47.' }),
        }),
      )
      .meta({ description: 'Voices of our own engines; a provider has its own beside them.' }),
    voice_presets: z
      .array(
        z.strictObject({
          id: z.string(),
          title: z.string(),
          pitch_semitones: z.number(),
          formant_semitones: z.number(),
        }),
      )
      .meta({ description: 'What `/redub_vc` makes of any voice, with no model.' }),
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
              example_url: z.url().meta({ description: 'A clip or sound of three seconds; no key needed.' }),
              input: z.record(z.string(), z.unknown()).meta({ description: 'The request that has made it.' }),
            }),
          )
          .meta({
            description:
              'What values of a field look or sound like, such as its presets and styles, as far as examples were made here.',
          }),
      }),
    ),
    formats: z
      .strictObject({
        read: z
          .array(
            z.strictObject({
              name: z.string().meta({ description: 'As `/probe` calls the container.' }),
              title: z.string(),
              extensions: z.array(z.string()),
              video: z.array(z.string()).meta({ description: 'Codecs of pictures that are usual in it.' }),
              audio: z.array(z.string()).meta({ description: 'Codecs of sound that are usual in it.' }),
            }),
          )
          .meta({ description: 'Containers of sources. A file is known by its content, never by its name.' }),
        write: z
          .array(
            z.strictObject({
              name: z.string().meta({ description: 'The value of `format`.' }),
              video: z.array(z.string()),
              audio: z.array(z.string()),
            }),
          )
          .meta({ description: 'Containers of results, with their codecs; the first is what `auto` uses.' }),
      })
      .meta({ description: 'Containers and codecs that are read and written.' }),
    transitions: z.array(
      z.strictObject({
        name: z.enum(transitionNames),
        family: z.string().meta({ description: 'Transitions that look alike have the same.' }),
        preview_url: z.url().meta({ description: 'A clip of two seconds that shows it; no key needed.' }),
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
      const { path, group, title, summary, description, feature, input, data, errors, examples } =
        operations[name];
      return {
        name,
        path,
        group,
        title,
        summary,
        description,
        feature,
        input: z.toJSONSchema(input, { io: 'input' }) as Record<string, unknown>,
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
    engines: enginesAs(state?.said ?? null),
    voices: [...voices],
    voice_presets: Object.entries(voicePresets).map(([id, { title, pitch, formant }]) => ({
      ...{ id, title, pitch_semitones: pitch, formant_semitones: formant },
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

function enginesAs(said: TranscoderReady | null): Capabilities['engines'] {
  return engineIds.map((id) => {
    const here = said?.engines?.find((engine) => engine.id === id);
    const entry = engineOf(id);
    return {
      id,
      ...entry,
      capabilities: [...entry.capabilities],
      languages: [...entry.languages],
      available: here?.available ?? null,
      reason: here?.reason ?? null,
    };
  });
}

import { z } from 'zod';
import { enginesFor, engineUsed } from '../media/engines.ts';
import { FORMANT_SEMITONES, isVoicePreset, voicePresets } from '../media/voice-presets.ts';
import { checkCodec, codec, format, quality, sourceUrl, videoUrl } from './fields/fields.ts';
import { loudnessFound, normalizeLufs } from './fields/redub.ts';
import { operation } from './operation.ts';

/** Tiers by the names that callers know them by, then engines. */
const voiceProviders = ['auto', 'builtin', 'local', ...enginesFor('voice_convert')] as const;

/** Milliseconds by which a converted voice is off at most. */
export const MOST_DRIFT_MS = 20;

export const MOST_SEGMENTS = 2000;

export const redubVc = operation('redub_vc', {
  path: '/redub_vc',
  group: 'speech',
  title: 'Redub with a converted voice',
  summary: 'A video or sound with the same words in another voice, in time to the sample.',
  description: `Gives the speech of the source another voice: a preset (${Object.keys(voicePresets).join(', ')}), the voice of a sample, one of ElevenLabs, or the same voice with another pitch and other formants. What is not voice stays where an engine can separate it. The result has as many samples as the source, its loudness, and the packets of its picture; \`output.data.max_drift_ms\` is by how much any passage of speech is off, and a task whose voice is off by more than ${MOST_DRIFT_MS} ms fails. \`consent\` says that you may use both voices; it is written into the metadata of the file. With the built-in engine a sample is matched by pitch and timbre, which makes a like voice, not the same one. For a voice of ElevenLabs send your own key of it in the header \`X-ElevenLabs-Key\`: it is kept encrypted until the task has ended, and nowhere else.`,
  feature: 'redub_vc',
  keyOf: 'elevenlabs',
  fields: {
    video_url: videoUrl().optional(),
    audio_url: sourceUrl('the source audio, in place of video_url').optional(),
    consent: z.literal(true, { error: 'Say true: the owners of both voices have to have agreed' }).meta({
      description: 'That those whose voices are taken and given have agreed; it has to be true.',
    }),
    voice_id: z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,64}$/)
      .optional()
      .meta({ description: 'A preset (see `/docs/examples`), or a voice of ElevenLabs.' }),
    voice_sample_url: sourceUrl('some seconds of the voice that is wanted').optional(),
    provider: z.enum(voiceProviders).default('auto').meta({
      description:
        'Who converts: the best engine for what is asked (`auto`), one that is part of the service (`builtin`), one with a model of the operator (`local`), or one by its name.',
    }),
    pitch_semitones: z.number().min(-24).max(24).default(0).meta({
      description: 'Semitones by which the pitch is moved, beside what a preset or a sample asks for.',
    }),
    formant: z
      .number()
      .min(-1)
      .max(1)
      .default(0)
      .meta({
        description: `By how much the formants are moved, beside what a preset or a sample asks for: 1 is up by ${FORMANT_SEMITONES} semitones, as a smaller head sounds.`,
      }),
    preserve_background: z.boolean().default(true).meta({
      description: 'Convert the voices alone, where an engine here can separate them from the rest.',
    }),
    normalize_lufs: normalizeLufs().optional(),
    quality: quality(),
    codec: codec(),
    format: format(),
  },
  refine: (input, context) => {
    const issue = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message });
    const { voice_id, voice_sample_url, provider } = input;
    if ((input.video_url === undefined) === (input.audio_url === undefined)) {
      issue('video_url', 'Give exactly one of video_url and audio_url');
    }
    const moved = input.pitch_semitones !== 0 || input.formant !== 0;
    if (voice_id === undefined && voice_sample_url === undefined && !moved) {
      issue('voice_id', 'Say which voice: voice_id, voice_sample_url, pitch_semitones or formant');
    }
    if (voice_id !== undefined && voice_sample_url !== undefined) {
      issue('voice_sample_url', 'Give voice_id or voice_sample_url, not both');
    }
    if (provider === 'elevenlabs' && (voice_id === undefined || isVoicePreset(voice_id))) {
      issue('voice_id', 'Name a voice of ElevenLabs');
    }
    if ((provider === 'openvoice' || provider === 'local') && voice_sample_url === undefined) {
      issue('voice_sample_url', 'This provider makes the voice of a sample');
    }
    const theirs = voice_id !== undefined && !isVoicePreset(voice_id);
    if (moved && (theirs || ['elevenlabs', 'openvoice', 'local'].includes(provider))) {
      issue('provider', 'Pitch and formants are moved by the built-in engine alone');
    }
    if (theirs && (provider === 'rubberband' || provider === 'builtin')) {
      issue('voice_id', `No such preset; there are ${Object.keys(voicePresets).join(', ')}`);
    }
    checkCodec(input, context);
  },
  data: z.strictObject({
    consent: z.literal(true).meta({ description: 'As it was said.' }),
    engine: engineUsed,
    separation: engineUsed.nullable().meta({
      description: 'What has separated the voices; null where all of the sound was converted.',
    }),
    segments: z
      .array(z.tuple([z.number(), z.number()]))
      .max(MOST_SEGMENTS)
      .nullable()
      .meta({
        description: `Passages of speech, in seconds, the first ${MOST_SEGMENTS} of them; null in a dry run.`,
      }),
    max_drift_ms: z.number().max(MOST_DRIFT_MS).nullable().meta({
      description: 'By how much the new voice is off at most, measured; null in a dry run.',
    }),
    pitch_semitones: z.number().nullable().meta({
      description:
        'By how much the pitch was moved, matching included; null in a dry run and for other engines.',
    }),
    formant_semitones: z.number().nullable().meta({ description: 'By how much the formants were moved.' }),
    drift_ms: z.number().meta({ description: 'Milliseconds by which the sound ends after the picture.' }),
    ...loudnessFound,
    copied_seconds: z.number().meta({ description: 'Seconds of video whose packets were copied.' }),
    rendered_seconds: z.number().meta({ description: 'Seconds of video that were encoded anew.' }),
  }),
  sources: (input) => [
    input.video_url !== undefined
      ? { pointer: '/video_url', url: input.video_url }
      : { pointer: '/audio_url', url: input.audio_url ?? '' },
    ...(input.voice_sample_url === undefined
      ? []
      : [{ pointer: '/voice_sample_url', url: input.voice_sample_url }]),
  ],
  errors: [
    'source_no_video',
    'source_no_audio',
    'no_speech_found',
    'engine_unavailable',
    'engine_failed',
    'provider_rejected_key',
  ],
  exampleResult: {
    file_name: 'interview.mp4',
    media_type: 'video/mp4',
    duration: 42.5,
    width: 1920,
    height: 1080,
    fps: 30,
    data: {
      consent: true,
      engine: { id: 'rubberband', tier: 'embedded', quality: 'basic', model_id: null },
      separation: { id: 'centre_mask', tier: 'embedded', quality: 'basic', model_id: null },
      segments: [
        [0.41, 12.8],
        [13.5, 42.1],
      ],
      max_drift_ms: 2,
      pitch_semitones: -4,
      formant_semitones: -1,
      drift_ms: 0,
      gain_db: 0.4,
      loudness_lufs: -16.2,
      true_peak_db: -1.8,
      copied_seconds: 42.5,
      rendered_seconds: 0,
    },
    time_map: [{ source: 0, in: [0, 42.5], out: [0, 42.5] }],
  },
  examples: [
    {
      title: 'A deeper voice, so that the speaker is not known by it',
      input: { video_url: 'https://media.example.com/interview.mp4', consent: true, voice_id: 'deep' },
    },
    {
      title: 'A voice like that of a sample, in a recording',
      input: {
        audio_url: 'https://media.example.com/take.wav',
        consent: true,
        voice_sample_url: 'https://media.example.com/sample.wav',
        pitch_semitones: -0.5,
      },
    },
  ],
});

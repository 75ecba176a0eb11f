import { z } from 'zod';
import { didYouMean } from '../api/nearest-name.ts';
import { enginesFor, enginesSelected, engineUsed } from '../media/engines.ts';
import { FORMANT_SEMITONES, isVoicePreset, voicePresets } from '../media/voice-presets.ts';
import { checkCodec, codec, format, quality, sourceUrl, videoUrl } from './fields/fields.ts';
import { loudnessFound, normalizeLufs } from './fields/redub.ts';
import { madeHow } from './fields/spans.ts';
import { operation } from './operation.ts';

/** Engine tiers by their public names, then engines. */
const voiceProviders = ['auto', 'builtin', 'local', ...enginesFor('voice_convert')] as const;

/** Maximum timing error of a converted voice. */
export const MOST_DRIFT_MS = 20;

export const MOST_SEGMENTS = 2000;

export const redubVc = operation('redub_vc', {
  path: '/redub_vc',
  group: 'audio',
  title: 'Redub with a converted voice',
  summary: 'Convert the voice of a video or audio file to another voice, with exact timing.',
  search: {
    title: 'Change the voice in a video',
    lead: 'Convert speech to a preset voice or to the voice of a sample. The timing stays, and the drift is measured.',
  },
  tool: {
    name: 'change_voice',
    description:
      'Give the speech of a file another voice with the same words and timing. Ask the user first: consent must be true. For new words use dub_video. Returns the file with the new voice.',
    fields: {
      video_url: 'Source video',
      audio_url: 'Source audio instead',
      consent: 'Owners of both voices agreed',
      voice_id: 'Preset; see spool://presets',
      voice_sample_url: 'Sample of the target voice',
      pitch_semitones: 'Pitch shift',
    },
  },
  description: `Gives the speech of the source another voice: a preset (${Object.keys(voicePresets).join(', ')}), the voice of a sample, an ElevenLabs voice, or the same voice with another pitch and other formants. Other sounds are kept if an engine can separate them. The output has the length, loudness and video of the source; the video is copied. \`output.data.max_drift_ms\` is the largest timing error of the new voice; if it exceeds ${MOST_DRIFT_MS} ms, the task fails. \`consent\` confirms that you may use both voices and is written to the metadata of the file. The built-in engine matches the pitch and timbre of a sample, which gives a similar voice, not the same one. For an ElevenLabs voice, send your ElevenLabs key in the header \`X-ElevenLabs-Key\`; it is stored encrypted until the task ends and then deleted.`,
  work: 'The speech is found and converted passage by passage, and each passage is written back at its original sample, so timing cannot drift. The video packets are copied. The cost grows with the length of the speech, not of the picture.',
  feature: 'redub_vc',
  keyOf: 'elevenlabs',
  fields: {
    video_url: videoUrl().optional(),
    audio_url: sourceUrl('the source audio, instead of `video_url`').optional(),
    consent: z
      .literal(true, { error: 'must be `true`, which confirms that the owners of both voices have agreed' })
      .meta({
        description: 'Confirms that the owners of both voices have agreed. It must be `true`.',
      }),
    voice_id: z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,64}$/, { error: 'must be a voice id of 1 to 64 letters, digits, `_` or `-`' })
      .optional()
      .meta({
        description:
          'A preset (see `/docs/examples`) or the id of an ElevenLabs voice. Presets aim at a range of pitch: a high voice is raised less by `feminine`.',
      }),
    voice_sample_url: sourceUrl('a few seconds of the target voice').optional(),
    provider: z.enum(voiceProviders).default('auto').meta({
      description:
        'Engine that converts the voice. `auto`: the best available engine for the request. `builtin`: an engine without a model. `local`: an engine with an installed model. Or the name of an engine.',
    }),
    pitch_semitones: z.number().min(-24).max(24).default(0).meta({
      description: 'Pitch shift in semitones, in addition to the preset or sample.',
    }),
    formant: z
      .number()
      .min(-1)
      .max(1)
      .default(0)
      .meta({
        description: `Formant shift, in addition to the preset or sample. 1 is ${FORMANT_SEMITONES} semitones up and sounds like a smaller speaker.`,
      }),
    preserve_background: z.boolean().default(true).meta({
      description:
        'Convert only the voices and keep other sounds, if an available engine can separate them. The built-in engine separates what is at one place of a stereo sound. If voices are at several places, such as one in each channel, all sound is converted.',
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
      issue('video_url', 'Give either `video_url` or `audio_url`.');
    }
    const moved = input.pitch_semitones !== 0 || input.formant !== 0;
    if (voice_id === undefined && voice_sample_url === undefined && !moved) {
      issue('voice_id', 'Give `voice_id`, `voice_sample_url`, `pitch_semitones` or `formant`.');
    }
    if (voice_id !== undefined && voice_sample_url !== undefined) {
      issue('voice_sample_url', 'Give either `voice_id` or `voice_sample_url`, not both.');
    }
    if (provider === 'elevenlabs' && (voice_id === undefined || isVoicePreset(voice_id))) {
      issue('voice_id', '`provider: elevenlabs` needs the id of an ElevenLabs voice in `voice_id`.');
    }
    if ((provider === 'openvoice' || provider === 'local') && voice_sample_url === undefined) {
      issue('voice_sample_url', `\`provider: ${provider}\` needs a \`voice_sample_url\`.`);
    }
    const theirs = voice_id !== undefined && !isVoicePreset(voice_id);
    if (moved && (theirs || ['elevenlabs', 'openvoice', 'local'].includes(provider))) {
      issue(
        'provider',
        'Only the built-in engine supports `pitch_semitones` and `formant`. Use `provider: builtin` or remove them.',
      );
    }
    if (theirs && (provider === 'rubberband' || provider === 'builtin')) {
      const presets = Object.keys(voicePresets);
      const text = `There is no preset \`${voice_id}\`; the presets are ${presets.join(', ')}.`;
      issue('voice_id', text + didYouMean(voice_id, presets));
    }
    checkCodec(input, context);
  },
  data: z.strictObject({
    consent: z.literal(true).meta({ description: 'The consent given in the request.' }),
    engine: engineUsed,
    separation: engineUsed.nullable().meta({
      description: 'Engine that separated the voices; null if the whole audio was converted.',
    }),
    segments: z
      .array(z.tuple([z.number(), z.number()]))
      .max(MOST_SEGMENTS)
      .nullable()
      .meta({
        description: `Start and end of each passage of speech in seconds; the first ${MOST_SEGMENTS} passages. Null in a dry run.`,
      }),
    max_drift_ms: z.number().max(MOST_DRIFT_MS).nullable().meta({
      description: 'Largest measured timing error of the new voice in milliseconds; null in a dry run.',
    }),
    pitch_semitones: z.number().nullable().meta({
      description:
        'Pitch shift that was applied, in semitones, including matching; null in a dry run and with other engines.',
    }),
    formant_semitones: z.number().nullable().meta({
      description: 'Formant shift that was applied, in semitones; null in a dry run and with other engines.',
    }),
    drift_ms: z.number().meta({ description: 'Milliseconds by which the audio ends after the video.' }),
    ...loudnessFound,
    ...madeHow(),
  }),
  engines: ({ provider, voice_id }) =>
    voice_id === undefined || isVoicePreset(voice_id)
      ? [{ pointer: '/provider', engines: enginesSelected('voice_convert', provider) }]
      : [],
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
    file_name: 'redub_vc.mp4',
    role: 'video',
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
      spans: [{ out: [0, 42.5], frames: 1275, copied: true, rendered_because: null }],
    },
    time_map: [{ source: 0, in: [0, 42.5], out: [0, 42.5] }],
  },
  examples: [
    {
      title: 'Deeper voice to anonymize a speaker',
      input: { video_url: 'https://media.example.com/interview.mp4', consent: true, voice_id: 'deep' },
    },
    {
      title: 'Recording in a voice similar to a sample',
      input: {
        audio_url: 'https://media.example.com/take.wav',
        consent: true,
        voice_sample_url: 'https://media.example.com/sample.wav',
        pitch_semitones: -0.5,
      },
    },
  ],
});

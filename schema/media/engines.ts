import { z } from 'zod';

export const engineTiers = ['model', 'embedded', 'cloud'] as const;
export const engineQualities = ['high', 'basic'] as const;
export const engineCapabilities = [
  'asr',
  'align',
  'tts',
  'voice_convert',
  'separate',
  'depth',
  'vad',
  'diarize',
] as const;
export type EngineCapability = (typeof engineCapabilities)[number];

interface EngineEntry {
  title: string;
  capabilities: readonly EngineCapability[];
  /** `model`: needs downloaded weights; `embedded`: built in; `cloud`: a provider, with a key of the caller or the operator. */
  tier: (typeof engineTiers)[number];
  quality: (typeof engineQualities)[number];
  /** Weights or voices in use; null if there are none. */
  model_id: string | null;
  /** ISO 639-1 codes; `*` for too many to list, empty if language does not matter. */
  languages: readonly string[];
  /** SPDX identifier; of the weights if there are any. */
  license: string;
  /** Recognizes words in small letters without punctuation. */
  unpunctuated?: true;
  /** Whose account at the provider pays: only the caller's, or also the operator's, who then offers it to every caller. Absent if callers never pay a provider. */
  paidBy?: 'caller' | 'either';
  /** Whether the Worker runs it, with its own binding. */
  onWorkersAi?: true;
  /** What a caller can do to use it. */
  get: string;
  /** What the operator of a service does to offer it, as Markdown; null if there is nothing to do. */
  install: string | null;
}

const parakeetLanguages = 'bg cs da de el en es et fi fr hr hu it lt lv mt nl pl pt ro ru sk sl sv uk'.split(
  ' ',
);

const byOperator =
  'It works as soon as the operator of this service installs it; /docs/self-hosting#engines says how.';
const withModels = (set: string) => ({
  get: byOperator,
  install: `\`npm run models -- fetch --set ${set}\`, or the image with models (\`transcoder/Dockerfile.ai\`)`,
});
const withPackage = (name: string) => ({
  get: byOperator,
  install: `Debian's package \`${name}\` on the machine of the transcoder`,
});

const speechApi = {
  tier: 'cloud',
  quality: 'high',
  model_id: null,
  languages: ['*'],
  license: 'LicenseRef-Provider-Terms',
  paidBy: 'either',
  get: 'Send the https:// URL of a speech API in the header X-Speech-Api-Url, its key in X-Speech-Api-Key and the name of a model in X-Speech-Api-Model.',
} as const;

const workersAi = {
  tier: 'cloud',
  quality: 'high',
  onWorkersAi: true,
  get: byOperator,
  install: 'an `[ai]` binding named `AI` in `wrangler.toml`; Cloudflare charges its account for use',
} as const;

/** All engines, best first. A transcoder checks at start which are available. */
export const engines = {
  speech_api: {
    title: 'OpenAI-compatible transcription',
    capabilities: ['asr', 'align'],
    ...speechApi,
    install: '`SPEECH_API_URL` and `SPEECH_API_TRANSCRIPTION_MODEL` among the settings',
  },
  workers_ai: {
    title: 'Whisper Large v3 Turbo on Workers AI',
    capabilities: ['asr', 'align'],
    model_id: '@cf/openai/whisper-large-v3-turbo',
    languages: ['*'],
    license: 'MIT',
    ...workersAi,
  },
  parakeet: {
    title: 'Parakeet TDT 0.6B v3 via sherpa-onnx',
    capabilities: ['asr', 'align'],
    tier: 'model',
    quality: 'high',
    model_id: 'parakeet-tdt-0.6b-v3-int8',
    languages: parakeetLanguages,
    license: 'CC-BY-4.0',
    ...withModels('captions'),
  },
  parakeet_en: {
    title: 'Parakeet TDT 0.6B v2 via sherpa-onnx',
    capabilities: ['asr', 'align'],
    tier: 'model',
    quality: 'high',
    model_id: 'parakeet-tdt-0.6b-v2-int8',
    languages: ['en'],
    license: 'CC-BY-4.0',
    get: byOperator,
    install: '`npm run models -- fetch --set captions-en`',
  },
  parakeet_small: {
    title: 'Parakeet TDT 110M via sherpa-onnx',
    capabilities: ['asr', 'align'],
    tier: 'model',
    quality: 'high',
    model_id: 'parakeet-tdt-110m-en-int8',
    languages: ['en'],
    license: 'CC-BY-4.0',
    get: byOperator,
    install: '`npm run models -- fetch --set lite`, 136 MB',
  },
  pocketsphinx: {
    title: 'PocketSphinx',
    capabilities: ['asr', 'align'],
    tier: 'embedded',
    quality: 'basic',
    model_id: 'en-us',
    languages: ['en'],
    license: 'BSD-2-Clause',
    unpunctuated: true,
    ...withPackage('pocketsphinx-en-us'),
  },
  speech_api_tts: {
    title: 'OpenAI-compatible speech',
    capabilities: ['tts'],
    ...speechApi,
    install: '`SPEECH_API_URL` and `SPEECH_API_SPEECH_MODEL` among the settings',
  },
  workers_ai_tts: {
    title: 'Aura 2 on Workers AI',
    capabilities: ['tts'],
    model_id: '@cf/deepgram/aura-2-en',
    languages: ['en', 'es'],
    license: 'LicenseRef-Deepgram-Terms',
    ...workersAi,
  },
  kokoro: {
    title: 'Kokoro 82M via sherpa-onnx',
    capabilities: ['tts'],
    tier: 'model',
    quality: 'high',
    model_id: 'kokoro-multi-lang-v1_0',
    languages: ['en', 'es', 'fr', 'hi', 'it', 'pt'],
    license: 'Apache-2.0',
    ...withModels('tts'),
  },
  flite: {
    title: 'Flite',
    capabilities: ['tts'],
    tier: 'embedded',
    quality: 'basic',
    model_id: 'cmu-us',
    languages: ['en'],
    license: 'BSD-3-Clause',
    ...withPackage('flite'),
  },
  espeak_ng: {
    title: 'eSpeak NG',
    capabilities: ['tts'],
    tier: 'embedded',
    quality: 'basic',
    model_id: null,
    languages: ['*'],
    license: 'GPL-3.0-or-later',
    ...withPackage('espeak-ng'),
  },
  elevenlabs: {
    title: 'ElevenLabs',
    capabilities: ['tts', 'voice_convert'],
    tier: 'cloud',
    quality: 'high',
    model_id: 'eleven_multilingual_v2',
    languages: ['*'],
    license: 'LicenseRef-ElevenLabs-Terms',
    paidBy: 'caller',
    get: 'Send your ElevenLabs key in the header X-ElevenLabs-Key.',
    install: null,
  },
  openvoice: {
    title: 'OpenVoice v2 via ONNX Runtime',
    capabilities: ['voice_convert'],
    tier: 'model',
    quality: 'high',
    model_id: 'openvoice-v2',
    languages: [],
    license: 'MIT',
    ...withModels('voice'),
  },
  rubberband: {
    title: 'Rubber Band R3',
    capabilities: ['voice_convert'],
    tier: 'embedded',
    quality: 'basic',
    model_id: null,
    languages: [],
    license: 'GPL-2.0-or-later',
    ...withPackage('rubberband-cli'),
  },
  spleeter: {
    title: 'Spleeter 2 stems via ONNX Runtime',
    capabilities: ['separate'],
    tier: 'model',
    quality: 'high',
    model_id: 'spleeter-2stems-fp16',
    languages: [],
    license: 'MIT',
    ...withModels('stems'),
  },
  centre_mask: {
    title: 'Center mask',
    capabilities: ['separate'],
    tier: 'embedded',
    quality: 'basic',
    model_id: null,
    languages: [],
    license: 'Apache-2.0',
    get: 'Part of every service.',
    install: null,
  },
  depth_anything: {
    title: 'Depth Anything v2 small via ONNX Runtime',
    capabilities: ['depth'],
    tier: 'model',
    quality: 'high',
    model_id: 'depth-anything-v2-small',
    languages: [],
    license: 'Apache-2.0',
    ...withModels('photo'),
  },
  silero_vad: {
    title: 'Silero VAD v6 via ONNX Runtime',
    capabilities: ['vad'],
    tier: 'embedded',
    quality: 'high',
    model_id: 'silero-vad-v6',
    languages: ['*'],
    license: 'MIT',
    get: byOperator,
    install:
      "npm's optional packages (`npm ci` without `--omit=optional`) on a system that ONNX Runtime supports",
  },
  pyannote: {
    title: 'pyannote segmentation 3.0 and WeSpeaker ResNet34 via sherpa-onnx',
    capabilities: ['diarize'],
    tier: 'model',
    quality: 'high',
    model_id: 'pyannote-3.0-wespeaker-resnet34',
    languages: [],
    license: 'MIT AND CC-BY-4.0',
    ...withModels('speakers'),
  },
} as const satisfies Record<string, EngineEntry>;

export type EngineId = keyof typeof engines;

export const engineIds = Object.keys(engines) as [EngineId, ...EngineId[]];

export function engineOf(id: EngineId): EngineEntry {
  return engines[id];
}

/** Engines with this capability, best first. */
export function enginesFor(capability: EngineCapability): EngineId[] {
  return engineIds.filter((id) => engineOf(id).capabilities.includes(capability));
}

/**
 * The engines that a request selects by name, by tier or with `auto`, best first. `auto` does not include engines that need a key of
 * the caller.
 */
export function enginesSelected(
  capability: EngineCapability,
  asked: 'auto' | 'builtin' | 'local' | EngineId,
): EngineId[] {
  const selects: Record<string, (engine: EngineEntry) => boolean> = {
    auto: ({ paidBy }) => paidBy !== 'caller',
    builtin: ({ tier }) => tier === 'embedded',
    local: ({ tier }) => tier === 'model',
  };
  const select = selects[asked];
  return enginesFor(capability).filter((id) => (select ? select(engineOf(id)) : id === asked));
}

/** Request field that selects the engine. */
export const engineField = (capability: EngineCapability) =>
  z
    .enum(['auto', ...enginesFor(capability)])
    .default('auto')
    .meta({
      description: `Engine to use. \`GET /capabilities\` lists the available ones. \`auto\`: ${capability === 'asr' ? 'your own speech API if you send one in `X-Speech-Api-Url`, otherwise ' : ''}the best available engine.`,
    });

/** The engine that was used, in `output.data.engine`. */
export const engineUsed = z
  .strictObject({
    id: z.enum(engineIds).meta({ description: 'Engine id as listed by `GET /capabilities`.' }),
    tier: z
      .enum(engineTiers)
      .meta({ description: '`model`: a downloaded model. `embedded`: built in. `cloud`: a provider.' }),
    quality: z.enum(engineQualities).meta({ description: 'Expected quality of the result.' }),
    model_id: z
      .string()
      .nullable()
      .meta({ description: 'Model or voices in use; null if the engine needs none.' }),
  })
  .meta({ description: 'The engine that was used.' });
export type EngineUsed = z.output<typeof engineUsed>;

/** @param model The model in use, if the engine has no fixed one. */
export function engineUsedOf(id: EngineId, model?: string | null): EngineUsed {
  const { tier, quality, model_id } = engineOf(id);
  return { id, tier, quality, model_id: model ?? model_id };
}

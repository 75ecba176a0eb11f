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
] as const;
export type EngineCapability = (typeof engineCapabilities)[number];

interface EngineEntry {
  title: string;
  capabilities: readonly EngineCapability[];
  /** `model`: needs downloaded weights; `embedded`: built in; `cloud`: a provider, used with the caller's key. */
  tier: (typeof engineTiers)[number];
  quality: (typeof engineQualities)[number];
  /** Weights or voices in use; null if there are none. */
  model_id: string | null;
  /** ISO 639-1 codes; `*` for too many to list, empty if language does not matter. */
  languages: readonly string[];
  /** SPDX identifier; of the weights if there are any. */
  license: string;
  /** Recognises words in small letters without punctuation. */
  unpunctuated?: true;
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

/** All engines, best first. A transcoder checks at start which are available. */
export const engines = {
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
  kokoro: {
    title: 'Kokoro 82M via sherpa-onnx',
    capabilities: ['tts'],
    tier: 'model',
    quality: 'high',
    model_id: 'kokoro-multi-lang-v1_0',
    languages: ['en'],
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
    title: 'Centre mask',
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
 * The engines that a request selects by name, by tier or with `auto`, best first. Cloud engines need the caller's key, so `auto` does
 * not include them.
 */
export function enginesSelected(
  capability: EngineCapability,
  asked: 'auto' | 'builtin' | 'local' | EngineId,
): EngineId[] {
  const tiers: Record<string, readonly string[]> = {
    auto: ['model', 'embedded'],
    builtin: ['embedded'],
    local: ['model'],
  };
  const wanted = tiers[asked];
  return enginesFor(capability).filter((id) => (wanted ? wanted.includes(engineOf(id).tier) : id === asked));
}

/** Request field that selects the engine. */
export const engineField = (capability: EngineCapability) =>
  z
    .enum(['auto', ...enginesFor(capability)])
    .default('auto')
    .meta({
      description:
        'Engine to use. `GET /capabilities` lists the available ones. `auto` selects the best available engine that does not need your own provider key.',
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

export function engineUsedOf(id: EngineId): EngineUsed {
  const { tier, quality, model_id } = engineOf(id);
  return { id, tier, quality, model_id };
}

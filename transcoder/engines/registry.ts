import { access } from 'node:fs/promises';
import { type EngineId, engineIds, engineOf } from '../../schema/media/engines.ts';
import type { Programs, Tool } from '../ffmpeg/run.ts';
import { run } from '../ffmpeg/run.ts';
import type { Log } from '../log.ts';
import type { SpeechEndpoint } from '../model/speech-endpoint.ts';
import type { EngineHost, HostKind } from './host.ts';
import { type ModelManifest, whatIsMissing } from './models.ts';

/** Where Debian installs the only model packaged for PocketSphinx. */
export const pocketsphinxModel = '/usr/share/pocketsphinx/model/en-us';

/** Whether an engine is available on this machine. */
export interface EngineState {
  id: EngineId;
  available: boolean;
  /** Why it is unavailable. */
  reason: string | null;
}

interface Probing {
  programs: Programs;
  manifest: ModelManifest;
  modelsDir: string;
  voiceNetwork: string | null;
  hosts: Record<HostKind, EngineHost>;
  speechApi: SpeechEndpoint | null;
  log: Log;
}

type Need =
  | { program: Tool; args: readonly string[]; says: RegExp; files?: readonly string[] }
  | { host: HostKind; beside?: EngineId }
  | 'voice network'
  | { endpoint: 'transcription' | 'speech' }
  | 'key'
  | 'worker'
  | 'nothing';

/** What each engine needs. The manifest lists the files of models. */
const needs = {
  speech_api: { endpoint: 'transcription' },
  workers_ai: 'worker',
  parakeet: { host: 'sherpa' },
  parakeet_en: { host: 'sherpa' },
  parakeet_small: { host: 'sherpa' },
  pocketsphinx: {
    program: 'pocketsphinx_batch',
    // Loading the language model and the dictionary too takes four times as long, at every start.
    args: [
      ...['-hmm', `${pocketsphinxModel}/en-us`, '-dict', '/dev/null'],
      ...['-ctl', '/dev/null', '-logfn', '/dev/null'],
    ],
    files: [`${pocketsphinxModel}/en-us.lm.bin`, `${pocketsphinxModel}/cmudict-en-us.dict`],
    says: /^/,
  },
  speech_api_tts: { endpoint: 'speech' },
  workers_ai_tts: 'worker',
  kokoro: { host: 'sherpa', beside: 'espeak_ng' },
  flite: { program: 'flite', args: ['-lv'], says: /^(?=.*\brms\b)(?=.*\bslt\b)/m },
  espeak_ng: { program: 'espeak-ng', args: ['--version'], says: /Data at: / },
  elevenlabs: 'key',
  openvoice: { host: 'onnxruntime' },
  rubberband: { program: 'rubberband', args: ['-V'], says: /^/ },
  spleeter: { host: 'onnxruntime' },
  centre_mask: 'nothing',
  depth_anything: { host: 'onnxruntime' },
  silero_vad: 'voice network',
  pyannote: { host: 'sherpa' },
} as const satisfies Record<EngineId, Need>;

/** Runs every program once and checks which files there are. */
export async function probeEngines(probing: Probing): Promise<EngineState[]> {
  return Promise.all(
    engineIds.map(async (id) => {
      const reason = await whyNot(id, probing);
      return { id, available: reason === null, reason };
    }),
  );
}

async function whyNot(id: EngineId, probing: Probing): Promise<string | null> {
  const need: Need = needs[id];
  if (need === 'key') return 'requires your own API key';
  if (need === 'worker') return 'requires Workers AI, which the Worker offers';
  if (need === 'nothing') return null;
  if (need === 'voice network') {
    if (probing.voiceNetwork === null) return 'its npm package is not installed';
    return whyNotStarted(id, 'onnxruntime', probing);
  }
  if ('endpoint' in need) {
    const offered = probing.speechApi?.models[need.endpoint];
    return offered ? null : 'requires your own speech API: this service has none';
  }
  if ('program' in need)
    return (await says(need, probing)) ? null : `${need.program} is not installed or does not run`;
  const model = probing.manifest.models.find(({ engine }) => engine === id);
  if (!model) return 'the manifest lists no model for it';
  const missing = await whatIsMissing(probing.modelsDir, model);
  if (missing !== null) {
    probing.log.info('engine model not installed', { engine: id, missing });
    return 'its model is not installed';
  }
  const other = need.beside && (await whyNot(need.beside, probing));
  if (other) return `requires ${engineOf(need.beside ?? id).title}: ${other}`;
  return whyNotStarted(id, need.host, probing);
}

async function whyNotStarted(id: EngineId, host: HostKind, { hosts, log }: Probing): Promise<string | null> {
  try {
    await hosts[host].start();
    return null;
  } catch (error) {
    log.warn('engine library failed to load', { engine: id, error });
    return 'its library cannot be loaded';
  }
}

async function says(
  { program, args, says: wanted, files = [] }: Extract<Need, object & { program: Tool }>,
  { programs, log }: Probing,
): Promise<boolean> {
  try {
    await Promise.all(files.map((file) => access(file)));
    const { stdout } = await run(programs, program, args, { timeoutSeconds: 20 });
    return wanted.test(stdout);
  } catch (error) {
    log.info('engine program does not run', { program, error });
    return false;
  }
}

import { join } from 'node:path';
import { z } from 'zod';
import { type EngineId, engineOf, engines } from '../../schema/media/engines.ts';
import type { ModuleConfinement } from '../ffmpeg/fork.ts';
import type { Programs } from '../ffmpeg/run.ts';
import type { Log } from '../log.ts';
import type { SpeechEndpoint } from '../model/speech-endpoint.ts';
import { TaskFailure } from '../model/task-failure.ts';
import { EngineSpeeds } from './engine-speeds.ts';
import type { Asked } from './exchange.ts';
import { EngineHost, type HostKind, hostKinds } from './host.ts';
import { type HostOptions, ModelFailure } from './host-process.ts';
import {
  type Compared,
  compared,
  type Diarized,
  type DiarizeRequest,
  diarized,
  type Listened,
  listened,
  type MagnitudesRequest,
  type MaskedRequest,
  type Parted,
  type PartRequest,
  parted,
  type Recognized,
  type RecognizeRequest,
  recognized,
  type Synthesized,
  type SynthesizeRequest,
  synthesized,
  type TensorRequest,
  type Tensors,
  tensors,
  type VoiceActivity,
  type VoiceActivityRequest,
  type VoiceAsked,
  voiceActivity,
} from './hosts/protocol.ts';
import { type ModelManifest, modelPaths, manifest as ours } from './models.ts';
import { type EngineState, probeEngines } from './registry.ts';
import { packagedVoiceNetwork } from './voice-network.ts';

interface EngineOptions {
  programs: Programs;
  modelsDir: string;
  log: Log;
  /** Confinement of the hosts; they may also read the models. Null if every file is trusted. */
  confinement?: ModuleConfinement | null;
  /**
   * Parent of each host's own directory for request files; null if `confinement` lets hosts see the directories of all
   * jobs.
   */
  exchangeDir?: string | null;
  /** Defaults to the project's manifest. */
  manifest?: ModelManifest;
  /** The network that detects voices. Defaults to the one of the npm package. */
  voiceNetwork?: string | null;
  /** Origin of the ElevenLabs API. */
  elevenLabsUrl?: string;
  /** The operator's speech API; null if there is none. */
  speechApi?: SpeechEndpoint | null;
}

/** How long an engine is not offered after its model did not load: a machine that is short of memory for a moment loads it later. */
const WITHDRAWN_MS = 10 * 60_000;

/** The engines of this machine: which are available, and the host processes of native libraries. */
export class Engines {
  readonly speeds = new EngineSpeeds();
  #options: Required<EngineOptions>;
  #hosts: Record<HostKind, EngineHost>;
  #states: EngineState[] = [];
  /** Engines whose model did not load, and until when they are not offered, in milliseconds of this process. */
  #withdrawn = new Map<EngineId, number>();

  private constructor(options: EngineOptions) {
    this.#options = {
      ...{ manifest: ours, confinement: null, exchangeDir: null, voiceNetwork: packagedVoiceNetwork() },
      elevenLabsUrl: 'https://api.elevenlabs.io',
      speechApi: null,
      ...options,
    };
    const { confinement, modelsDir, exchangeDir } = this.#options;
    const kept = confinement && { ...confinement, reads: [modelsDir] };
    const hostOf = (kind: HostKind) =>
      new EngineHost(kind, undefined, kept, exchangeDir && join(exchangeDir, kind));
    this.#hosts = Object.fromEntries(hostKinds.map((kind) => [kind, hostOf(kind)])) as Record<
      HostKind,
      EngineHost
    >;
  }

  /** Probes every engine once. An unavailable engine is not an error. */
  static async probe(options: EngineOptions): Promise<Engines> {
    const made = new Engines(options);
    made.#states = await probeEngines({ ...made.#options, hosts: made.#hosts });
    return made;
  }

  get states(): readonly EngineState[] {
    const now = performance.now();
    return this.#states.map((state) =>
      (this.#withdrawn.get(state.id) ?? 0) > now
        ? { id: state.id, available: false, reason: 'its model could not be loaded' }
        : state,
    );
  }

  /** Engines that work without a key from the caller. */
  get present(): ReadonlySet<EngineId> {
    return new Set(this.states.filter(({ available }) => available).map(({ id }) => id));
  }

  /** The operator's speech API; null if there is none. */
  get speechApi(): SpeechEndpoint | null {
    return this.#options.speechApi;
  }

  get provider(): { url: string; model: string } {
    return { url: this.#options.elevenLabsUrl, model: engines.elevenlabs.model_id };
  }

  /** Paths of an engine's model files by role. Throws if the manifest has no model for the engine. */
  modelOf(id: EngineId): Record<string, string> {
    const model = this.#options.manifest.models.find(({ engine }) => engine === id);
    if (!model) throw new Error(`the manifest has no model for ${id}`);
    return modelPaths(this.#options.modelsDir, model);
  }

  /** Process ids of running hosts. */
  get pids(): number[] {
    return hostKinds.flatMap((kind) => this.#hosts[kind].pid ?? []);
  }

  /**
   * Transcribes speech to tokens with times. Throws TaskFailure `engine_unavailable` if the model does not load,
   * `out_of_memory` or `engine_failed`; or the reason of `signal`.
   */
  recognize(id: EngineId, request: RecognizeRequest, options: HostOptions = {}): Promise<Recognized> {
    return this.#ask(
      id,
      'sherpa',
      (at) => ({ kind: 'recognize', ...request, sound: { ...request.sound, file: at(request.sound.file) } }),
      recognized,
      options,
    );
  }

  /** Finds who speaks when. Throws as `recognize` does. */
  diarize(id: EngineId, request: DiarizeRequest, options: HostOptions = {}): Promise<Diarized> {
    return this.#ask(
      id,
      'sherpa',
      (at) => ({ kind: 'diarize', ...request, sound: { ...request.sound, file: at(request.sound.file) } }),
      diarized,
      options,
    );
  }

  /** Speaks a text into a file. Throws as `recognize` does. */
  synthesize(id: EngineId, request: SynthesizeRequest, options: HostOptions = {}): Promise<Synthesized> {
    return this.#ask(
      id,
      'sherpa',
      (at) => ({ kind: 'synthesize', ...request, file: at(request.file) }),
      synthesized,
      options,
    );
  }

  /** Runs a neural network once. Throws as `recognize` does. */
  infer(id: EngineId, request: Omit<TensorRequest, 'kind'>, options: HostOptions = {}): Promise<Tensors> {
    const asked: Asked = (at) => ({
      ...{ kind: 'run', ...request },
      inputs: request.inputs.map(({ from, ...input }) => ({
        ...input,
        from: 'file' in from ? { file: at(from.file) } : from,
      })),
      outputs: request.outputs.map((output) => ({ ...output, file: at(output.file) })),
    });
    return this.#ask(id, 'onnxruntime', asked, tensors, options);
  }

  /** Writes where there is a voice in a sound. Throws as `recognize` does. */
  voiceActivity(
    request: Pick<VoiceActivityRequest, 'sound' | 'to'>,
    options: HostOptions = {},
  ): Promise<VoiceActivity> {
    const { sound, to } = request;
    const model = this.#options.voiceNetwork ?? '';
    const asked: Asked = (at) => ({ kind: 'voice_activity', model, sound: at(sound), to: at(to) });
    return this.#ask('silero_vad', 'onnxruntime', asked, voiceActivity, options);
  }

  /** Splits stereo sound into its center, or a voice at another place, and the rest. Throws `engine_failed`, or the reason of `signal`. */
  part(request: Omit<PartRequest, 'kind'>, options: HostOptions = {}): Promise<Parted> {
    const { from, search, voice, music } = request;
    const asked: Asked = (at) => ({
      ...{ kind: 'part', from: at(from), search, voice: voice && at(voice), music: music && at(music) },
    });
    return this.#ask('centre_mask', 'signal', asked, parted, options);
  }

  /** Writes the input of the Spleeter networks for one block of sound. Throws as `part` does. */
  async magnitudes(request: Omit<MagnitudesRequest, 'kind'>, options: HostOptions = {}): Promise<void> {
    const { from, file } = request;
    const asked: Asked = (at) => ({ kind: 'magnitudes', ...request, from: at(from), file: at(file) });
    await this.#ask('spleeter', 'signal', asked, z.null(), options);
  }

  /** Writes the vocals of one block, masked by the output of the Spleeter networks. Throws as `part` does. */
  async masked(request: Omit<MaskedRequest, 'kind'>, options: HostOptions = {}): Promise<void> {
    const { from, vocals, accompaniment, to } = request;
    const asked: Asked = (at) => ({
      ...{ kind: 'masked', ...request, from: at(from), to: at(to) },
      ...{ vocals: at(vocals), accompaniment: at(accompaniment) },
    });
    await this.#ask('spleeter', 'signal', asked, z.null(), options);
  }

  /** Finds the speech in a file, and the pitch and tilt of its voice. Throws as `part` does. */
  listen(request: VoiceAsked<'listen'>, options: HostOptions = {}): Promise<Listened> {
    return this.#ask(
      'rubberband',
      'signal',
      (at) => ({ kind: 'listen', ...request, file: at(request.file) }),
      listened,
      options,
    );
  }

  /** Measures by how much one voice lags another. Throws as `part` does. */
  compare(request: VoiceAsked<'compare'>, options: HostOptions = {}): Promise<Compared> {
    const { found, wanted } = request;
    const asked: Asked = (at) => ({ kind: 'compare', ...request, found: at(found), wanted: at(wanted) });
    return this.#ask('rubberband', 'signal', asked, compared, options);
  }

  /** Makes a voice brighter or duller, in place. Throws as `part` does. */
  async tilt(request: VoiceAsked<'tilt'>, options: HostOptions = {}): Promise<void> {
    await this.#ask(
      'rubberband',
      'signal',
      (at) => ({ kind: 'tilt', ...request, file: at(request.file) }),
      z.null(),
      options,
    );
  }

  /** Writes the input of the OpenVoice networks. Throws as `part` does. */
  async spectrum(request: VoiceAsked<'spectrum'>, options: HostOptions = {}): Promise<void> {
    const { from, file } = request;
    const asked: Asked = (at) => ({ kind: 'spectrum', ...request, from: at(from), file: at(file) });
    await this.#ask('openvoice', 'signal', asked, z.null(), options);
  }

  close(): void {
    for (const kind of hostKinds) this.#hosts[kind].close();
  }

  async #ask<T>(
    id: EngineId,
    kind: HostKind,
    asked: Asked,
    answer: z.ZodType<T>,
    options: HostOptions,
  ): Promise<T> {
    try {
      return answer.parse(await this.#hosts[kind].ask(asked, options));
    } catch (error) {
      if (!(error instanceof ModelFailure)) throw error;
      // It has no model.
      if (kind === 'signal')
        throw new TaskFailure('engine_failed', 'The engine could not be started.', { cause: error });
      const { title } = engineOf(id);
      this.#options.log.error('engine model failed to load', { engine: id, error });
      this.#withdrawn.set(id, performance.now() + WITHDRAWN_MS);
      throw new TaskFailure(
        'engine_unavailable',
        `${title} is not available: its model could not be loaded. Choose another engine.`,
        {
          cause: error,
        },
      );
    }
  }
}

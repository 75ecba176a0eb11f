import type { ModuleConfinement } from '../../ffmpeg/fork.ts';
import type { Log } from '../../log.ts';
import type { MediaSource } from '../../media-source.ts';
import { EngineFailure, WorkerProcess } from './process.ts';
import type {
  Done,
  MixRequest,
  PacketList,
  PacketsRequest,
  PicturesRequest,
  Printed,
  ProbeRequest,
  RangeWanted,
  Reply,
  Request,
  SpliceRequest,
  Surveyed,
  SurveyRequest,
  TrimRequest,
} from './protocol.ts';

export { EngineFailure };

interface AskOptions {
  /** The sources that the request reads. */
  sources?: readonly MediaSource[] | undefined;
  signal?: AbortSignal | undefined;
  onProgress?: ((fraction: number) => void) | undefined;
}

/** Warm processes with libav in them, each with one request at a time. */
export class Engine {
  #log: Log;
  #size: number;
  #confinement: ModuleConfinement | null;
  #idle: WorkerProcess[] = [];
  #all = new Set<WorkerProcess>();
  #closed = false;

  private constructor(log: Log, size: number, confinement: ModuleConfinement | null) {
    this.#log = log;
    this.#size = size;
    this.#confinement = confinement;
  }

  /**
   * @param confinement Null for files that are all our own.
   * @returns null where libav cannot be loaded on this platform: everything then goes through the ffmpeg program.
   */
  static async start(
    log: Log,
    processes: number,
    confinement: ModuleConfinement | null = null,
  ): Promise<Engine | null> {
    const engine = new Engine(log, processes, confinement);
    try {
      engine.#idle.push(...(await Promise.all(Array.from({ length: processes }, () => engine.#fork()))));
      return engine;
    } catch (error) {
      log.warn('no engine: everything goes through the ffmpeg program', { error });
      engine.close();
      return null;
    }
  }

  /**
   * @returns null where the file cannot be opened. Throws EngineFailure, the reason of `signal`, or TaskFailure where a
   * source cannot be read.
   */
  async probe(request: ProbeRequest, options: AskOptions = {}): Promise<Printed | null> {
    const answer = await this.#ask(request, options);
    if (answer.type === 'probed') return answer.value;
    throw new EngineFailure(`a probe was answered by ${answer.type}`);
  }

  /** Throws EngineFailure, the reason of `signal`, or TaskFailure where a source cannot be read. */
  async packets(request: PacketsRequest, options: AskOptions = {}): Promise<PacketList> {
    const answer = await this.#ask(request, options);
    if (answer.type === 'listed') return answer.value;
    throw new EngineFailure(`a question for packets was answered by ${answer.type}`);
  }

  /** @returns ticks; null where the stream shows nothing. Throws EngineFailure, the reason of `signal`, or TaskFailure where a source cannot be read. */
  async pictures(request: PicturesRequest, options: AskOptions = {}): Promise<(number | null)[]> {
    const answer = await this.#ask(request, options);
    if (answer.type === 'drawn') return answer.value;
    throw new EngineFailure(`a question for pictures was answered by ${answer.type}`);
  }

  /** Throws EngineFailure, the reason of `signal`, or TaskFailure where a source cannot be read. */
  async survey(request: SurveyRequest, options: AskOptions = {}): Promise<Surveyed> {
    const answer = await this.#ask(request, options);
    if (answer.type === 'surveyed') return answer.value;
    throw new EngineFailure(`a survey was answered by ${answer.type}`);
  }

  /** Throws EngineFailure, the reason of `signal`, or TaskFailure where a source cannot be read. */
  async splice(request: SpliceRequest, options: AskOptions = {}): Promise<Done> {
    const answer = await this.#ask(request, options);
    if (answer.type === 'done') return answer.value;
    throw new EngineFailure(`a splice was answered by ${answer.type}`);
  }

  /** Throws EngineFailure, the reason of `signal`, or TaskFailure where a source cannot be read. */
  async trim(request: TrimRequest, options: AskOptions = {}): Promise<Done> {
    const answer = await this.#ask(request, options);
    if (answer.type === 'done') return answer.value;
    throw new EngineFailure(`a trim was answered by ${answer.type}`);
  }

  /** Throws EngineFailure, the reason of `signal`, or TaskFailure where a source cannot be read. */
  async mix(request: MixRequest, options: AskOptions = {}): Promise<Done> {
    const answer = await this.#ask(request, options);
    if (answer.type === 'done') return answer.value;
    throw new EngineFailure(`a mix was answered by ${answer.type}`);
  }

  /** Process ids, those at work included. */
  get pids(): number[] {
    return [...this.#all].flatMap(({ pid }) => pid ?? []);
  }

  /** Ends every process. */
  close(): void {
    this.#closed = true;
    for (const worker of this.#all) worker.kill();
  }

  async #ask(request: Request, { sources = [], signal, onProgress }: AskOptions): Promise<Reply> {
    signal?.throwIfAborted();
    const worker = this.#living() ?? (await this.#fork());
    const onAbort = () => worker.kill();
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      const bring = (range: RangeWanted) => sourceAt(range.path, sources).bring(range.wanted, range.on);
      const answer = await worker.ask(request, { onProgress: onProgress ?? (() => {}), bring });
      this.#idle.push(worker);
      return answer;
    } catch (error) {
      worker.kill();
      void this.#refill();
      signal?.throwIfAborted();
      throw error;
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }

  #living(): WorkerProcess | undefined {
    this.#idle = this.#idle.filter((worker) => !worker.ended);
    return this.#idle.pop();
  }

  async #fork(): Promise<WorkerProcess> {
    const worker = new WorkerProcess(this.#confinement, (ended) => this.#all.delete(ended));
    this.#all.add(worker);
    await worker.ready();
    return worker;
  }

  async #refill(): Promise<void> {
    if (this.#closed || this.#all.size > this.#size) return;
    try {
      this.#idle.push(await this.#fork());
    } catch (error) {
      this.#log.error('a worker process could not be replaced', { error });
    }
  }
}

function sourceAt(path: string, sources: readonly MediaSource[]): MediaSource {
  const source = sources.find((candidate) => candidate.parts().path === path);
  if (!source) throw new Error('a worker process reads a source that its request came without');
  return source;
}

import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { type EngineId, engineOf } from '../../schema/media/engines.ts';
import type { OperationName } from '../../schema/operations/index.ts';
import { Engines } from '../../transcoder/engines/engines.ts';
import type { Programs } from '../../transcoder/ffmpeg/run.ts';
import { jsonLog } from '../../transcoder/log.ts';
import type { MediaContext } from '../../transcoder/media/execute/media-context.ts';
import { LibavPool } from '../../transcoder/media/libav/pool.ts';
import type { Capabilities } from '../../transcoder/model/capabilities.ts';
import { TaskFailure } from '../../transcoder/model/task-failure.ts';
import { operateOnFiles } from '../lib/operate-on-files.ts';
import { root } from '../lib/paths.mjs';

/** The media part of the service, started when something must be created. Its sources are local files. */
export class Machine {
  #programs: Programs;
  #capabilities: Capabilities;
  #libav: Promise<LibavPool | null> | undefined;
  #engines: Promise<Engines> | undefined;
  #log = jsonLog({}, () => {});

  constructor(programs: Programs, capabilities: Capabilities) {
    this.#programs = programs;
    this.#capabilities = capabilities;
  }

  /** Throws `engine_unavailable` if one of these is unavailable. */
  async demand(needs: readonly EngineId[]): Promise<void> {
    if (needs.length === 0) return;
    const { present } = await this.#probed();
    const absent = needs.find((id) => !present.has(id));
    if (absent) throw new TaskFailure('engine_unavailable', `${engineOf(absent).title} is not available`);
  }

  /** Runs everything of a task between download and upload. @returns the path of the main file. Throws TaskFailure. */
  async operate(
    name: OperationName,
    request: Record<string, unknown>,
    paths: readonly string[],
    directory: string,
  ): Promise<string> {
    this.#libav ??= LibavPool.start(this.#log, availableParallelism());
    const context: MediaContext = {
      ...{ programs: this.#programs, capabilities: this.#capabilities, log: this.#log },
      ...{ libav: await this.#libav, engines: await this.#probed() },
    };
    const { rendered } = await operateOnFiles(context, name, paths, request, directory);
    return rendered.files[0].path;
  }

  async close(): Promise<void> {
    (await this.#libav)?.close();
    (await this.#engines)?.close();
  }

  /** The engines without those that need a model, so that every machine creates the same examples. */
  #probed(): Promise<Engines> {
    this.#engines ??= Engines.probe({
      ...{ programs: this.#programs, modelsDir: join(root, '.spool/no-models'), log: this.#log },
    });
    return this.#engines;
  }
}

import type { TranscoderState } from '../../schema/task/transcoder-state.ts';
import type { TranscoderReady } from '../../schema/task/wire.ts';
import { errorText, log } from '../lib/log.ts';

/** A container that works says how it is this often; so a failure elsewhere is not the last word for long. */
const EVERY_MS = 5 * 60_000;

/**
 * Writes down what containers say of themselves while they are awake anyway, so that `/readyz` and `/capabilities` need to
 * start none. Does not throw.
 */
export class ContainerNote {
  private readonly state: { write(state: TranscoderState): Promise<void> };
  private readonly ask: () => Promise<TranscoderReady>;
  private writtenAt = Number.NEGATIVE_INFINITY;

  constructor(state: ContainerNote['state'], ask: ContainerNote['ask']) {
    this.state = state;
    this.ask = ask;
  }

  /** The container answers; `started` where it has just begun to. */
  async awake({ started }: { started: boolean }): Promise<void> {
    if (!started && Date.now() - this.writtenAt < EVERY_MS) return;
    this.writtenAt = Date.now();
    try {
      const said = await this.ask();
      if (said.status === 'ready') await this.state.write({ checkedAt: Date.now(), said });
    } catch (error) {
      log('warn', 'container_not_noted', { error: errorText(error) });
    }
  }

  /** A container that was needed did not start. */
  async failed(): Promise<void> {
    try {
      await this.state.write({ checkedAt: Date.now(), said: null });
    } catch (error) {
      log('warn', 'container_not_noted', { error: errorText(error) });
    }
  }
}

import type { TranscoderState } from '../../schema/task/transcoder-state.ts';
import type { TranscoderReady } from '../../schema/task/wire.ts';
import { errorText, log } from '../lib/log.ts';

/** How often a busy container writes its state, so that a failure elsewhere does not stay the latest state for long. */
const EVERY_MS = 5 * 60_000;

/**
 * Stores the state of containers while they are awake, so that `/readyz` and `/capabilities` do not have to start one. Does not
 * throw.
 */
export class ContainerNote {
  private readonly state: { write(state: TranscoderState): Promise<void> };
  private readonly ask: () => Promise<TranscoderReady>;
  private writtenAt = Number.NEGATIVE_INFINITY;

  constructor(state: ContainerNote['state'], ask: ContainerNote['ask']) {
    this.state = state;
    this.ask = ask;
  }

  /** The container answers; `started` if it has just started. */
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

  /** A container that was needed failed to start. */
  async failed(): Promise<void> {
    try {
      await this.state.write({ checkedAt: Date.now(), said: null });
    } catch (error) {
      log('warn', 'container_not_noted', { error: errorText(error) });
    }
  }
}

import { type EngineId, engineOf } from '../../../schema/media/engines.ts';
import type { TranscoderReady } from '../../../schema/task/wire.ts';
import type { Context } from '../../context.ts';

interface EngineNow {
  /** Null if no transcoder has said anything about it. */
  available: boolean | null;
  reason: string | null;
  /** Seconds of sound per second of work, as measured; null if no transcoder has used it. */
  speed: number | null;
}

/** The Worker itself offers Workers AI; every other engine is the transcoder's. */
export function engineNow(
  { workersAi }: Pick<Context, 'workersAi'>,
  said: TranscoderReady | null,
  id: EngineId,
): EngineNow {
  const engine = said?.engines?.find((one) => one.id === id);
  const speed = engine?.speed ?? null;
  if (engineOf(id).onWorkersAi) {
    return workersAi
      ? { available: true, reason: null, speed }
      : { available: false, reason: 'this service has no Workers AI binding', speed: null };
  }
  return { available: engine?.available ?? null, reason: engine?.reason ?? null, speed };
}

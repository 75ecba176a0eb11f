import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type EngineId, type EngineUsed, engineOf, engineUsedOf } from '../../../schema/media/engines.ts';
import { MOST_DRIFT_MS, MOST_SEGMENTS } from '../../../schema/operations/redub-vc.ts';
import { measured } from '../../engines/engine-speeds.ts';
import { CONVERSION_MODEL } from '../../engines/speech/elevenlabs.ts';
import { greatest } from '../../model/numbers/min-max.ts';
import type { Convert } from '../../model/steps.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import type { MediaContext } from '../execute/media-context.ts';
import { multiply } from '../steps/raw-audio.ts';
import type { Conversion, Moved } from './conversion.ts';
import { byOpenVoice } from './openvoice.ts';
import { byProvider } from './provider.ts';
import { byRubberband } from './rubberband.ts';

/** Largest drift to look for, in seconds. */
const REACH = 0.06;

interface Conditions extends Pick<Conversion, 'directory' | 'providerKey' | 'signal' | 'onProgress'> {}

/** The part of an operation's report that describes the conversion. */
interface Converted extends Partial<Moved> {
  engine: EngineUsed;
  segments: [number, number][];
  max_drift_ms: number;
}

/**
 * Converts the voice with the first engine that works, keeps its loudness and checks its timing. Throws `no_speech_found`, and
 * `engine_failed` if the new voice drifts more than allowed.
 */
export async function convertVoice(
  ctx: MediaContext,
  step: Convert,
  conditions: Conditions,
): Promise<Converted> {
  const { engines, programs } = ctx;
  const { directory, signal } = conditions;
  const { sampleRate } = step;
  if (!engines) throw new Error('voice conversion needs engines');
  const wanted = join(directory, step.from);
  const heard = await engines.listen({ file: wanted, sampleRate }, { signal });
  if (heard.passages.length === 0) {
    throw new TaskFailure('no_speech_found', 'The source contains no audible voice.', { sourceIndex: 0 });
  }
  const sample =
    step.sample === null
      ? null
      : await engines.listen({ file: join(directory, step.sample), sampleRate }, { signal });
  if (sample && sample.pitch === null) {
    const detail = 'The voice sample contains no audible voice. Give a few seconds of speech.';
    throw new TaskFailure('no_speech_found', detail, { sourceIndex: 1 });
  }
  const { engine, moved } = await byFirst(ctx, step.engines, {
    ...{ engines, programs, step, heard, sample },
    ...conditions,
  });
  const found = join(directory, step.file);
  const { passages } = heard;
  const { lags, gain } = await engines.compare(
    { found, wanted, sampleRate, passages, reach: REACH },
    { signal },
  );
  const drift = greatest([0, ...lags.flat().map((lag) => Math.abs(lag) * 1000)]);
  if (drift > MOST_DRIFT_MS) {
    throw new TaskFailure(
      'engine_failed',
      `The timing of the new voice is off by ${Math.round(drift)} ms; at most ${MOST_DRIFT_MS} ms are allowed.`,
    );
  }
  await multiply(found, gain);
  await rm(wanted);
  const model = engine === 'elevenlabs' ? { model_id: CONVERSION_MODEL } : {};
  return {
    engine: { ...engineUsedOf(engine), ...model },
    segments: passages
      .slice(0, MOST_SEGMENTS)
      .map(({ at, samples }) => [at / sampleRate, Math.min(at + samples, step.samples) / sampleRate]),
    max_drift_ms: Math.round(drift * 10) / 10,
    ...moved,
  };
}

async function byFirst(
  ctx: MediaContext,
  [engine, ...others]: readonly EngineId[],
  conversion: Conversion,
): Promise<{ engine: EngineId; moved: Moved | null }> {
  if (!engine) throw new Error('no engine is left for the voice conversion');
  try {
    const { samples, sampleRate } = conversion.step;
    const seconds = () => samples / sampleRate;
    return { engine, moved: await measured(ctx.engines, engine, seconds, () => by(engine, conversion)) };
  } catch (error) {
    const next = error instanceof TaskFailure && error.code === 'engine_unavailable' && others.length > 0;
    if (!next) throw error;
    ctx.log.warn('voice conversion falls back to the next engine', { engine, error });
    return byFirst(ctx, others, conversion);
  }
}

async function by(engine: EngineId, conversion: Conversion): Promise<Moved | null> {
  if (engine === 'rubberband') return byRubberband(conversion);
  if (engine === 'openvoice') await byOpenVoice(conversion);
  else if (engine === 'elevenlabs') await byProvider(conversion);
  else throw new Error(`${engineOf(engine).title} does not convert voices`);
  return null;
}

import { samplesArguments } from '../../ffmpeg/inspect.ts';
import { run } from '../../ffmpeg/run.ts';
import { greatest } from '../../model/numbers/min-max.ts';
import type { Analysis, Levels } from '../../model/plan.ts';
import type { MediaProbe } from '../../model/source/media-probe.ts';
import type { MediaSource } from '../../model/source/media-source.ts';
import { channelsRead } from '../../model/source/sound-times.ts';
import type { MediaContext } from '../execute/media-context.ts';
import type { Analyzer } from './analyzer.ts';

const WINDOWS_PER_SECOND = 100;
const FULL_SCALE = 32_768;
const STALL_SECONDS = 60;

/** Levels of one audio stream, from a single decoding pass; uses 800 bytes of memory per second of audio. */
async function measureLevels(
  ctx: MediaContext,
  source: MediaSource,
  probe: MediaProbe,
  stream: number,
  signal: AbortSignal | undefined,
): Promise<Levels> {
  const audio = probe.streams.find(({ index }) => index === stream)?.audio;
  if (!audio) throw new Error(`stream ${stream} has no audio to measure levels of`);
  const windows = Math.ceil((probe.still ? 0 : probe.duration) * WINDOWS_PER_SECOND);
  const meter = levelMeter(audio.sampleRate, channelsRead(audio), windows);
  const file = await source.whole();
  const args = samplesArguments(file, audio, probe.origin);
  await run(ctx.programs, 'ffmpeg', args, {
    signal,
    reads: [file.path],
    onOutput: meter.push,
    stallSeconds: STALL_SECONDS,
  });
  return meter.end();
}

/** Accepts interleaved 16-bit samples in chunks of any length; ignores everything after `most` windows. */
export function levelMeter(sampleRate: number, channels: number, most: number) {
  const peak = new Float32Array(most);
  const rms = new Float32Array(most);
  const squares = new Float64Array(channels);
  let window = 0;
  let frame = 0;
  let frames = 0;
  let end = Math.round(sampleRate / WINDOWS_PER_SECOND);
  let highest = 0;
  let channel = 0;
  let odd: number | undefined;

  const close = () => {
    peak[window] = highest / FULL_SCALE;
    rms[window] = Math.sqrt(greatest(squares) / frames) / FULL_SCALE;
    squares.fill(0);
    [highest, frames] = [0, 0];
    window++;
    end = Math.round(((window + 1) * sampleRate) / WINDOWS_PER_SECOND);
  };
  const sample = (value: number) => {
    highest = Math.max(highest, Math.abs(value));
    squares[channel] = (squares[channel] ?? 0) + value * value;
    if (++channel < channels) return;
    channel = 0;
    frames++;
    if (++frame >= end) close();
  };

  return {
    push(chunk: Buffer) {
      let at = 0;
      if (odd !== undefined && chunk.length > 0) {
        if (window < most) sample(((odd | ((chunk[0] ?? 0) << 8)) << 16) >> 16);
        [at, odd] = [1, undefined];
      }
      for (; at + 1 < chunk.length && window < most; at += 2) sample(chunk.readInt16LE(at));
      if ((chunk.length - at) % 2 === 1) odd = chunk[chunk.length - 1];
    },
    end(): Levels {
      if (frames > 0 && window < most) close();
      return { peak: peak.subarray(0, window), rms: rms.subarray(0, window) };
    },
  };
}

export const levels: Analyzer<Extract<Analysis, { kind: 'levels' }>> = async (
  ctx,
  { stream },
  { source, probe },
  { signal },
) => ({ levels: await measureLevels(ctx, source, probe, stream, signal) });

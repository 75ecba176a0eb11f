import type { InputAudioTrack } from 'mediabunny';
import { ToolError } from '../failures.ts';
import { type Settings, targetChannels, targetRate } from '../settings.ts';
import { downmixer } from '../sound/downmix.ts';
import { Resampler } from '../sound/resampler.ts';
import { type Planes, Timeline } from '../sound/timeline.ts';
import { decode } from './decode.ts';
import { Lame } from './lame.ts';
import type { Mp3File } from './mp3-file.ts';

/** Samples that LAME puts before the sound. */
const LAME_DELAY = 576;
/** Samples that are given to the encoder at once. */
const BATCH = 24_000;

export interface Span {
  /** Timestamps of the track: the first that is heard, and the end. */
  from: number;
  to: number;
}

/** Decodes, mixes, resamples and encodes a span of a track. @returns how many seconds of sound there are */
export async function encode(
  track: InputAudioTrack,
  { from, to }: Span,
  settings: Settings,
  mp3: Mp3File,
  onProgress: (timestamp: number) => void,
): Promise<number> {
  let line: Line | null = null;
  for await (const { timestamp, sampleRate, planes } of decode(track, from, to)) {
    line ??= await openLine({ from, to, sampleRate, channels: planes.length }, settings, mp3);
    if (line.isComplete()) break;
    await line.add(timestamp, planes);
    onProgress(timestamp);
  }
  if (!line) throw new ToolError({ code: 'nothing_left' });
  return line.end();
}

interface Line {
  isComplete(): boolean;
  add(timestamp: number, planes: Planes): Promise<void>;
  end(): Promise<number>;
}

/** The way of samples from the decoder to the file. */
async function openLine(
  source: Span & { sampleRate: number; channels: number },
  settings: Settings,
  mp3: Mp3File,
): Promise<Line> {
  const timeline = new Timeline(source);
  const sampleRate = targetRate(source.sampleRate, settings.sampleRate);
  const channels = targetChannels(source.channels, settings.channels);
  const mix = downmixer(source.channels, channels);
  const resampler =
    sampleRate === source.sampleRate ? null : new Resampler(source.sampleRate, sampleRate, channels);
  const lame = await Lame.open(sampleRate, channels, settings.quality);
  const put = (frames: readonly Uint8Array[]) => {
    for (const frame of frames) mp3.add(frame);
    return mp3.drain();
  };

  let given = 0;
  let waiting: Planes[] = [];
  let count = 0;
  const give = async (least: number) => {
    if (count < least) return;
    const planes = Array.from({ length: channels }, () => new Float32Array(count));
    let at = 0;
    for (const piece of waiting) {
      for (const [channel, plane] of piece.entries()) planes[channel]?.set(plane, at);
      at += piece[0]?.length ?? 0;
    }
    given += count;
    [waiting, count] = [[], 0];
    await put(lame.encode(planes));
  };
  const take = async (planes: Planes) => {
    waiting.push(planes);
    count += planes[0]?.length ?? 0;
    await give(BATCH);
  };
  return {
    isComplete: () => timeline.isComplete,
    async add(timestamp, planes) {
      for (const piece of timeline.place(timestamp, planes)) {
        const mixed = mix(piece);
        await take(resampler ? resampler.push(mixed) : mixed);
      }
    },
    async end() {
      if (resampler) await take(resampler.end());
      await give(1);
      if (given === 0) throw new ToolError({ code: 'nothing_left' });
      await put(lame.end());
      return given / sampleRate;
    },
  };
}

/** Samples around `seconds` of sound in a file that LAME made of them. */
export function lameGaps(mp3: Mp3File, seconds: number): { delay: number; padding: number } {
  const sound = Math.round(seconds * (mp3.frame?.sampleRate ?? 0));
  return { delay: LAME_DELAY, padding: mp3.samples - LAME_DELAY - sound };
}

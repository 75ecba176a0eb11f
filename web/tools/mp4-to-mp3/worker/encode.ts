import { registerMp3Encoder } from '@mediabunny/mp3-encoder';
import {
  AudioSample,
  AudioSampleSource,
  type InputAudioTrack,
  Mp3OutputFormat,
  NullTarget,
  Output,
} from 'mediabunny';
import { ToolError } from '../failures.ts';
import { type Settings, targetChannels, targetRate } from '../settings.ts';
import { downmixer } from '../sound/downmix.ts';
import { Resampler } from '../sound/resampler.ts';
import { type Planes, Timeline } from '../sound/timeline.ts';
import { decode } from './decode.ts';
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

registerMp3Encoder();

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
  const encoder = new AudioSampleSource({
    codec: 'mp3',
    bitrate: settings.bitrate * 1000,
    onEncodedPacket: ({ data }) => mp3.add(data),
  });
  const output = new Output({ format: new Mp3OutputFormat({ xingHeader: false }), target: new NullTarget() });
  output.addAudioTrack(encoder);
  await output.start();

  let given = 0;
  let waiting: Planes[] = [];
  let count = 0;
  const give = async (least: number) => {
    if (count < least) return;
    const data = new Float32Array(count * channels);
    let at = 0;
    for (const planes of waiting) {
      for (const [channel, plane] of planes.entries()) data.set(plane, channel * count + at);
      at += planes[0]?.length ?? 0;
    }
    const timestamp = given / sampleRate;
    given += count;
    [waiting, count] = [[], 0];
    const sample = new AudioSample({
      data,
      format: 'f32-planar',
      numberOfChannels: channels,
      sampleRate,
      timestamp,
    });
    await encoder.add(sample);
    sample.close();
    await mp3.drain();
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
      await output.finalize();
      return given / sampleRate;
    },
  };
}

/** Samples around `seconds` of sound in a file that LAME made of them. */
export function lameGaps(mp3: Mp3File, seconds: number): { delay: number; padding: number } {
  const sound = Math.round(seconds * (mp3.frame?.sampleRate ?? 0));
  return { delay: LAME_DELAY, padding: mp3.samples - LAME_DELAY - sound };
}

import { type AudioSample, AudioSampleSink, type InputAudioTrack } from 'mediabunny';
import type { Planes } from '../sound/timeline.ts';

export interface Decoded {
  timestamp: number;
  sampleRate: number;
  planes: Planes;
}

/** A decoder needs what came before to get the first samples right: the overlap of AAC, the reservoir of MP3, 80 ms of Opus. */
const PREROLL = 0.1;

/** The sound of a track, around a span of timestamps: it begins a little earlier. */
export async function* decode(track: InputAudioTrack, from: number, to: number): AsyncGenerator<Decoded> {
  for await (const sample of new AudioSampleSink(track).samples(from - PREROLL, to)) {
    const { timestamp, sampleRate } = sample;
    const planes = planesOf(sample);
    sample.close();
    yield { timestamp, sampleRate, planes };
  }
}

function planesOf(sample: AudioSample): Planes {
  return Array.from({ length: sample.numberOfChannels }, (_, planeIndex) => {
    const plane = new Float32Array(sample.numberOfFrames);
    sample.copyTo(plane, { planeIndex, format: 'f32-planar' });
    return plane;
  });
}

import { pathText, type Track } from '../../../schema/otio/timeline.ts';
import type { AudioStream } from '../../model/source/media-probe.ts';
import type { Step } from '../../model/steps.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import type { AudioTarget } from '../plan/audio-target.ts';
import { frameRate } from '../plan/frame-rate.ts';
import { rawInput } from '../plan/raw-audio.ts';
import { voiceSteps } from '../plan/timeline/clip-sound.ts';
import type { TimelineSound } from '../plan/timeline/timeline-sound.ts';
import type { Document, TimelineInput } from './document.ts';
import type { MediaClock } from './media-clock.ts';
import { timelineOf } from './tracks.ts';

interface Sounding {
  document: Document;
  input: TimelineInput;
  clocks: readonly MediaClock[];
  /** Of the output. */
  seconds: number;
}

/** The sound of a document, whose tracks are heard together; null if it has none. @param targetOf How it is encoded. */
export function soundOf(
  sounding: Sounding,
  targetOf: (stream: AudioStream) => AudioTarget,
): TimelineSound | null {
  const { document, clocks } = sounding;
  const tracks = document.timeline.sound;
  const stream = modelOf(document, clocks);
  if (!stream) return null;
  const target = targetOf(stream);
  // Each track is added before the next one is made: sound of the whole length takes much of the disk.
  const steps = tracks.flatMap((track, index): Step[] => {
    if (index === 0) return trackSteps(sounding, track, target, '');
    const name = `track${index}-`;
    const add = { kind: 'add', file: 'sound.raw', from: `${name}sound.raw` } as const;
    return [...trackSteps(sounding, track, target, name), add];
  });
  return {
    stream,
    target,
    steps,
    mix: ({ after }, at) => ({
      inputs: [rawInput('sound.raw', target)],
      chains: [{ from: [`${at}:0`], filters: after, to: ['a'] }],
    }),
    heard: false,
  };
}

/** The sound with the most channels, and of those with the highest sample rate. Throws `source_no_audio`. */
function modelOf({ timeline, sourceOf }: Document, clocks: readonly MediaClock[]): AudioStream | null {
  const items = timeline.sound.flatMap((track) => track.items.filter((item) => item.kind === 'clip'));
  const streams = items.map((item) => {
    const source = sourceOf(item);
    const audio = clocks[source]?.probe.audio;
    if (audio) return audio;
    const detail = `${pathText(item.path)} is on a track of sound, but its media has none.`;
    throw new TaskFailure('source_no_audio', detail, { sourceIndex: source });
  });
  const [model = null] = streams.toSorted((a, b) => b.channels - a.channels || b.sampleRate - a.sampleRate);
  return model;
}

function trackSteps(
  { document, input, clocks, seconds }: Sounding,
  { items }: Track,
  target: AudioTarget,
  name: string,
): Step[] {
  const rate = { ...frameRate(1), fps: target.sampleRate };
  const timeline = timelineOf({
    items,
    rate,
    clockOf: (item) => {
      const clock = clocks[document.sourceOf(item)];
      if (!clock) throw new Error('a clip without a source');
      return clock;
    },
    startOf: (_, start) => start,
    clipAt: (_, clip) => clip,
    frames: Math.round(seconds * target.sampleRate),
  });
  const tempo = input.pitch === 'keep' ? 'stretch' : 'resample';
  return voiceSteps(timeline, { target, fading: true, tempo, name });
}

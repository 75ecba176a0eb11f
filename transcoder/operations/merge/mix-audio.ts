import type { VideoContainer } from '../../../schema/operations/fields/fields.ts';
import type { Warning } from '../../../schema/task/task.ts';
import { greatest } from '../../model/numbers/min-max.ts';
import type { AudioStream, MediaProbe, StatedAudio } from '../../model/source/media-probe.ts';
import { asLoudIn, soundRepeated } from '../../model/source/sound-times.ts';
import type { Chain, Input } from '../../model/steps.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import type { SplicedSound } from '../plan/audio-file.ts';
import { type AudioTarget, audioTarget } from '../plan/audio-target.ts';
import { floats, loweredWhile, rawInput, summed } from '../plan/raw-audio.ts';
import { voiceSteps } from '../plan/timeline/clip-sound.ts';
import { clipsIn, type Timeline } from '../plan/timeline/timeline.ts';
import { splicedSound, type TimelineSound } from '../plan/timeline/timeline-sound.ts';
import { clipsOf, type MergeRequest } from './timeline.ts';

/** What the sound is mixed from. */
interface Mixed {
  /** Whether `sound.raw` has been written, as any clip has sound. */
  voice: boolean;
  music: { source: number; stream: AudioStream; volumeDb: number; duck: boolean } | null;
  /** Of the output. */
  seconds: number;
}

/** The sound of the output; null if neither the clips nor the music have any. */
export function soundOf(
  request: MergeRequest,
  timeline: Timeline,
  format: VideoContainer,
  warnings: Warning[],
): TimelineSound | null {
  const { input } = request;
  const music = musicOf(request);
  const clips = clipsIn(timeline);
  const heard = clips.flatMap(({ probe }) => probe.audio ?? []);
  const mixed = mixedFrom([...heard, ...(music ? [music.stream] : [])], format);
  if (!mixed) {
    warnings.push({ code: 'audio_missing', detail: 'No clip has audio.' });
    return null;
  }
  const { stream, target } = mixed;
  for (const { source, probe } of clips) {
    if (probe.audio) continue;
    warnings.push({
      code: 'audio_missing',
      detail: `Clip ${source} has no audio; it is silent in the output.`,
    });
  }
  const fading = input.audio_transition === 'crossfade';
  const voice = { target, fading, tempo: 'blend' as const, name: '' };
  const parts: Mixed = {
    voice: heard.length > 0,
    music: music && {
      source: music.source,
      stream: music.stream,
      volumeDb: input.background_volume_db,
      duck: input.duck,
    },
    seconds: timeline.frames / timeline.rate.fps,
  };
  return {
    stream,
    target,
    steps: heard.length > 0 ? voiceSteps(timeline, voice) : [],
    mix: (encoded, at) => ({
      inputs: soundInputs(parts, encoded),
      chains: mixChains(parts, encoded, at),
    }),
    heard: music === null,
  };
}

/** The sound that these are mixed to, clips before music; null if there are none. */
export function mixedFrom(
  [first, ...others]: readonly AudioStream[],
  format: VideoContainer,
): { stream: StatedAudio; target: AudioTarget } | null {
  if (!first) return null;
  const stream = roomyFor(first, others);
  return { stream, target: audioTarget(stream, format) };
}

/** The sample rate up to which that of the first sound is raised for others. */
const ENOUGH = 48_000;

/** The first sound, with a sample rate and channels that do not make a telephone of the others. */
function roomyFor(first: AudioStream, others: readonly AudioStream[]): StatedAudio {
  const highest = greatest([first, ...others].map((one) => one.sampleRate));
  const sampleRate = Math.max(first.sampleRate, Math.min(ENOUGH, highest));
  const widened = first.channels === 1 && others.some(({ channels }) => channels > 1);
  if (sampleRate === first.sampleRate && !widened) return first;
  const kbps = greatest([first, ...others].map((one) => one.kbps ?? 0));
  const stated = { sampleRate, kbps: kbps > 0 ? kbps : null };
  return { ...first, ...stated, ...(widened ? { channels: 2, layout: 'stereo' } : {}) };
}

function musicOf({ input, probes }: MergeRequest) {
  if (input.background_audio_url === undefined) return null;
  const source = clipsOf(input).length;
  const stream = probes[source]?.audio;
  if (stream) return { source, stream };
  throw new TaskFailure('source_no_audio', 'The background music has no audio.', { sourceIndex: source });
}

/** Inputs for `sound.raw` and the music. */
function soundInputs({ voice, music }: Mixed, target: AudioTarget): Input[] {
  return [
    ...(voice ? [rawInput('sound.raw', target)] : []),
    ...(music ? [{ source: music.source, seek: null, loop: true }] : []),
  ];
}

/** How the compressor lowers the music. */
const DUCKING = { threshold: 0.02, ratio: 10, attack: 20, release: 500 };

/** Mixes the inputs of the sound, the first of which is input `at`, into `a`. */
function mixChains({ voice, music, seconds }: Mixed, target: AudioTarget, at: number): Chain[] {
  const raw = [`${at}:0`];
  if (!music) return [{ from: raw, filters: target.after, to: ['a'] }];
  const samples = Math.round(seconds * target.sampleRate);
  const laid: Chain = {
    from: [`${voice ? at + 1 : at}:${music.stream.index}`],
    filters: [
      ...soundRepeated(music.stream),
      ...asLoudIn(target.channels, music.stream),
      floats(target),
      { name: 'volume', options: { volume: `${music.volumeDb}dB` } },
      { name: 'atrim', options: { end_sample: samples } },
    ],
    to: [music.duck && voice ? 'music' : 'below'],
  };
  if (!voice) return [laid, { from: ['below'], filters: target.after, to: ['a'] }];
  const ducked: Chain[] = music.duck
    ? [
        { from: raw, filters: [floats(target), { name: 'asplit' }], to: ['voice', 'key'] },
        ...loweredWhile({ sound: 'music', heard: 'key', to: 'below' }, DUCKING, samples),
      ]
    : [{ from: raw, filters: [floats(target)], to: ['voice'] }];
  return [
    laid,
    ...ducked,
    { from: ['voice', 'below'], filters: [summed(2, 'first'), ...target.after], to: ['a'] },
  ];
}

/** The sound of the same clips and music with other tracks of the clips. @param chosen Probes of the clips that choose them. */
export function otherSound(
  request: MergeRequest,
  timeline: Timeline,
  chosen: readonly MediaProbe[],
): SplicedSound | null {
  const { format } = request.input;
  const items = clipsIn(timeline).map((clip) => ({ ...clip, probe: chosen[clip.source] ?? clip.probe }));
  const probes = request.probes.map((probe, source) => chosen[source] ?? probe);
  const sound = soundOf({ ...request, probes }, { ...timeline, items }, format, []);
  return sound && splicedSound(sound, timeline.frames / timeline.rate.fps, format);
}

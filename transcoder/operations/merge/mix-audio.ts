import type { VideoContainer } from '../../../schema/operations/fields/fields.ts';
import type { Warning } from '../../../schema/task/task.ts';
import type { AudioStream, MediaProbe } from '../../model/media-probe.ts';
import { type Chain, type Input, repeatedOptions, type Step } from '../../model/steps.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import { mixedByLibav, soundFile, soundTarget } from '../plan/audio-file.ts';
import { type AudioTarget, audioTarget, probedCodec } from '../plan/audio-target.ts';
import type { SplicedSound } from '../plan/spliced-sound.ts';
import { formatFilter, mixed, voiceSteps } from './clip-audio.ts';
import { clipsOf, type MergeRequest, type Timeline } from './timeline.ts';

export interface MergedSound {
  /** The stream whose format it takes. */
  stream: AudioStream;
  target: AudioTarget;
  /** Steps that write `sound.raw`, if any clip has sound. */
  steps: Step[];
  voice: boolean;
  music: { source: number; stream: number; volumeDb: number; duck: boolean } | null;
}

/** The sound of the output; null if neither the clips nor the music have any. */
export function soundOf(
  request: MergeRequest,
  timeline: Timeline,
  format: VideoContainer,
  warnings: Warning[],
): MergedSound | null {
  const { input } = request;
  const music = musicOf(request);
  const model = timeline.clips.find((clip) => clip.probe.audio)?.probe.audio ?? null;
  const stream = model ?? music?.stream;
  if (!stream) {
    warnings.push({ code: 'audio_missing', detail: 'No clip has audio.' });
    return null;
  }
  const target = audioTarget(stream, format, { codec: 'auto', kbps: null });
  for (const { source, probe } of timeline.clips) {
    if (probe.audio) continue;
    warnings.push({
      code: 'audio_missing',
      detail: `Clip ${source} has no audio; it is silent in the output.`,
    });
  }
  return {
    stream,
    target,
    steps: model ? voiceSteps(request, timeline, target) : [],
    voice: model !== null,
    music: music && {
      source: music.source,
      stream: music.stream.index,
      volumeDb: input.background_volume_db,
      duck: input.duck,
    },
  };
}

function musicOf({ input, probes }: MergeRequest) {
  if (input.background_audio_url === undefined) return null;
  const source = clipsOf(input).length;
  const stream = probes[source]?.audio;
  if (stream) return { source, stream };
  throw new TaskFailure('source_no_audio', 'The background music has no audio.', { sourceIndex: source });
}

/** Inputs for `sound.raw` and the music. */
export function soundInputs({ target, voice, music }: MergedSound): Input[] {
  return [
    ...(voice ? [{ raw: 'sound.raw', sampleRate: target.sampleRate, channels: target.channels }] : []),
    ...(music ? [{ source: music.source, seek: null, loop: true }] : []),
  ];
}

/** Mixes the inputs of the sound, the first of which is input `at`, into `a`. */
export function mixChains(sound: MergedSound, seconds: number, at: number): Chain[] {
  const { target, voice, music } = sound;
  const raw = [`${at}:0`];
  if (!music) return [{ from: raw, filters: target.after, to: ['a'] }];
  const samples = Math.round(seconds * target.sampleRate);
  const laid: Chain = {
    from: [`${voice ? at + 1 : at}:${music.stream}`],
    filters: [
      { name: 'asetpts', options: { expr: 'PTS-STARTPTS' } },
      { name: 'aresample', options: repeatedOptions },
      formatFilter(target),
      { name: 'volume', options: { volume: `${music.volumeDb}dB` } },
      { name: 'atrim', options: { end_sample: samples } },
    ],
    to: [music.duck && voice ? 'music' : 'below'],
  };
  if (!voice) return [laid, { from: ['below'], filters: target.after, to: ['a'] }];
  const ducked: Chain[] = music.duck
    ? [
        { from: raw, filters: [formatFilter(target), { name: 'asplit' }], to: ['voice', 'key'] },
        {
          from: ['music', 'key'],
          filters: [
            {
              name: 'sidechaincompress',
              options: { threshold: 0.02, ratio: 10, attack: 20, release: 500 },
            },
          ],
          to: ['below'],
        },
      ]
    : [{ from: raw, filters: [formatFilter(target)], to: ['voice'] }];
  return [
    laid,
    ...ducked,
    { from: ['voice', 'below'], filters: [mixed('first'), ...target.after], to: ['a'] },
  ];
}

/** The sound of the same clips and music with other tracks of the clips. @param chosen Probes of the clips that choose them. */
export function otherSound(
  request: MergeRequest,
  timeline: Timeline,
  chosen: readonly MediaProbe[],
): SplicedSound | null {
  const { format } = request.input;
  const clips = timeline.clips.map((clip) => ({ ...clip, probe: chosen[clip.source] ?? clip.probe }));
  const probes = request.probes.map((probe, source) => chosen[source] ?? probe);
  const sound = soundOf({ ...request, probes }, { ...timeline, clips }, format, []);
  if (!sound) return null;
  const own = { ...sound, target: soundTarget(sound.stream, format) };
  const seconds = timeline.frames / timeline.rate.fps;
  const { step, input, span } = soundFile(own.target, {
    ...{ inputs: soundInputs(own), chains: mixChains(own, seconds, 0), seconds, format },
  });
  const steps = mixedByLibav([...sound.steps, step]);
  return { steps, input, audio: span, codec: probedCodec[own.target.encoding.encoder] };
}

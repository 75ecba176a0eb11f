import type { Warning } from '../../../schema/task/task.ts';
import type { MediaProbe } from '../../model/media-probe.ts';
import type { Analysis, Plan, Planner } from '../../model/plan.ts';
import type { Render } from '../../model/steps.ts';
import type { VideoStream } from '../../model/video-stream.ts';
import { probedCodec } from '../plan/audio-target.ts';
import { deinterlacing, interlacedSource } from '../plan/deinterlace.ts';
import { frameRate, rateOfAll } from '../plan/frame-rate.ts';
import { packetsAround } from '../plan/frame-selection.ts';
import { askedSize, evenDown, placeOf, type Size } from '../plan/geometry.ts';
import { demuxerFor, videoFile } from '../plan/output-files.ts';
import { checkSide, micros, movingOf } from '../plan/require-streams.ts';
import { keepTracks, type SourceProbes, textAnalyses } from '../plan/tracks/keep-tracks.ts';
import { alphaDropped, videoTarget } from '../plan/video-target.ts';
import { type MergedSound, mixChains, otherSound, soundInputs, soundOf } from './mix-audio.ts';
import { type Canvas, partSteps, partsOf } from './normalize-video.ts';
import { spliceMerge, surveys } from './smart-merge.ts';
import {
  clipsOf,
  gapOf,
  type MergeInput,
  type MergeRequest,
  ruleOf,
  type Timeline,
  timelineOf,
} from './timeline.ts';

export const mergeUrls: Planner<MergeInput> = {
  analyses: (input, probes) => {
    const needed = clipsOf(input).flatMap((_, source) => {
      const probe = probes[source];
      if (!probe) throw new Error(`clip ${source} has no probe`);
      const { video } = movingOf(probe, source);
      const analyses: Analysis[] = [];
      if (video.pace !== 'constant') analyses.push({ kind: 'tail', source });
      if (input.normalize_audio && probe.audio) {
        analyses.push({ kind: 'loudness', source, stream: probe.audio.index });
      }
      return analyses;
    });
    const surveyed = surveys(input, probes, sizeOf(input, firstOf({ probes }).video));
    // Surveys first: packets that a survey lists are not listed again.
    const texts = clipsOf(input).flatMap((_, source) => {
      const probe = probes[source];
      return probe ? textAnalyses(input.tracks, probe, source) : [];
    });
    return [...needed, ...surveyed, ...edges(input, probes), ...texts];
  },

  deinterlacing: (input, video) =>
    deinterlacing(input, video, () => 'clips are converted to one size and frame rate'),

  audioTrack: (input, source) => (source < clipsOf(input).length ? (input.audio_track ?? null) : null),

  plan: (request) => {
    const { input } = request;
    const warnings: Warning[] = [];
    const rate = input.fps === undefined ? rateAsked(request) : frameRate(input.fps);
    const timeline = timelineOf(request, rate, warnings);
    const canvas = canvasOf(request, rate.fps, warnings);
    if (timeline.clips.some((clip) => clip.video.pace === 'variable')) {
      const detail = `A clip has a variable frame rate; the output has a constant ${Number(rate.fps.toFixed(3))} fps.`;
      warnings.push({ code: 'source_vfr', detail });
    }
    warnings.push(...clipWarnings(timeline));
    const sound = soundOf(request, timeline, input.format, warnings);
    const full = planParts(request, timeline, canvas, sound, warnings);
    const plan = spliceMerge(request, timeline, canvas, sound, full);
    const probes = clipProbes(request);
    const others = (chosen: SourceProbes) => otherSound(request, timeline, chosen);
    return keepTracks(plan, { ...input, probes, facts: request.facts, soundOf: others });
  },
};

/**
 * Lists packets around the start and end of clips with a variable frame rate, where only packets say when frames are
 * shown.
 */
function edges(input: MergeInput, probes: readonly MediaProbe[]): Analysis[] {
  return clipsOf(input).flatMap(({ start, end }, source): Analysis[] => {
    const probe = probes[source];
    if (!probe?.video || probe.still || (start === undefined && end === undefined)) return [];
    const { video, duration } = probe;
    if (video.pace === 'constant') return [];
    const span = { start: start ?? 0, end: Math.min(end ?? duration, duration) };
    return [{ kind: 'packets', source, intervals: [packetsAround(probe, video, span)] }];
  });
}

function rateAsked(request: MergeRequest) {
  const { tail } = request.facts;
  const others = request.probes
    .slice(1, clipsOf(request.input).length)
    .map((probe, index) => movingOf(probe, index + 1).video);
  return rateOfAll([firstOf(request).video, ...others], { even: gapOf(tail), rule: ruleOf(tail) });
}

function clipWarnings({ clips }: Timeline): Warning[] {
  const fields = clips.find(({ video }) => video.interlaced);
  return [
    ...(fields ? interlacedSource(fields.video) : []),
    ...(clips.some(({ video }) => video.alpha) ? [alphaDropped('the result')] : []),
  ];
}

function clipProbes({ input, probes }: MergeRequest): SourceProbes {
  const [first, ...more] = probes.slice(0, clipsOf(input).length);
  if (!first) throw new Error('a merge without clips');
  return [first, ...more];
}

function firstOf({ probes }: Pick<MergeRequest, 'probes'>) {
  const [probe] = probes;
  if (!probe) throw new Error('a merge without clips');
  return movingOf(probe);
}

/** The requested size, otherwise that of the first clip. */
function sizeOf(input: MergeInput, { displayWidth, displayHeight }: VideoStream): Size {
  const display = { width: displayWidth, height: displayHeight };
  return askedSize(display, input) ?? { width: evenDown(displayWidth), height: evenDown(displayHeight) };
}

function canvasOf(request: MergeRequest, fps: number, warnings: Warning[]): Canvas {
  const { input, probes, limits, capabilities } = request;
  const { video } = firstOf(request);
  const size = sizeOf(input, video);
  checkSide(size, limits.output_side_px);
  const target = videoTarget(video, { ...input, fps }, size, capabilities);
  warnings.push(...target.warnings.filter(({ code }) => code === 'hdr_metadata_dropped'));
  const hdr = video.hdr && target.before.length === 0;
  const mapped = clipsOf(input).filter((_, index) => probes[index]?.video?.hdr).length;
  if (!hdr && mapped > 0) {
    const detail = `The output is not HDR; ${mapped === 1 ? '1 HDR clip was' : `${mapped} HDR clips were`} tone-mapped to BT.709.`;
    warnings.push({ code: 'hdr_tonemapped', detail });
  }
  return { size, target, hdr, input, capabilities, transitions: capabilities.transitions };
}

/** Where each clip is visible in the output. */
const placesOf = (clips: Timeline['clips'], size: Size, { fit }: MergeInput) =>
  Object.fromEntries(
    clips.map(({ source, video }) => {
      const display = { width: video.displayWidth, height: video.displayHeight };
      return [source, placeOf(display, size, fit)];
    }),
  );

/** Renders each part of the picture and the sound separately, and joins them without re-encoding. */
function planParts(
  request: MergeRequest,
  timeline: Timeline,
  canvas: Canvas,
  sound: MergedSound | null,
  warnings: Warning[],
): Plan {
  const { input } = request;
  const { format } = input;
  const { rate, clips, joints } = timeline;
  const { size } = canvas;
  const parts = partsOf(timeline);
  const duration = timeline.frames / rate.fps;
  const file = videoFile(format);
  const seconds = (frames: number) => micros(frames / rate.fps);
  const entries = parts.map((part, index) => ({
    file: part.file,
    seconds: index === parts.length - 1 ? null : part.frames / rate.fps,
  }));
  const joined: Render = {
    kind: 'render',
    inputs: [{ list: 'parts.txt' }, ...(sound ? soundInputs(sound) : [])],
    chains: sound ? mixChains(sound, duration, 1) : [],
    outputs: [
      {
        file: file.file,
        container: format,
        video: { from: '0:0', encode: { copy: { codec: canvas.target.codec, packets: null } } },
        audio: sound ? { from: 'a', encode: sound.target.encoding } : null,
      },
    ],
    seconds: duration,
    weight: duration / 10,
    lead: 0,
  };
  return {
    steps: [
      ...parts.flatMap((part) => partSteps(timeline, canvas, part)),
      { kind: 'list', file: 'parts.txt', entries },
      ...(sound?.steps ?? []),
      joined,
    ],
    files: [file],
    expect: {
      pictures: [],
      media: [
        {
          file: file.file,
          format: demuxerFor(format),
          video: { codec: canvas.target.codec, ...size, frames: timeline.frames },
          identity: {
            heard: sound?.music == null,
            places: placesOf(clips, size, input),
            grid: clips.flatMap(({ source, video }) => (video.pace === 'constant' ? [] : [source])),
          },
          audio: sound ? { codec: probedCodec[sound.target.encoding.encoder] } : null,
          duration,
          tolerance: 1 / rate.fps,
          endsTogether: true,
          slack: 0,
        },
      ],
    },
    duration: micros(duration),
    ...size,
    fps: rate.fps,
    data: {
      joints: joints.map(({ index, type, at, frames }) => ({
        index,
        type,
        at: seconds(at),
        duration: seconds(frames),
      })),
      copied_seconds: 0,
      rendered_seconds: micros(duration),
    },
    time_map: clips.map(({ source, probe, zero, frames, at }) => {
      const start = zero - probe.origin;
      return {
        source,
        in: [micros(start), micros(start + frames / rate.fps)],
        out: [seconds(at), seconds(at + frames)],
      };
    }),
    warnings,
  };
}

import type { Warning } from '../../schema/task.ts';
import { TaskFailure } from '../failure.ts';
import type { Render, Step } from '../ffmpeg/step.ts';
import type { ExpectedMedia, PlannedFile, PlanRequest } from '../media/plan.ts';
import { type AudioStream, canSeek, type MediaProbe } from '../media/probe.ts';
import { copyable } from './cut-copy.ts';
import { cutFrame, endsWithVideo, variableRate } from './cut-range.ts';
import { audioFile, demuxerFor, soundOf, videoFile } from './files.ts';
import type { FrameGrid } from './frame-grid.ts';
import type { SilenceInput } from './silence-decision.ts';
import { type Piece, runsOfPieces, totalOf } from './silence-pieces.ts';
import { pieceSound, type SoundOf } from './silence-sound.ts';
import { pieceFrames } from './silence-video.ts';
import { audioTarget, probedCodec } from './sound.ts';
import { frameRate, micros, movingOf } from './source.ts';
import { seekBefore } from './timeline.ts';

export type SilenceRequest = PlanRequest<SilenceInput>;

/** How a media file of these pieces is made. */
export interface Made {
  steps: Step[];
  file: PlannedFile;
  expect: ExpectedMedia;
  width: number | null;
  height: number | null;
  fps: number | null;
  copied: number;
}

interface Work {
  request: SilenceRequest;
  probe: MediaProbe;
  stream: AudioStream;
  pieces: readonly Piece[];
}

const partVideo = (index: number) => `part${index}.mp4`;
const partSound = (index: number) => `part${index}.raw`;

/** Frames and samples of the pieces rendered, a few pieces a run, and joined without another encoding. */
export function renderPieces(work: Work, grid: FrameGrid, warnings: Warning[]): Made {
  const { request, probe, stream, pieces } = work;
  const { input } = request;
  const total = totalOf(pieces);
  const frame = cutFrame({ ...request, input: { ...input, audio: 'keep' } }, pieces, warnings);
  const { video, target, width, height, file } = frame;
  const uneven = grid.kind === 'uneven';
  if (uneven) warnings.push(variableRate());
  const sound = soundWork(work, audioTarget(stream, input.format, { codec: 'auto', kbps: null }));
  const encode = { ...target.encoding, reorder: !uneven };
  const runs = runsOfPieces(pieces);
  const firsts = runs.map((run) => run.find(({ frames }) => frames?.first != null)?.frames?.first ?? null);
  const shown = firsts.flatMap((first, index) => (first === null ? [] : [{ first, index }]));
  if (shown.length === 0) {
    const detail = 'No frame of the video lies in what is kept.';
    throw new TaskFailure('time_out_of_range', detail, { sourceIndex: 0 });
  }
  const parts = runs.map((run, index): Render => {
    const first = firsts[index] ?? null;
    return {
      ...reader(probe, run),
      chains: [
        ...(first === null
          ? []
          : [
              {
                from: [`0:${video.index}`],
                filters: [...pieceFrames(probe, grid, run, first), ...frame.filters],
                to: ['v'],
              },
            ]),
        ...pieceSound(sound, run),
      ],
      outputs: [
        ...(first === null
          ? []
          : [
              {
                file: partVideo(index),
                container: 'mp4' as const,
                video: { from: 'v', encode },
                audio: null,
              },
            ]),
        { file: partSound(index), container: 'raw', from: 'a' },
      ],
    };
  });
  const frames = pieces.reduce<number | null>((sum, { frames: held }) => {
    const count = held?.shown ?? null;
    return sum === null || count === null ? null : sum + count;
  }, 0);
  const steps: Step[] = [
    ...parts,
    {
      kind: 'list',
      file: 'parts.txt',
      entries: shown.map(({ first, index }, at) => {
        const next = shown[at + 1]?.first;
        return {
          file: partVideo(index),
          seconds: next === undefined ? null : micros(next) - micros(first),
        };
      }),
    },
    joinedSound(runs.length),
    {
      kind: 'render',
      inputs: [{ list: 'parts.txt', delay: shown[0]?.first ?? 0 }, rawInput(sound)],
      chains: [{ from: ['1:0'], filters: sound.target.after, to: ['a'] }],
      outputs: [
        {
          file: file.file,
          container: input.format,
          video: { from: '0:0', encode: { copy: { codec: target.codec, packets: null } } },
          audio: { from: 'a', encode: sound.target.encoding },
        },
      ],
      seconds: total / 10,
      lead: 0,
    },
  ];
  const last = pieces.at(-1);
  return {
    steps,
    file,
    expect: {
      file: file.file,
      format: demuxerFor(input.format),
      video: { codec: target.codec, width, height, frames },
      audio: { codec: probedCodec[sound.target.encoding.encoder] },
      duration: total,
      tolerance: grid.step,
      endsTogether: !uneven && last !== undefined && endsWithVideo(probe, last),
      slack: 0,
    },
    width,
    height,
    fps: uneven ? frameRate(total / (frames ?? total / grid.step)) : frameRate(grid.step),
    copied: 0,
  };
}

/** The packets of the video as they are, with the sound of the pieces, which together are the whole source. */
export function copyVideo(work: Work): Made {
  const { request, probe, stream, pieces } = work;
  const { input, facts } = request;
  const { video } = movingOf(probe);
  const total = totalOf(pieces);
  const file = videoFile(input.format);
  const sound = soundWork(work, audioTarget(stream, input.format, { codec: 'auto', kbps: null }));
  const upright = video.rotation % 180 === 0;
  return {
    steps: [
      ...soundSteps(sound, pieces),
      {
        kind: 'render',
        inputs: [{ source: 0, seek: null, copy: true }, rawInput(sound)],
        chains: [{ from: ['1:0'], filters: sound.target.after, to: ['a'] }],
        outputs: [
          {
            file: file.file,
            container: input.format,
            video: { from: `0:${video.index}`, encode: { copy: { codec: video.codec, packets: null } } },
            audio: { from: 'a', encode: sound.target.encoding },
          },
        ],
        seconds: total / 10,
        lead: 0,
      },
    ],
    file,
    expect: {
      file: file.file,
      format: demuxerFor(input.format),
      video: {
        codec: video.codec,
        width: video.width,
        height: video.height,
        frames: facts.packets?.length ?? null,
      },
      audio: { codec: probedCodec[sound.target.encoding.encoder] },
      duration: total,
      tolerance: video.frameDuration,
      endsTogether: endsWithVideo(probe, { start: 0, end: total }),
      slack: 0,
    },
    width: upright ? video.width : video.height,
    height: upright ? video.height : video.width,
    fps: frameRate(video.frameDuration),
    copied: total,
  };
}

/**
 * Whether every packet of the video can stand in the result as it is. Of formats without an index ffmpeg counts time
 * from the first packet of the video, not of the file.
 */
export function copiesVideo(request: SilenceRequest, probe: MediaProbe): boolean {
  const { packets } = request.facts;
  if (request.input.mode !== 'mute' || !packets?.[0]?.key) return false;
  return canSeek(probe) && (probe.startTime ?? 0) >= 0 && copyable(request);
}

/** Sound alone. */
export function renderSound(work: Work): Made {
  const { request, stream, pieces } = work;
  const total = totalOf(pieces);
  const container = soundOf[request.input.format];
  const file = audioFile(container);
  const sound = soundWork(work, audioTarget(stream, container, { codec: 'auto', kbps: null }));
  return {
    steps: [
      ...soundSteps(sound, pieces),
      {
        kind: 'render',
        inputs: [rawInput(sound)],
        chains: [{ from: ['0:0'], filters: sound.target.after, to: ['a'] }],
        outputs: [
          {
            file: file.file,
            container,
            video: null,
            audio: { from: 'a', encode: sound.target.encoding },
          },
        ],
        seconds: total / 10,
        lead: 0,
      },
    ],
    file,
    expect: {
      file: file.file,
      format: demuxerFor(container),
      video: null,
      audio: { codec: probedCodec[sound.target.encoding.encoder] },
      duration: total,
      tolerance: 0.05,
      endsTogether: false,
      slack: 0,
    },
    width: null,
    height: null,
    fps: null,
    copied: 0,
  };
}

function soundWork({ request, probe, stream, pieces }: Work, target: SoundOf['target']): SoundOf {
  return { probe, stream, target, fadeMs: request.input.audio_fade_ms, total: totalOf(pieces) };
}

function soundSteps(sound: SoundOf, pieces: readonly Piece[]): Step[] {
  const runs = runsOfPieces(pieces);
  return [
    ...runs.map(
      (run, index): Render => ({
        ...reader(sound.probe, run),
        chains: pieceSound(sound, run),
        outputs: [{ file: partSound(index), container: 'raw', from: 'a' }],
      }),
    ),
    joinedSound(runs.length),
  ];
}

function joinedSound(count: number): Step {
  return {
    kind: 'append',
    file: 'sound.raw',
    parts: Array.from({ length: count }, (_, at) => partSound(at)),
  };
}

function rawInput({ target }: SoundOf) {
  return { raw: 'sound.raw', sampleRate: target.sampleRate, channels: target.channels };
}

function reader(probe: MediaProbe, run: readonly [Piece, ...Piece[]]) {
  const [first] = run;
  const last = run.at(-1) ?? first;
  const seek = seekBefore(probe, probe.origin + Math.min(first.start, first.frames?.from ?? first.start));
  return {
    kind: 'render' as const,
    inputs: [{ source: 0, seek }],
    seconds: last.outEnd - first.out,
    lead: seek === null ? first.start : 1,
  };
}

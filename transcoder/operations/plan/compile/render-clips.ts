import type { Warning } from '../../../../schema/task/task.ts';
import type { Render, Step } from '../../../model/steps.ts';
import { TaskFailure } from '../../../model/task-failure.ts';
import { audioOnlyTarget, audioTarget, probedCodec } from '../audio-target.ts';
import type { FrameGrid } from '../frame-grid.ts';
import { audioFile, demuxerFor, soundOf } from '../output-files.ts';
import { cutFrame, endsAlike, variableRate } from '../render-range.ts';
import { frameRate, micros } from '../require-streams.ts';
import { clipFrames } from './clip-frames.ts';
import { clipSound } from './clip-sound.ts';
import { runsOfClips, totalOf } from './clips.ts';
import {
  joinedSound,
  type Made,
  partSound,
  rawInput,
  reader,
  soundSteps,
  soundWork,
  type Work,
} from './sound-parts.ts';

const partVideo = (index: number) => `part${index}.mp4`;
/** Renders frames and samples a few clips per run, and joins them without re-encoding. */
export function renderClips(work: Work, grid: FrameGrid, warnings: Warning[]): Made {
  const { request, probe, stream, clips } = work;
  const { input } = request;
  const total = totalOf(clips);
  const frame = cutFrame({ ...request, input: { ...input, audio: 'keep' } }, clips, warnings);
  const { video, target, width, height, file } = frame;
  const uneven = grid.kind === 'uneven';
  if (uneven) warnings.push(variableRate());
  const sound = soundWork(work, audioTarget(stream, input.format, { codec: 'auto', kbps: null }));
  const encode = { ...target.encoding, reorder: !uneven };
  const runs = runsOfClips(clips);
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
                filters: [...clipFrames(probe, video, grid, run, first), ...frame.filters],
                to: ['v'],
              },
            ]),
        ...clipSound(sound, run),
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
  const frames = clips.reduce<number | null>((sum, { frames: held }) => {
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
          video: {
            from: '0:0',
            encode: { copy: { codec: target.codec, packets: null } },
            ...(uneven ? { until: total } : {}),
          },
          audio: { from: 'a', encode: sound.target.encoding },
        },
      ],
      seconds: total,
      weight: total / 10,
      lead: 0,
    },
  ];
  const end = clips.at(-1);
  return {
    steps,
    file,
    expect: {
      file: file.file,
      format: demuxerFor(input.format),
      video: { codec: target.codec, width, height, frames },
      identity: { heard: true },
      audio: { codec: probedCodec[sound.target.encoding.encoder] },
      duration: total,
      tolerance: grid.step,
      endsTogether: end !== undefined && endsAlike(input.format, probe, end, uneven),
      slack: 0,
    },
    width,
    height,
    fps: uneven ? frameRate(total / (frames ?? total / grid.step)) : frameRate(grid.step),
    copied: 0,
  };
}

export function renderSound(work: Work): Made {
  const { request, stream, clips } = work;
  const total = totalOf(clips);
  const container = soundOf[request.input.format];
  const file = audioFile(container);
  const sound = soundWork(work, audioOnlyTarget(stream, container));
  return {
    steps: [
      ...soundSteps(sound, clips),
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
        seconds: total,
        weight: total / 10,
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
      identity: { heard: true },
      slack: 0,
    },
    width: null,
    height: null,
    fps: null,
    copied: 0,
  };
}

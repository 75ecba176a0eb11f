import type { OperationInput } from '../../../schema/operations/index.ts';
import { greatest, least } from '../../model/numbers/min-max.ts';
import type { Analysis, Means, Picture, PlannedFile, Planner, SourceFacts } from '../../model/plan.ts';
import type { MediaProbe } from '../../model/source/media-probe.ts';
import { isTransparent } from '../../model/source/video-stream.ts';
import type { Step } from '../../model/steps.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import { oneFrame } from '../plan/filters.ts';
import { planOf } from '../plan/output.ts';
import { micros, only, pastEnd, pictureOf } from '../plan/require-streams.ts';
import { displayed } from '../plan/still-image.ts';
import { drawingOf, type Grid, pictureFile, pictureShape, toWebp } from './picture.ts';

/** Most frames taken in one run, if they share a seek position. */
const PER_RUN = 16;

export const frame: Planner<OperationInput<'frame'>> = {
  analyses: (input, probes, means) => {
    const probe = only(probes);
    return probe.still ? [{ kind: 'display', source: 0 }] : [picturesOf(input, probe, means)];
  },

  again: ({ input, probes, facts, ...means }) => {
    const probe = only(probes);
    return probe.still ? [picturesOf(input, probe, means, facts)] : [];
  },

  near: ({ timestamps }) => timestamps?.[0] ?? null,

  // The frame before a black one may be any earlier one.
  within: ({ timestamps, skip_black }) =>
    timestamps && !skip_black ? { start: least(timestamps), end: greatest(timestamps) } : null,

  plan: ({ input, probes, facts, limits, capabilities }) => {
    const probe = only(probes);
    const video = pictureOf(probe);
    const pictures = (facts.pictures ?? []).map((picture, index) => {
      if (picture) return picture;
      const detail = `The frame of picture ${index + 1} cannot be decoded: the source is damaged there, or ends before it.`;
      throw new TaskFailure('source_damaged', detail, { sourceIndex: 0 });
    });
    const format = input.sheet ? 'png' : input.format;
    const grid = gridOf(input, pictures.length);
    const display = displayed(probe, video, facts);
    const shape = pictureShape(display, input, limits.output_side_px, capabilities, grid);
    const names = pictures.map(nameOf);
    const files = names.map((name) => pictureFile(name, format));
    const drawn = pictures.every((picture) => picture.drawn);
    const steps: Step[] = drawn
      ? format === 'webp'
        ? batches(names).map((batch) => toWebp(batch, input.quality))
        : []
      : groups(pictures).map((group) => ({
          kind: 'render',
          inputs: [{ source: 0, seek: group.seek, coded: probe.still }],
          chains: [
            {
              from: [`0:${video.index}`],
              filters: [{ name: 'split', options: { outputs: group.members.length } }],
              to: group.members.map((index) => `s${index}`),
            },
            ...group.members.map((index) => ({
              from: [`s${index}`],
              filters: [...oneFrame(pictures[index]?.pts ?? 0, video), ...shape.filters],
              to: [`p${index}`],
            })),
          ],
          outputs: group.members.map((index) => ({
            file: files[index]?.file ?? '',
            container: format,
            from: `p${index}`,
            quality: input.quality,
          })),
          seconds: null,
          lead: 0,
        }));
    const transparent = isTransparent(video.pixelFormat);
    const result = grid
      ? sheet(
          input,
          { ...grid, count: files.length, drawn, transparent },
          shape.size,
          steps,
          limits.output_side_px,
        )
      : { files, size: shape.size };
    return planOf({
      steps,
      files: result.files.map((file) => ({ file, picture: { format: input.format, ...result.size } })),
      data: { timestamps: pictures.map((picture) => micros(Math.max(0, picture.pts - probe.origin))) },
      warnings: shape.warnings,
    });
  },
};

function picturesOf(
  input: OperationInput<'frame'>,
  probe: MediaProbe,
  means: Means,
  facts?: SourceFacts,
): Analysis {
  const moments = timesOf(input, probe).map((at) => ({ at }));
  const display = displayed(probe, pictureOf(probe), facts);
  const drawing = drawingOf(display, input, moments.map(nameOf), gridOf(input, moments.length), means);
  return { kind: 'pictures', source: 0, moments, skipBlack: input.skip_black, drawing };
}

function nameOf(_: unknown, index: number): string {
  return `frame_${String(index + 1).padStart(3, '0')}`;
}

function batches(names: readonly string[]): string[][] {
  const count = Math.ceil(names.length / PER_RUN);
  return Array.from({ length: count }, (_, index) => names.slice(index * PER_RUN, (index + 1) * PER_RUN));
}

/**
 * The requested times. `count` times are each in the middle of an equal share of the video. Throws `time_out_of_range`.
 */
function timesOf(input: OperationInput<'frame'>, probe: MediaProbe): number[] {
  const { count, timestamps = [] } = input;
  const { duration } = probe;
  const last = duration ?? 0;
  if (count !== undefined) return Array.from({ length: count }, (_, index) => (last * (index + 0.5)) / count);
  for (const [index, time] of timestamps.entries())
    if (time > last) throw pastEnd(`timestamps[${index}]`, time, duration);
  return timestamps;
}

/** Groups frames that are decoded from the same keyframe, to take them in one run. */
function groups(pictures: readonly Picture[]): { seek: number | null; members: number[] }[] {
  const made: { seek: number | null; members: number[] }[] = [];
  const order = pictures
    .map((_, index) => index)
    .sort((a, b) => (pictures[a]?.pts ?? 0) - (pictures[b]?.pts ?? 0));
  for (const index of order) {
    const seek = pictures[index]?.seek ?? null;
    const last = made.at(-1);
    if (last && last.seek === seek && last.members.length < PER_RUN) last.members.push(index);
    else made.push({ seek, members: [index] });
  }
  return made;
}

/** The grid of a contact sheet with about as many columns as rows; null for separate pictures. */
function gridOf({ sheet }: OperationInput<'frame'>, count: number): Grid | null {
  const columns = Math.ceil(Math.sqrt(count));
  return sheet ? { columns, rows: Math.ceil(count / columns) } : null;
}

interface Sheet extends Grid {
  count: number;
  /** Whether libav has written the pictures. */
  drawn: boolean;
  transparent: boolean;
}

/** Throws `output_too_large`. */
function sheet(
  input: OperationInput<'frame'>,
  { columns, rows, count, drawn, transparent }: Sheet,
  tile: { width: number; height: number },
  steps: Step[],
  most: number,
): { files: PlannedFile[]; size: { width: number; height: number } } {
  const size = { width: columns * tile.width, height: rows * tile.height };
  if (Math.max(size.width, size.height) > most) {
    const detail = `A sheet of ${columns} × ${rows} pictures would be ${size.width} × ${size.height} px; your plan allows up to ${most} px per side. Leave out \`width\` and \`height\`, which makes the pictures as large as possible, or make them smaller.`;
    throw new TaskFailure('output_too_large', detail);
  }
  const file = pictureFile('sheet', input.format);
  steps.push({
    kind: 'render',
    inputs: [{ pictures: `frame_%03d.${drawn ? 'pam' : 'png'}` }],
    chains: [
      {
        from: ['0:0'],
        filters: [
          { name: 'tile', options: { layout: `${columns}x${rows}`, nb_frames: count } },
          ...(input.format === 'jpeg'
            ? [
                { name: 'scale', options: { out_color_matrix: 'bt601', out_range: 'pc' } },
                { name: 'format', options: { pix_fmts: 'yuvj420p' } },
              ]
            : [
                {
                  name: 'format',
                  options: { pix_fmts: input.format === 'webp' ? 'bgra' : transparent ? 'rgba' : 'rgb24' },
                },
              ]),
        ],
        to: ['p'],
      },
    ],
    outputs: [{ file: file.file, container: input.format, from: 'p', quality: input.quality }],
    seconds: null,
    lead: 0,
  });
  return { files: [file], size };
}

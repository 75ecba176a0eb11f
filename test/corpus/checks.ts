import { operations } from '../../schema/operations/index.ts';
import type { TaskOutput, Warning } from '../../schema/task/task.ts';
import { decode, decodeStill, SOUND_RATE } from './decode.ts';
import { type Judgement, judgeSound, judgeSpans, type Said } from './judge.ts';
import { judgeMerge } from './judge-merge.ts';
import { mismatches } from './match-pictures.ts';
import { outputModelOf } from './output-model.ts';
import type { SourceModel, SourcePictures } from './source-model.ts';
import { type Asked, frameShownAt, whole } from './spans.ts';

/** What the service, or an attempt of the transcoder, says of a task that was completed. */
export interface Done {
  output: Pick<TaskOutput, 'duration' | 'time_map' | 'data'>;
  warnings: readonly Pick<Warning, 'code'>[];
}

/** One request about a source, and how its result is judged. */
export interface Check {
  name: CheckName;
  path: string;
  input: Record<string, unknown>;
  /** `files`: what the task made, downloaded, in the order of its output. */
  judge: (done: Done, files: readonly string[]) => Promise<Judgement>;
}

export const checkNames = [
  'probe',
  'frame',
  'frame_last',
  'cut_start',
  'cut_inside',
  'crop',
  'transcode',
  'silence',
  'merge',
  'audio_only',
  'remux_mkv',
  'remux_mp4',
  'joints',
  'mirror',
] as const;
export type CheckName = (typeof checkNames)[number];

/** What renders or decodes all of a source is asked of short ones alone. */
const SHORT_SECONDS = 12;
const SHORT_PIXEL_SECONDS = 1280 * 720 * 8;
const SHORT_SOUND_SECONDS = 60;
const LEAST_SECONDS = 0.4;

/** Everything that is asked of a source with such content. */
export function checksOf(path: string, url: string, source: SourceModel): Check[] {
  const { pictures, duration } = source;
  if (!pictures) return [probe(url, source), ...soundChecks(url, source)];
  const stills = [probe(url, source), frames(url, source, pictures), frameLast(url, source, pictures)];
  if (pictures.times.length < 2) return stills;
  const pixelSeconds = pictures.width * pictures.height * duration;
  const short = duration <= SHORT_SECONDS && pixelSeconds <= SHORT_PIXEL_SECONDS;
  return [
    ...stills,
    ...cuts('video_url', url, source),
    ...remuxes('video_url', url, source),
    ...(short ? [crop(path, url, source, pictures), transcode(url, source), merge(url, source)] : []),
    ...(short ? [mirror(path, url, source, pictures), ...joints('video_url', url, source)] : []),
    ...(short && source.sound ? silence('video_url', url, source) : []),
    ...(source.sound && duration <= SHORT_SOUND_SECONDS ? [audioOnly(url, source)] : []),
  ];
}

function soundChecks(url: string, source: SourceModel): Check[] {
  const short = source.duration <= SHORT_SOUND_SECONDS;
  return [
    ...cuts('audio_url', url, source),
    ...remuxes('audio_url', url, source).filter(({ name }) => name === 'remux_mkv'),
    ...(short ? [...silence('audio_url', url, source), audioOnly(url, source)] : []),
  ];
}

type UrlField = 'video_url' | 'audio_url';

function probe(url: string, source: SourceModel): Check {
  return {
    name: 'probe',
    path: '/probe',
    input: { url },
    judge: async ({ output }) => {
      const data = output.data as { duration: number | null; streams: { type: string }[] };
      const types = new Set(data.streams.map(({ type }) => type));
      const frame = source.pictures
        ? (source.pictures.end - (source.pictures.times[0] ?? 0)) / source.pictures.times.length
        : 0;
      const still = source.pictures?.times.length === 1 && !source.sound;
      const off = Math.abs((data.duration ?? 0) - source.duration) > Math.max(0.065, frame);
      return judged([
        ...(off && !still ? [`it lasts ${data.duration} s, not ${source.duration.toFixed(3)} s`] : []),
        ...(source.pictures && !types.has('video') ? ['no video is listed'] : []),
        ...(source.sound && !types.has('audio') ? ['no audio is listed'] : []),
      ]);
    },
  };
}

function frames(url: string, source: SourceModel, pictures: SourcePictures): Check {
  const { times, end } = pictures;
  const wanted = [...new Set([Math.floor(times.length * 0.37), Math.floor(times.length * 0.8)])];
  const middle = (frame: number) =>
    rounded(((times[frame] ?? 0) + (times[frame + 1] ?? end)) / 2 - source.origin);
  const timestamps = wanted.map(middle);
  return {
    name: 'frame',
    path: '/frame',
    input: { video_url: url, timestamps, format: 'png' },
    judge: async ({ output, warnings }, files) => {
      const stated = (output.data as { timestamps: number[] }).timestamps;
      const wrong: string[] = [];
      for (const [index, frame] of wanted.entries()) {
        const said = { stated: stated[index], graded: isGraded(warnings) };
        wrong.push(...(await wrongStill(files[index], source, pictures, frame, said)));
      }
      return judged(wrong);
    },
  };
}

function frameLast(url: string, source: SourceModel, pictures: SourcePictures): Check {
  return {
    name: 'frame_last',
    path: '/frame/last',
    input: { video_url: url, format: 'png' },
    judge: async ({ output, warnings }, [file]) => {
      const { timestamp } = output.data as { timestamp: number };
      const said = { stated: timestamp, graded: isGraded(warnings) };
      return judged(await wrongStill(file, source, pictures, pictures.times.length - 1, said));
    },
  };
}

async function wrongStill(
  file: string | undefined,
  source: SourceModel,
  pictures: SourcePictures,
  wanted: number,
  { stated, graded }: { stated: number | undefined; graded: boolean },
): Promise<string[]> {
  if (file === undefined) return ['a file is missing'];
  const shown = await decodeStill(file, pictures.matrix);
  if (shown === null) return ['a file does not decode'];
  const time = (pictures.times[wanted] ?? 0) - source.origin;
  const off = stated === undefined || Math.abs(stated - time) > 0.0011;
  return [
    ...mismatches(shown, pictures, [{ shown: 0, wanted }], { graded }),
    ...(off ? [`frame ${wanted} is said to stand at ${stated} s, not ${time.toFixed(6)} s`] : []),
  ];
}

/** One cut from 0 on, and one that neither begins nor ends on a frame. */
function cuts(field: UrlField, url: string, source: SourceModel): Check[] {
  if (source.duration < LEAST_SECONDS) return [];
  const inside = insideOf(source, 0.35, 0.75, 2.5);
  const start = { start: 0, end: rounded(Math.min(inside.end, 3)) };
  return [cut('cut_start', field, url, source, start), cut('cut_inside', field, url, source, inside)];
}

function cut(name: CheckName, field: UrlField, url: string, source: SourceModel, asked: Asked): Check {
  const input = { [field]: url, ...asked };
  return { name, path: '/cut', input, judge: spans(source, [asked]) };
}

/** A range between two shares of a source, off the frames by 0.37 and 0.31 of their distance. */
function insideOf(source: SourceModel, from: number, to: number, most: number): Asked {
  const off = (share: number, beside: number) => {
    const { pictures, origin, duration } = source;
    if (!pictures) return rounded(duration * share);
    const frame = frameShownAt(pictures, origin, duration * share);
    const time = pictures.times[frame] ?? 0;
    const next = pictures.times[frame + 1] ?? pictures.end;
    return rounded(Math.max(0, time + (next - time) * beside - origin));
  };
  const start = off(from, 0.37);
  const end = off(Math.min(to, from + most / source.duration), 0.31);
  return { start, end: end > start ? end : rounded(source.duration) };
}

function crop(path: string, url: string, source: SourceModel, pictures: SourcePictures): Check {
  return {
    name: 'crop',
    path: '/crop',
    input: { video_url: url, x: '25%', y: '25%', width: '50%', height: '50%' },
    judge: async (task, files) => {
      // Edges lie on even pixels; beside them a moving picture looks like another frame of itself.
      const { x, y, width, height } = operations.crop.data.parse(task.output.data).rectangle ?? {};
      const filter = `scale=w=round(iw*sar):h=ih,crop=w=${width}:h=${height}:x=${x}:y=${y}:exact=1`;
      const decoded = await decode(path, { video: pictures.stream, filter });
      // As many from the end: the source model leaves out broken pictures at the start.
      const bytes = decoded.pictures?.bytes.subarray(-pictures.bytes.length) ?? pictures.bytes;
      const cropped = { ...source, pictures: { ...pictures, bytes } };
      return spans(cropped, [whole(source)])(task, files);
    },
  };
}

const transcode = (url: string, source: SourceModel): Check => ({
  name: 'transcode',
  path: '/transcode',
  input: { video_url: url, quality: 'high' },
  judge: spans(source, [whole(source)]),
});

function silence(field: UrlField, url: string, source: SourceModel): Check[] {
  if (source.duration < 3 * LEAST_SECONDS) return [];
  const { start, end } = insideOf(source, 0.3, 0.6, source.duration);
  const segments = [
    { start: 0, end: start, action: 'keep' },
    { start, end, action: 'silent' },
    { start: end, end: rounded(source.duration), action: 'keep' },
  ];
  const kept = [
    { start: 0, end: start },
    { start: end, end: source.duration },
  ];
  const input = { [field]: url, segments };
  return [{ name: 'silence', path: '/silence_process', input, judge: spans(source, kept) }];
}

/** Every tenth is kept, and the pause after it is not. */
function joints(field: UrlField, url: string, source: SourceModel): Check[] {
  if (source.duration < 10 * LEAST_SECONDS) return [];
  const tenths = Array.from({ length: 10 }, (_, tenth) => insideOf(source, tenth / 10, (tenth + 1) / 10, 9));
  const segments = tenths.map(({ start }, tenth) => ({
    start: tenth === 0 ? 0 : start,
    end: tenths[tenth + 1]?.start ?? rounded(source.duration),
    action: tenth % 2 === 0 ? 'keep' : 'silent',
  }));
  const kept = segments.filter(({ action }) => action === 'keep');
  const input = { [field]: url, segments };
  return [{ name: 'joints', path: '/silence_process', input, judge: spans(source, kept) }];
}

/** In another container, everything stands where it stood. */
function remuxes(field: UrlField, url: string, source: SourceModel): Check[] {
  return (['mkv', 'mp4'] as const).map((format) => ({
    name: `remux_${format}`,
    path: '/remux',
    input: { [field]: url, format },
    judge: async ({ output: { duration } }, [file]) => {
      const output = await outputModelOf(file ?? '');
      const first = output.pictures?.times[0] ?? output.sound?.start ?? 0;
      const at = first - Math.max(0, (source.pictures?.times[0] ?? source.origin) - source.origin);
      const timeMap = [{ in: [0, source.duration], out: [at, at + source.duration] }] as Said['timeMap'];
      // A copy complains of what the source does.
      const copied = source.clean ? output : { ...output, complaints: '' };
      return judgeSpans(copied, source, [whole(source)], { duration, timeMap, graded: false });
    },
  }));
}

const mirror = (path: string, url: string, source: SourceModel, pictures: SourcePictures): Check => ({
  name: 'mirror',
  path: '/speed',
  input: { video_url: url, flip: 'horizontal' },
  judge: async (task, files) => {
    const decoded = await decode(path, { video: pictures.stream, filter: 'hflip' });
    const bytes = decoded.pictures?.bytes.subarray(-pictures.bytes.length) ?? pictures.bytes;
    return spans({ ...source, pictures: { ...pictures, bytes } }, [whole(source)])(task, files);
  },
});

const merge = (url: string, source: SourceModel): Check => ({
  name: 'merge',
  path: '/merge_urls',
  input: { urls: [url, url] },
  judge: async (task, [file]) => judgeMerge(await outputModelOf(file ?? ''), source, saidIn(task)),
});

function audioOnly(url: string, source: SourceModel): Check {
  return {
    name: 'audio_only',
    path: '/transcode',
    input: { video_url: url, audio_only: true },
    judge: async (task, [file]) => {
      const output = await outputModelOf(file ?? '');
      const [map] = saidIn(task).timeMap;
      if (!map || !output.sound) return judged(['it has no sound']);
      const place = {
        from: source.origin + map.in[0],
        to: source.origin + map.in[1],
        at: output.sound.start + map.out[0],
      };
      const length = output.sound.samples.length / SOUND_RATE;
      const off = Math.abs(length - (map.out[1] - map.out[0])) > 0.065;
      const { wrong, late } = judgeSound(output, source, [place]);
      return {
        wrong: off ? [`it lasts ${length.toFixed(3)} s, not as the time map says`, ...wrong] : wrong,
        late,
      };
    },
  };
}

function spans(source: SourceModel, asked: readonly Asked[]): Check['judge'] {
  return async (task, [file]) => judgeSpans(await outputModelOf(file ?? ''), source, asked, saidIn(task));
}

function saidIn({ output: { duration, time_map }, warnings }: Done): Said {
  return { duration, timeMap: time_map, graded: isGraded(warnings) };
}

const isGraded = (warnings: Done['warnings']) =>
  warnings.some(({ code }) => code.startsWith('hdr_') || code === 'alpha_dropped');

const judged = (wrong: string[]): Judgement => ({ wrong, late: [] });

const rounded = (seconds: number) => Math.round(seconds * 1e4) / 1e4;

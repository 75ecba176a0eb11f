import { AV_CODEC_ID_H264, AV_NOPTS_VALUE, AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import type { IRational, Stream } from 'node-av/lib';
import { singleFields } from '../../../../bitstream/h264-fields.ts';
import { least } from '../../../../model/numbers/min-max.ts';
import type { SourceParts } from '../../../../model/source/media-source.ts';
import { configurationOf } from '../av.ts';
import { Reader } from '../read/reader.ts';
import { timesAtEnd } from './stream-extents.ts';

/** How many packets a rate is measured from, and how many more may be shown between them. */
const FIRST_PACKETS = 121;
const REORDERED = 16;
/** The fewest that tell an even rate from chance. */
const FEWEST = 8;
/** Ticks that a time is rounded by, at the most. */
const ROUNDED = 1;
/** A stated rate that is nearer than this to the measured one is taken for right. */
const NEAR = 0.2;
/** How far the rate at the end may be from that of the first frames. */
const SAME = 0.05;

/**
 * The frame rate, as a fraction, of a Matroska track whose first and last frames follow one another evenly, but not by the DefaultDuration that it states (RFC 9559,
 * 5.1.4.1.13); null if that is right, or not known to be false. libav takes it for the rate, and for the length of each frame.
 */
export async function trueRate(source: SourceParts, stream: Stream): Promise<string | null> {
  const { codecpar, avgFrameRate, timeBase } = stream;
  if (source.format !== 'matroska' || codecpar.codecType !== AVMEDIA_TYPE_VIDEO) return null;
  if (avgFrameRate.num <= 0 || avgFrameRate.den <= 0) return null;
  const stated = (avgFrameRate.den * timeBase.den) / (avgFrameRate.num * timeBase.num);
  const { times, more } = await firstTimes(source, stream, stated);
  const [first, last] = [times[0], times.at(-1)];
  if (first === undefined || last === undefined || times.length < FEWEST) return null;
  const step = (last - first) / (times.length - 1);
  const isEven = times.every((time, index) => Math.abs(time - first - index * step) <= ROUNDED);
  if (!isEven || Math.abs(step / stated - 1) < NEAR) return null;
  if (more && !(await endsWith(step, source, stream))) return null;
  const { num, den } = usualRate(timeBase.den / timeBase.num / step, (2 * ROUNDED) / (last - first));
  return `${num}/${den}`;
}

/** Whether the last frames follow one another as the first ones do: of a variable frame rate, the stated one may be the average. */
async function endsWith(step: number, source: SourceParts, { index }: Stream): Promise<boolean> {
  // Frames that are shown between the first ones may lie before them.
  const times = (await timesAtEnd(source, index, REORDERED + FEWEST)).slice(REORDERED).slice(-FIRST_PACKETS);
  const [first, last] = [times[0], times.at(-1)];
  if (first === undefined || last === undefined) return false;
  return Math.abs((last - first) / (times.length - 1) / step - 1) < SAME;
}

/**
 * Presentation times in ascending order, up to where more may be shown between them, and whether more follow; none if the stated rate is
 * seen in the first steps.
 */
async function firstTimes(
  source: SourceParts,
  { index, codecpar }: Stream,
  stated: number,
): Promise<{ times: number[]; more: boolean }> {
  const none = { times: [], more: false };
  const reader = await Reader.unparsed({ source, stream: index });
  const isField = singleFields(configurationOf(reader.stream).extradata);
  const times: number[] = [];
  try {
    while (times.length < FIRST_PACKETS + REORDERED) {
      const packet = await reader.next();
      if (!packet) return { times: times.toSorted(ascending), more: false };
      if (packet.pts === AV_NOPTS_VALUE) return none;
      if (codecpar.codecId === AV_CODEC_ID_H264 && isField(packet.data ?? new Uint8Array())) return none;
      times.push(Number(packet.pts));
      if (times.length === FEWEST && isStated(times.toSorted(ascending), stated)) return none;
    }
    return { times: times.toSorted(ascending).slice(0, FIRST_PACKETS), more: true };
  } finally {
    await reader.close();
  }
}

/** Some of the frames may be coded later than these, or not at all. */
function isStated(times: readonly number[], stated: number): boolean {
  const steps = times.flatMap((time, index) => (index === 0 ? [] : time - (times[index - 1] ?? 0)));
  return Math.abs(least(steps) - stated) <= Math.max(2 * ROUNDED, NEAR * stated);
}

/** The nearest whole rate, or that of NTSC, if the measured one is as near as its error. */
function usualRate(rate: number, error: number): IRational {
  const whole = Math.round(rate);
  const ntsc = Math.round(rate * 1.001);
  const usual = [
    { num: whole, den: 1 },
    { num: 1000 * ntsc, den: 1001 },
  ].toSorted((a, b) => away(a, rate) - away(b, rate));
  const [nearest] = usual;
  return nearest && nearest.num > 0 && away(nearest, rate) <= error
    ? nearest
    : { num: Math.round(rate * 1000), den: 1000 };
}

const away = ({ num, den }: IRational, rate: number) => Math.abs(num / den / rate - 1);

const ascending = (a: number, b: number) => a - b;

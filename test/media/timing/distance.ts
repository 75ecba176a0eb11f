import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { pulsesIn, readNumbers, readTimes } from '../../fixtures/barcode.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { scratch } from '../scratch.ts';

/** Sources whose picture and sound stand at a known distance, and what is measured of them and of what is made of them. */

export interface Shape {
  container: 'mp4' | 'mov' | 'mkv' | 'webm' | 'ts' | 'avi';
  /** Frames a second, as a fraction. */
  rate: string;
  /** Ticks a second of the picture's track, where the container lets them be chosen. */
  timescale?: number;
  picture?: string[];
  sound?: string[];
  /** Milliseconds by which the picture stands later than the sound; negative where it is the sound that is late. */
  late?: number;
  /** Seconds added to every time of the file. */
  origin?: number;
  /** Seconds that are missing from the sound behind its middle. */
  gap?: number;
  /** Which frames there are, as an expression of `select`; all where it is left out. */
  select?: string;
  /** Of the file as it is written. */
  more?: string[];
}

/** Frame n shows n and stands at n frames; the sound has a pulse at every full second. Both are then moved. */
const SECONDS = 5.9;
const pulse = '0.9*exp(-pow((mod(t+0.5,1)-0.5)/0.0005,2))+0.02*sin(2*PI*440*t)';
const x264 = [
  '-c:v',
  'libx264',
  '-preset',
  'ultrafast',
  '-pix_fmt',
  'yuv420p',
  '-crf',
  '26',
  '-g',
  '24',
  '-bf',
  '2',
];

export async function makeSource(name: string, shape: Shape): Promise<string> {
  const { container, rate, timescale, picture = x264, late = 0, origin = 0, select, more = [] } = shape;
  const path = join(scratch(), `${name.replaceAll(/\W+/g, '-')}.${container}`);
  const [numerator = 30, denominator = 1] = rate.split('/').map(Number);
  const fine = late > 0 || select !== undefined;
  const unit = timescale !== undefined ? `1/${timescale}` : fine ? '1/90000' : `${denominator}/${numerator}`;
  const delay = (seconds: number) => (seconds > 0 ? ['-itsoffset', seconds.toFixed(6)] : []);
  const times = [
    ...(select ? [`select='${select}'`] : []),
    ...['scale=160:90', 'settb=1/90000', `setpts=PTS+${(Math.max(0, late) / 1000).toFixed(6)}/TB`],
  ];
  // The fixture stands at 30 frames a second; its times are given anew before any is left out.
  const graph = [`settb=${denominator}/${numerator}`, 'setpts=N', ...times].join(',');
  await run(programs, 'ffmpeg', [
    ...['-v', 'error', '-nostdin', '-y'],
    ...['-stream_loop', '-1', '-i', fixture('no-sound.mp4')],
    ...delay(-late / 1000),
    ...['-f', 'lavfi', '-i', `aevalsrc='${pulse}':s=48000:d=${SECONDS}`],
    ...['-map', '0:v', '-map', '1:a', '-vf', graph],
    ...(shape.gap === undefined ? [] : ['-af', `asetpts='PTS+gte(T,2.3)*${shape.gap}/TB'`]),
    ...['-fps_mode', 'passthrough', '-t', `${SECONDS}`],
    ...['-enc_time_base:v', unit.replace('/', ':')],
    ...picture,
    ...(shape.sound ?? ['-c:a', 'aac', '-b:a', '96k']),
    ...(origin === 0 ? [] : ['-output_ts_offset', `${origin}`]),
    ...(timescale === undefined || container === 'mkv' ? [] : ['-video_track_timescale', `${timescale}`]),
    ...more,
    path,
  ]);
  return path;
}

export interface Measured {
  /** The number of every frame and the time at which the file shows it. */
  frames: { number: number; time: number }[];
  /** When the pulses are heard. */
  pulses: number[];
  /** When the first of what is seen and heard comes. */
  origin: number;
}

/** What is decoded of a file, in the times of the file. */
export async function measure(path: string): Promise<Measured> {
  const [numbers, times] = [await readNumbers(path), await readTimes(path)];
  if (numbers.length !== times.length) throw new Error(`${numbers.length} pictures at ${times.length} times`);
  const [first = 0] = times;
  const { start, pulses } = await heardIn(path, first);
  const frames = numbers.map((number, index) => ({ number, time: times[index] ?? 0 }));
  return { frames, pulses, origin: Math.min(first, start) };
}

/** Added before sound is decoded, so that what lies before 0, or before the picture, is not lost. */
const LEAD = 3;

/** When the first sample and the pulses are heard, with ffmpeg's own decoder of sound. */
async function heardIn(path: string, near: number): Promise<{ start: number; pulses: number[] }> {
  const from = Math.floor(near) - LEAD;
  const [out, list] = ['f32', 'chunks'].map((kind) => join(scratch(), `${basename(path)}.${kind}`));
  const even = `asetpts=PTS-(${from})/TB,aresample=async=1:min_hard_comp=0.005:first_pts=0,pan=mono|c0=c0`;
  await run(programs, 'ffmpeg', [
    ...['-v', 'error', '-nostdin', '-y', '-copyts', '-i', path],
    ...['-filter_complex', `[0:a:0]asplit[own][all];[all]${even}[even]`],
    ...['-map', '[even]', '-ar', '48000', '-f', 'f32le', `${out}`],
    ...['-map', '[own]', '-frames:a', '1', '-f', 'framecrc', `${list}`],
  ]);
  const bytes = await readFile(`${out}`);
  const sound = new Float32Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.length / 4));
  const start = firstTime(await readFile(`${list}`, 'utf8'));
  return { start, pulses: pulsesIn(sound).map((time) => time + from) };
}

/** The time of the first line of a `framecrc`, in the unit that its head states. */
function firstTime(listed: string): number {
  const [, numerator, denominator] = /^#tb 0: (\d+)\/(\d+)$/m.exec(listed) ?? [];
  const [, ticks] = /^0, *-?\d+, *(-?\d+),/m.exec(listed) ?? [];
  if (ticks === undefined) throw new Error('no sound is heard');
  return (Number(ticks) * Number(numerator)) / Number(denominator);
}

/**
 * Milliseconds by which the sound comes later than in the source, pulse by pulse, measured from the frame before each or the one
 * behind it: of two clips, the first frame may be shown earlier, and the last one for longer.
 */
export function drift(source: Measured, found: Measured): number[] {
  const at = new Map(source.frames.map(({ number, time }) => [number, time]));
  // At a higher rate a frame is shown several times in a row, of which the first counts.
  const shown = found.frames.filter(({ number }, index) => number !== found.frames[index - 1]?.number);
  return found.pulses.flatMap((heard) => {
    const last = Math.max(
      0,
      shown.findLastIndex(({ time }) => time <= heard),
    );
    const off = [shown[last], shown[last + 1]].flatMap((frame) => {
      const own = frame && at.get(frame.number);
      if (!frame || own === undefined) return [];
      const wanted = own + heard - frame.time;
      return source.pulses.map((one) => wanted - one);
    });
    const [least] = off.toSorted((a, b) => Math.abs(a) - Math.abs(b));
    return least !== undefined && Math.abs(least) < 0.4 ? [least * 1000] : [];
  });
}

import { join } from 'node:path';
import { expect } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { fixture, programs, turn } from '../../fixtures/make.ts';
import { packetTimes } from '../../fixtures/packets.ts';
import { scratch } from '../scratch.ts';

/** Sources of many structures, made for the tests of what copies packets, and what is read of them and of results. */

/** Frames of the fixture, which is repeated. */
export const REPEATED = 180;
const SECONDS = 16;

/** A tone that rises slowly: encoders code it without noise, so that what is copied decodes to the same samples. */
const tone = '0.3*sin(2*PI*t*(300+37*t))';
/** Sweeps from 300 Hz to 3 kHz twenty times a second: no part of it sounds like one that is a little later. */
export const sweep = '0.3*sin(2*PI*(300*mod(t,0.05)+27000*pow(mod(t,0.05),2)))';

export interface Structure {
  rate: string;
  /** Of x264. */
  params: string;
  more?: string[];
  /** Filters behind the numbered frames. */
  filters?: string;
  sound: string[];
  /** Copies the encoded file again with these options, in which INPUT stands for it. */
  again?: string[];
  /** Turned by 180° when shown. */
  turned?: boolean;
}

export async function makeSource(name: string, structure: Structure, signal = tone): Promise<string> {
  const { rate, params, more = [], filters, sound, again } = structure;
  const path = join(scratch(), `${name.replaceAll(/\W/g, '-')}.mp4`);
  const first = again ? path.replace('.mp4', '-first.mp4') : path;
  const [numerator = 30, denominator = 1] = rate.split('/').map(Number);
  const graph = [`settb=${denominator}/${numerator},setpts=N`, ...(filters ? [filters] : [])].join(',');
  await run(programs, 'ffmpeg', [
    ...['-v', 'error', '-nostdin', '-y', '-stream_loop', '-1', '-i', fixture('no-sound.mp4')],
    ...['-f', 'lavfi', '-i', `aevalsrc='${signal}':s=48000:d=${SECONDS}`],
    ...['-map', '0:v', '-map', '1:a', '-vf', graph],
    ...['-fps_mode', 'passthrough', '-enc_time_base:v', `${denominator}:${numerator}`, '-t', `${SECONDS}`],
    ...['-pix_fmt', 'yuv420p', ...more, '-c:v', 'libx264', '-preset', 'veryfast', '-x264-params', params],
    ...[...sound, first],
  ]);
  if (again) await run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', ...fill(again, first), path]);
  if (structure.turned) await turn(path, 180);
  return path;
}

const fill = (args: string[], path: string) => args.map((arg) => (arg === 'INPUT' ? path : arg));

/** Numbers in [0, 1), the same in every run. */
export function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Throws where decoding times do not rise, or a packet is shown before it is decoded. */
export async function checkPacketTimes(path: string): Promise<void> {
  const packets = await packetTimes(path);
  for (const [index, { pts, dts }] of packets.entries()) {
    expect(pts).toBeGreaterThanOrEqual(dts);
    if (index > 0) expect(dts).toBeGreaterThan(packets[index - 1]?.dts ?? dts);
  }
}

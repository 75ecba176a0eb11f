import { renameSync } from 'node:fs';
import { hasFilter } from './programs.mjs';

/**
 * @typedef {import('./children.mjs').Children} Children
 * @typedef {import('./programs.mjs').Programs} Programs
 */

const SECONDS = 12;
const SPEECH =
  'This is the sample video of Spool. Every frame carries its number. Every second begins with a click. ' +
  'Cut it, crop it, or take its last frame.';

const size = 'box=1:boxborderw=24:boxcolor=black@0.7:fontcolor=white:x=(w-tw)/2';
const numbered = `drawtext=text='%{frame_num}':fontsize=220:y=190:${size},drawtext=timecode='00\\:00\\:00\\:00':rate=30:fontsize=72:y=480:${size}`;

/** The inputs of the sample, to detect when it must be recreated. */
export const sampleRecipe = JSON.stringify([SECONDS, SPEECH, numbered, sampleArguments.toString()]);

/**
 * Creates the sample: 12 s of 1280×720 at 30 frames a second, H.264 and AAC. It shows a moving picture with frame number and
 * timecode, and has speech (tones if this ffmpeg cannot speak) and a click at the start of every second.
 * @param {Children} children
 * @param {Programs} programs
 * @param {string} file
 */
export async function makeSample(children, programs, file) {
  const speaks = hasFilter(programs, 'flite');
  const half = `${file}.part`;
  if (hasFilter(programs, 'drawtext')) {
    try {
      await children.run(programs.ffmpeg, sampleArguments(`,${numbered}`, speaks, half));
      return renameSync(half, file);
    } catch (error) {
      const reason = error instanceof Error ? error.message.split('\n').at(-1) : error;
      console.log(
        `  … the sample has no large frame numbers (${reason}), only the small ones of the test pattern`,
      );
    }
  }
  await children.run(programs.ffmpeg, sampleArguments('', speaks, half));
  renameSync(half, file);
}

/**
 * @param {string} overlay
 * @param {boolean} speaks
 * @param {string} file
 */
function sampleArguments(overlay, speaks, file) {
  const voice = speaks
    ? `flite=text='${SPEECH}':voice=slt`
    : "aevalsrc='0.2*sin(2*PI*(220+110*floor(t))*t)*lt(mod(t,1),0.7)':s=48000";
  const graph = [
    `testsrc2=size=1280x720:rate=30${overlay},format=yuv420p[v]`,
    `${voice},aresample=48000,apad,atrim=duration=${SECONDS}[voice]`,
    "aevalsrc='0.5*sin(2*PI*1000*t)*lt(mod(t,1),0.03)':s=48000[click]",
    '[voice][click]amix=inputs=2:duration=first:normalize=0,aformat=channel_layouts=stereo,asetnsamples=1024[a]',
  ];
  return [
    ...['-y', '-hide_banner', '-loglevel', 'error', '-nostdin', '-filter_complex', graph.join(';')],
    ...['-map', '[v]', '-map', '[a]', '-t', String(SECONDS)],
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '20', '-g', '60', '-c:a', 'aac', '-b:a', '128k'],
    ...['-movflags', '+faststart', '-f', 'mp4', file],
  ];
}

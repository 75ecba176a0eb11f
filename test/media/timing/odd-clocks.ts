import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { VP8 } from '../../fixtures/vp8.ts';

/** Two seconds of the barcodes and pulses of all fixtures, 160 × 90, in containers that are at odds with plain time. */

const master = ['-t', '2', '-i', fixture('master.nut')];
const small = ['-vf', 'scale=160:90', '-pix_fmt', 'yuv420p'];
const h264 = [...small, '-c:v', 'libx264', '-preset', 'veryfast', '-g', '15', '-bf', '2'];
const vp8 = [...small, ...VP8, '-deadline', 'realtime', '-cpu-used', '8'];
const asp = [...small, '-c:v', 'mpeg4', '-bf', '2', '-g', '15'];
const aac = ['-c:a', 'aac'];
const opus = ['-c:a', 'libopus'];
const sound = ['-map', '0:a'];
const both = ['-map', '0:v', '-map', '0:a'];
const lines = ['1\n00:00:00,500 --> 00:00:01,000\nOne\n', '2\n00:00:06,000 --> 00:00:08,000\nTwo\n'];
const captions = ['-i', 'long.srt', ...both, '-map', '1'];

/** By file, what ffmpeg makes it with. Those that are streamed cannot go back to write how long they are. */
export const oddClocks: Record<string, string[]> = {
  'stated.mkv': [...master, ...h264, ...aac],
  'unstated.mkv': [...master, ...h264, ...aac, '-live', '1'],
  'unstated.webm': [...master, ...vp8, ...opus, '-live', '1'],
  'unstated-sound.webm': [...master, ...sound, ...opus, '-live', '1'],
  'unstated-picture.webm': [...master, ...vp8, '-an', '-live', '1'],
  'vorbis.mkv': [...master, ...h264, '-c:a', 'libvorbis', '-live', '1'],
  'captions.mkv': [...master, ...captions, ...h264, ...aac, '-c:s', 'srt'],
  'captions.mp4': [...master, ...captions, ...h264, ...aac, '-c:s', 'mov_text'],
  'chapters.mp4': [...master, '-i', 'chapters.txt', '-map_metadata', '1', ...both, ...h264, ...aac],
  'plain.ts': [...master, ...h264, ...aac],
  'late.ts': [...master, ...h264, ...aac, '-output_ts_offset', '700'],
  'wrapped.ts': [...master, ...h264, ...aac, '-output_ts_offset', '95441'],
  'wraps.ts': [...master, ...h264, ...aac, '-output_ts_offset', '95441.5'],
  'picture.ts': [...master, ...h264, '-an', '-output_ts_offset', '95440'],
  'mpeg2.ts': [...master, ...small, '-c:v', 'mpeg2video', '-bf', '2', '-c:a', 'mp2'],
  'stated.flv': [...master, ...h264, ...aac],
  'unstated.flv': [...master, ...h264, ...aac, '-flvflags', 'no_duration_filesize'],
  'fragments.mp4': [...master, ...h264, ...aac, '-movflags', 'frag_keyframe+empty_moov'],
  'more-fragments.mp4': [...master, ...h264, ...aac, '-movflags', 'frag_keyframe'],
  'late.mkv': [...master, ...h264, ...aac, '-output_ts_offset', '700'],
  'sound-ends-first.mkv': [
    '-t',
    '2',
    ...master.slice(2),
    '-t',
    '1',
    ...master.slice(2),
    '-map',
    '0:v',
    '-map',
    '1:a',
    ...h264,
    ...aac,
  ],
  'b-frames.avi': [...master, ...h264, '-c:a', 'libmp3lame'],
  'asp.avi': [...master, ...asp, '-c:a', 'pcm_s16le'],
  'adts.aac': [...master, ...sound, ...aac],
  'no-header.mp3': [...master, ...sound, '-c:a', 'libmp3lame', '-q:a', '2', '-write_xing', '0'],
  'header.mp3': [...master, ...sound, '-c:a', 'libmp3lame'],
  'opus.ogg': [...master, ...sound, ...opus],
  'vorbis.ogg': [...master, ...sound, '-c:a', 'libvorbis'],
  'stated.flac': [...master, ...sound],
  'stated.wav': [...master, ...sound],
  'anim.gif': ['-t', '1', ...master.slice(2), '-map', '0:v', '-vf', 'fps=10,scale=160:90'],
  'one-frame.mp4': [...master, ...h264, '-an', '-frames:v', '1'],
  'one-frame.webm': [...master, ...vp8, '-an', '-frames:v', '1', '-live', '1'],
};
/** Those that ffmpeg writes to a pipe. */
export const pipedClocks: Record<string, string[]> = {
  'unstated.flac': [...master, ...sound, '-f', 'flac'],
  'unstated.wav': [...master, ...sound, '-f', 'wav'],
};

/** @returns the path of the file. */
export async function makeClock(directory: string, name: string): Promise<string> {
  const args = oddClocks[name] ?? pipedClocks[name] ?? [];
  await writeFile(join(directory, 'long.srt'), lines.join('\n'));
  const chapter = ['[CHAPTER]', 'TIMEBASE=1/1000', 'START=0', 'END=9000', 'title=All'];
  await writeFile(join(directory, 'chapters.txt'), [';FFMETADATA1', ...chapter, ''].join('\n'));
  const path = join(directory, name);
  if (!(name in pipedClocks)) {
    await run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args, path], { cwd: directory });
  } else {
    const parts: Buffer[] = [];
    const options = { cwd: directory, onOutput: (chunk: Buffer) => parts.push(chunk) };
    await run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', ...args, 'pipe:1'], options);
    await writeFile(path, Buffer.concat(parts));
  }
  return path;
}

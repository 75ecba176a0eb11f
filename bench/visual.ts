import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { captionPresetNames } from '../schema/media/caption-presets.ts';
import { photoPresetNames } from '../schema/media/photo-presets.ts';
import { type VisualStyleName, visualStyleNames } from '../schema/media/visual-styles.ts';
import type { OperationName } from '../schema/operations/index.ts';
import { operateOnFiles } from '../scripts/lib/operate-on-files.ts';
import { run } from '../transcoder/ffmpeg/run.ts';
import { measured, printTable } from './measure.ts';
import { startMedia } from './operate.ts';

/**
 * Each style of the visualizer and each preset of photos and captions at 1080p30, from the source to the verified file,
 * compared with ffmpeg encoding the same frames with the same encoder and quality: the additional cost of drawing and, for
 * captions, of decoding. Three styles are also measured for longer, because starting the processes, analyses and the check of the
 * result cost the same CPU for four seconds as for a song.
 */
const SECONDS = 4;
const LONGER = 12;
const longerStyles = ['bars', 'line', 'vectorscope'] as const;
const url = 'https://media.example.com/source';
const size = { width: 1920, height: 1080 };

const media = await startMedia();
const { libav, programs } = media;
const directory = await mkdtemp(join(tmpdir(), 'spool-bench-'));
const ffmpeg = (args: string[]) =>
  run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args], { cwd: directory });

async function ours(operation: OperationName, name: string, request: Record<string, unknown>) {
  const { rendered } = await operateOnFiles(media, operation, [join(directory, name)], request, directory);
  return rendered.files[0].path;
}

async function row(
  title: string,
  operation: OperationName,
  name: string,
  request: Record<string, unknown>,
  seconds = SECONDS,
) {
  const mine = await measured(libav, () => ours(operation, name, request));
  const decode = ['-i', mine.value, '-map', '0:v', '-pix_fmt', 'yuv420p'];
  await ffmpeg([...decode, '-f', 'rawvideo', 'frames.yuv']);
  const raw = ['-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-s', '1920x1080', '-r', '30', '-i', 'frames.yuv'];
  const x264 = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '18', 'plain.mp4'];
  const plain = await measured(libav, () => ffmpeg([...raw, ...x264]));
  const frames = seconds * 30;
  return [title, mine.cpu, plain.cpu, mine.cpu / plain.cpu, (1000 * mine.cpu) / frames];
}

try {
  const beat = 'exp(-14*mod(t,0.5))*sin(2*PI*(50+60*exp(-30*mod(t,0.5)))*mod(t,0.5))';
  const chord = '0.1*sin(2*PI*220*t)+0.08*sin(2*PI*277*t)+0.05*sin(2*PI*1320*t)';
  const hat = '0.2*exp(-40*mod(t+0.25,0.5))*(random(0)*2-1)';
  const sound = `aevalsrc='0.6*${beat}+${chord}+${hat}|0.6*${beat}+0.9*(${chord})+${hat}':s=48000`;
  for (const seconds of [SECONDS, LONGER]) {
    await ffmpeg(['-f', 'lavfi', '-i', `${sound}:d=${seconds}`, `sound-${seconds}.wav`]);
  }
  const scene = 'mandelbrot=s=4000x3000:start_scale=0.02:start_x=-0.745:start_y=0.1127';
  await ffmpeg(['-f', 'lavfi', '-i', scene, '-frames:v', '1', '-q:v', '2', 'photo.jpg']);
  const film = `testsrc2=s=1920x1080:r=30:d=${SECONDS},noise=alls=8:allf=t`;
  await ffmpeg(['-f', 'lavfi', '-i', film, '-pix_fmt', 'yuv420p', '-preset', 'veryfast', 'film.mp4']);
  const captions = Array.from({ length: SECONDS * 3 }, (_, word) => ({
    ...{ start: word / 3, end: (word + 0.9) / 3, text: ['Words', 'are', 'spoken'][word % 3] },
  }));
  const headOf = (seconds: number): (string | number)[] => [
    ...[`${seconds} s of 1080p30`, 'ours, CPU s', 'encoding alone, CPU s', 'ratio', 'ours, CPU ms a frame'],
  ];
  const visualizers = async (styles: readonly VisualStyleName[], seconds: number) => {
    const made: (string | number)[][] = [];
    for (const style of styles) {
      const request = { ...size, audio_url: url, style };
      made.push(await row(`/visualize ${style}`, 'visualize', `sound-${seconds}.wav`, request, seconds));
    }
    return made;
  };
  const rows = [headOf(SECONDS), ...(await visualizers(visualStyleNames, SECONDS))];
  for (const preset of photoPresetNames) {
    if (preset === 'parallax') continue;
    const request = { ...size, photo_url: url, preset, duration: SECONDS };
    rows.push(await row(`/photo/animate ${preset}`, 'photo_animate', 'photo.jpg', request));
  }
  for (const preset of captionPresetNames) {
    const request = { video_url: url, preset, captions, outputs: [] };
    rows.push(await row(`/captions/auto ${preset}`, 'captions_auto', 'film.mp4', request));
  }
  printTable(rows);
  console.log();
  printTable([headOf(LONGER), ...(await visualizers(longerStyles, LONGER))]);
} finally {
  libav.close();
  await rm(directory, { recursive: true, force: true });
}

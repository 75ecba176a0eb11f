import { spawnSync } from 'node:child_process';
import { cpus, release, totalmem } from 'node:os';

/** The machine and versions that the figures depend on, as a Markdown list. */
export function machine(): string {
  const program = spawnSync('ffmpeg', ['-version'], { encoding: 'utf8' }).stdout.split('\n')[0];
  const memory = Math.round(totalmem() / 2 ** 30);
  return [
    `- Machine: ${cpus().length} × ${cpus()[0]?.model.trim()}, ${memory} GiB, Linux ${release()}`,
    `- ffmpeg: ${program}`,
    `- Node: ${process.version}`,
    `- Date: ${new Date().toISOString().slice(0, 10)}`,
  ].join('\n');
}

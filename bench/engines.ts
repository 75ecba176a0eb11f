import { spawnSync } from 'node:child_process';
import { printTable } from './measure.ts';

/**
 * The quality of the embedded engines for speech, voices and stems. The tests of these operations measure and require it on
 * generated material, Flite's voices and chords; this runs them and shows their figures. People are heard far less well.
 */
const folders = ['captions', 'redub'];
const figure = /^(captions|redub|redub_tts|redub_vc|separate|stretch|spleeter): (.+)$/gm;

const paths = folders.map((name) => `test/media/${name}/`);
const { stdout, status } = spawnSync('vitest', ['run', '--project', 'media', ...paths], {
  encoding: 'utf8',
  // Color codes would break the table.
  env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' },
  maxBuffer: 64 * 1024 * 1024,
});
const found = [...stdout.matchAll(figure)].map(([, of = '', figures = '']) => [of, figures]);
console.log(
  'Of synthetic material: the voices are Flite’s, the music is generated. Recordings of people are recognized far less well.\n',
);
printTable([['operation', 'measured'], ...found.sort()]);
if (status !== 0 || found.length === 0) process.exitCode = 1;

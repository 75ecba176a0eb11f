import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, extname, join } from 'node:path';
import { enginesFor } from '../schema/media/engines.ts';
import { operateOnFiles } from '../scripts/lib/operate-on-files.ts';
import { wordErrors } from '../test/fixtures/word-errors.ts';
import { Engines } from '../transcoder/engines/engines.ts';
import { type Sound, waveBytes } from '../transcoder/engines/speech/wave.ts';
import { run } from '../transcoder/ffmpeg/run.ts';
import { programs } from './footage.ts';
import { measured, printTable } from './measure.ts';
import { startMedia } from './operate.ts';

/**
 * Word error rates on recordings of people, by material and by each engine that is installed (`MODELS_DIR` for those with weights).
 * The recordings are in SPEECH_TEXTS: any sound with a `<name>.txt` of its text, or listed in a `*.trans.txt` of LibriSpeech (`<name> TEXT`) or
 * a `*transcription` of CMU Sphinx (`TEXT (<name>)`); each folder is a material. Without it, they are the ones in Debian's
 * package pocketsphinx-testdata. Each is heard as it is, as on a telephone, and with music 10 dB below it.
 */
const DEBIAN = '/usr/share/pocketsphinx/test/data';
const { SPEECH_TEXTS: folder = DEBIAN, MODELS_DIR: modelsDir = '/nonexistent' } = process.env;

interface Recording {
  file: string;
  said: string[];
  material: string;
}

const SOUNDS = ['.wav', '.flac', '.mp3', '.m4a', '.ogg', '.opus'];
const wordsOf = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/<[^>]*>|[’‘]/g, (found) => (found.length > 1 ? ' ' : "'"))
    .match(/[\p{L}\p{N}']+/gu) ?? [];

/** Texts by the name of their sound, as one file gives them. */
function textsIn(file: string, content: string): [name: string, text: string][] {
  const lines = content.split('\n').map((line) => line.trim());
  if (file.endsWith('.trans.txt'))
    return lines.flatMap((line) => {
      const [, name, text] = /^(\S+)\s+(.+)$/.exec(line) ?? [];
      return name && text ? [[name, text] as [string, string]] : [];
    });
  if (file.endsWith('transcription'))
    return lines.flatMap((line) => {
      const [, text, name] = /^(.+)\((\S+)\)$/.exec(line) ?? [];
      return name && text ? [[name, text] as [string, string]] : [];
    });
  return file.endsWith('.txt') ? [[basename(file, '.txt'), content]] : [];
}

async function recordings(): Promise<Recording[]> {
  if (!existsSync(folder)) return [];
  const all = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = all.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
  const texts = new Map<string, string[]>();
  for (const path of paths.filter((one) => /\.txt$|transcription$/.test(one)))
    for (const [name, text] of textsIn(path, await readFile(path, 'utf8')))
      texts.set(join(dirname(path), name), wordsOf(text));
  return paths.sort().flatMap((file) => {
    const extension = extname(file);
    const said = texts.get(file.slice(0, -extension.length));
    if (!said || said.length === 0 || !SOUNDS.includes(extension)) return [];
    return [{ file, said, material: basename(dirname(file)) }];
  });
}

const RATE = 16_000;

/** How a recording is heard: filters of ffmpeg, and what is added to its samples afterwards. */
const manners: Record<string, { filters: string; added?: (samples: Sound['samples']) => Sound['samples'] }> =
  {
    'as recorded': { filters: `aresample=${RATE}` },
    'on a telephone': { filters: `highpass=f=300,lowpass=f=3400,aresample=8000,aresample=${RATE}` },
    'with music at −10 dB': { filters: `aresample=${RATE}`, added: music },
  };

/** Chords of three voices that change every second, 10 dB below the RMS of the speech. */
function music(speech: Sound['samples']): Sound['samples'] {
  const tune = speech.map((_, at) => {
    const [time, step] = [at / RATE, [0, 5, 7, 3][Math.floor(at / RATE) % 4] ?? 0];
    const tones = [220, 277.2, 329.6].map((hertz) => Math.sin(2 * Math.PI * hertz * 2 ** (step / 12) * time));
    return tones.reduce((sum, tone) => sum + tone, 0);
  });
  const rms = (samples: Float32Array) =>
    (samples.reduce((sum, value) => sum + value * value, 0) / samples.length) ** 0.5;
  const gain = (rms(speech) / rms(tune)) * 10 ** (-10 / 20);
  return speech.map((value, at) => 0.5 * (value + gain * (tune[at] ?? 0)));
}

const directory = await mkdtemp(join(tmpdir(), 'spool-bench-words-'));
const media = await startMedia();
const engines = await Engines.probe({ programs, modelsDir, log: media.log });
const ctx = { ...media, engines };

async function decoded(file: string, filters: string): Promise<Sound['samples']> {
  const raw = join(directory, 'heard.raw');
  const args = ['-v', 'error', '-nostdin', '-y', '-i', file, '-af', filters, '-ac', '1', '-f', 'f32le', raw];
  await run(programs, 'ffmpeg', args);
  const bytes = await readFile(raw);
  return Float32Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(at * 4));
}

async function heard(file: string, engine: string): Promise<string[]> {
  const request = { audio_url: 'https://media.example.com/talk.wav', language: 'en', engine };
  try {
    const { rendered } = await operateOnFiles(ctx, 'transcribe', [file], request, directory);
    return wordsOf((rendered.data.words as { text: string }[]).map(({ text }) => text).join(' '));
  } catch (error) {
    if ((error as { code?: string }).code === 'no_speech_found') return [];
    throw error;
  }
}

try {
  const found = await recordings();
  if (found.length === 0)
    throw new Error(
      `${folder} has no recordings with their texts. Install the package pocketsphinx-testdata, or name a folder in SPEECH_TEXTS.`,
    );
  const present = enginesFor('asr').filter((id) => engines.present.has(id));
  const rows: (string | number)[][] = [
    ['material', 'heard', 'engine', 'recordings', 'words said', 'WER, %', 'CPU s a minute'],
  ];
  const pids = {
    get pids() {
      return [...media.libav.pids, ...engines.pids];
    },
  };
  for (const [material, own] of Map.groupBy(found, (one) => one.material))
    for (const [manner, { filters, added }] of Object.entries(manners))
      for (const engine of present) {
        let [errors, words, cpu, seconds] = [0, 0, 0, 0];
        for (const { file, said } of own) {
          const made = join(directory, 'heard.wav');
          const samples = await decoded(file, filters);
          await writeFile(made, waveBytes({ samples: added?.(samples) ?? samples, sampleRate: RATE }));
          const one = await measured(pids, () => heard(made, engine));
          errors += wordErrors(said, one.value);
          words += said.length;
          cpu += one.cpu;
          seconds += samples.length / RATE;
        }
        const rate = ((100 * errors) / words).toFixed(1);
        rows.push([material, manner, engine, `${own.length}`, `${words}`, rate, (60 * cpu) / seconds]);
      }
  console.log(
    `Recordings of people${folder === DEBIAN ? ', of Debian’s package pocketsphinx-testdata' : ''}; the telephone and the music are made of them.\n`,
  );
  printTable(rows);
} finally {
  engines.close();
  await media.libav.close();
  await rm(directory, { recursive: true, force: true });
}

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { voiceOf } from '../../../schema/media/voices.ts';
import { type Programs, run, type Tool } from '../../ffmpeg/run.ts';
import { parseWave, type Sound } from './wave.ts';

/** A text to be spoken. It is written to a file, because text of a caller must never be a program argument. */
export interface Utterance {
  text: string;
  /** From schema/media/voices.ts, or a provider's voice. */
  voice: string;
  /** 1 is normal. */
  speed: number;
}

export interface Speaking {
  programs: Programs;
  /** The directory of the job. */
  directory: string;
  signal?: AbortSignal | undefined;
}

/** Words per minute that eSpeak NG calls normal, and its maximum. */
const WORDS = 175;
const MOST_WORDS = 450;
/** The highest speed that eSpeak NG speaks at. */
export const MOST_ESPEAK_SPEED = MOST_WORDS / WORDS;
const TIMEOUT_SECONDS = 300;

/** Throws if the voice is unknown, and as `run` does. */
export function byFlite({ text, voice, speed }: Utterance, speaking: Speaking): Promise<Sound> {
  if (voiceOf(voice)?.engine !== 'flite') throw new Error(`flite has no voice ${voice}`);
  const pace = ['--setf', `duration_stretch=${(1 / speed).toFixed(4)}`];
  return spoken(
    'flite',
    (words, file) => ['-voice', voice, ...pace, '-f', words, '-o', file],
    text,
    speaking,
  );
}

/** Throws if the voice is unknown, and as `run` does. */
export function byEspeak({ text, voice, speed }: Utterance, speaking: Speaking): Promise<Sound> {
  const known = voiceOf(voice);
  if (known?.engine !== 'espeak_ng') throw new Error(`espeak-ng has no voice ${voice}`);
  const pace = ['-s', String(Math.min(MOST_WORDS, Math.round(WORDS * speed)))];
  const how = ['-v', known.language.toLowerCase(), ...pace, '-b', '1'];
  // Double brackets enclose its names of phonemes.
  const words = text.replaceAll(/\[\[|\]\]/g, ' ');
  return spoken('espeak-ng', (from, to) => [...how, '-f', from, '-w', to], words, speaking);
}

async function spoken(
  program: Tool,
  args: (words: string, file: string) => string[],
  text: string,
  { programs, directory, signal }: Speaking,
): Promise<Sound> {
  const [words, file] = [join(directory, 'words.txt'), join(directory, 'words.wav')];
  await writeFile(words, `${text}\n`);
  await run(programs, program, args(words, file), {
    cwd: directory,
    signal,
    timeoutSeconds: TIMEOUT_SECONDS,
  });
  return parseWave(await readFile(file));
}

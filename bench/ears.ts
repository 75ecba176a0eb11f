import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { OperationData } from '../schema/operations/index.ts';
import { operateOnFiles } from '../scripts/lib/operate-on-files.ts';
import { RATE, rooms, writeRoom } from '../test/fixtures/rooms.ts';
import { silenceFound } from '../test/fixtures/silence-found.ts';
import { Engines } from '../transcoder/engines/engines.ts';
import { parseWave, waveBytes } from '../transcoder/engines/speech/wave.ts';
import { programs } from './footage.ts';
import { measured, printTable, randomFrom } from './measure.ts';
import { startMedia } from './operate.ts';

/**
 * What /silence_process removes of pauses and of speech, by detector, with its defaults. The generated rooms have Flite's synthetic
 * voice. For real recordings, name a directory in SPEECH_LABELS: `<name>.wav` with `<name>.rttm`, or one `.rttm` of several; only the
 * part of a file up to LABELLED_SECONDS (default: all) counts. All of it again with pink noise. Requirement for the rooms without
 * noise with `auto`: 76 % of pauses, 0.5 % of speech.
 */
const detectors = ['energy', 'auto', 'speech'] as const;
const { SPEECH_LABELS: labeled, LABELLED_SECONDS: most = 'Infinity' } = process.env;

/** By how many dB the noise is below the speech. */
const NOISE = 15;

interface Recording {
  file: string;
  speech: { start: number; end: number }[];
  seconds: number;
}

const directory = await mkdtemp(join(tmpdir(), 'spool-bench-ears-'));
const media = await startMedia();
const engines = await Engines.probe({ programs, modelsDir: '/nonexistent', log: media.log });

async function generated(): Promise<Recording[]> {
  const made: Recording[] = [];
  for (const room of rooms) {
    const file = join(directory, `${room.name}.wav`);
    const { speech, samples } = await writeRoom(room, file);
    made.push({ file, speech, seconds: samples.length / RATE });
  }
  return made;
}

async function recorded(folder: string): Promise<Recording[]> {
  const names = (await readdir(folder)).sort();
  const turns = new Map<string, Recording['speech']>();
  for (const name of names.filter((one) => one.endsWith('.rttm'))) {
    for (const line of (await readFile(join(folder, name), 'utf8')).split('\n')) {
      const [kind, of = '', , start, seconds] = line.split(/\s+/);
      if (kind !== 'SPEAKER') continue;
      const turn = { start: Number(start), end: Number(start) + Number(seconds) };
      turns.set(of, [...(turns.get(of) ?? []), turn]);
    }
  }
  return names.flatMap((name) => {
    const speech = turns.get(name.replace(/\.wav$/, ''));
    return speech ? [{ file: join(folder, name), speech, seconds: Number(most) }] : [];
  });
}

/** The recording with pink noise, as Paul Kellet's three filters make it of white noise. */
async function inNoise(recording: Recording): Promise<Recording> {
  const { samples, sampleRate } = parseWave(await readFile(recording.file));
  const random = randomFrom(15);
  const filters = [
    { keeps: 0.99765, takes: 0.099046, holds: 0 },
    { keeps: 0.963, takes: 0.2965164, holds: 0 },
    { keeps: 0.57, takes: 1.0526913, holds: 0 },
  ];
  const noise = samples.map(() => {
    const white = 2 * random() - 1;
    for (const filter of filters) filter.holds = filter.keeps * filter.holds + filter.takes * white;
    return filters.reduce((sum, { holds }) => sum + holds, 0.1848 * white);
  });
  const power = (sound: Float32Array) => sound.reduce((sum, value) => sum + value ** 2, 0);
  const said = recording.speech.map(({ start, end }) =>
    samples.subarray(Math.floor(start * sampleRate), Math.ceil(end * sampleRate)),
  );
  const speech = said.reduce((sum, sound) => sum + power(sound), 0);
  const length = said.reduce((sum, sound) => sum + sound.length, 0);
  const gain = Math.sqrt(speech / length / (power(noise) / noise.length)) * 10 ** (-NOISE / 20);
  const mixed = samples.map((value, at) => Math.max(-1, Math.min(1, value + gain * (noise[at] ?? 0))));
  const file = join(directory, `noise ${basename(recording.file)}`);
  await writeFile(file, waveBytes({ samples: mixed, sampleRate }));
  return { ...recording, file };
}

async function detected({ file, speech, seconds }: Recording, detector: (typeof detectors)[number]) {
  const request = { audio_url: 'https://media.example.com/room.wav', mode: 'detect', detector };
  try {
    const all = { ...media, engines };
    const { rendered } = await operateOnFiles(all, 'silence_process', [file], request, directory);
    const { segments } = rendered.data as OperationData<'silence_process'>;
    return silenceFound(segments, speech, Math.min(seconds, segments.at(-1)?.end ?? 0));
  } catch (error) {
    if ((error as { code?: string }).code === 'all_silent') return null;
    throw error;
  }
}

try {
  const rows: (string | number)[][] = [
    [
      'material',
      'detector',
      'speech, s',
      'of it cut, %',
      'pauses, s',
      'of them removed, %',
      'all without speech, s',
      'of it removed, %',
      'CPU s a minute',
    ],
  ];
  const materials: [name: string, recordings: Recording[]][] = [
    ['generated rooms, Flite', await generated()],
  ];
  if (labeled) materials.push(['real recordings, human labels', await recorded(labeled)]);
  for (const [name, recordings] of [...materials]) {
    materials.push([`${name}, noise at −${NOISE} dB`, await Promise.all(recordings.map(inNoise))]);
  }
  for (const [name, recordings] of materials) {
    for (const detector of detectors) {
      const sum = { speech: 0, speechCut: 0, removable: 0, removed: 0, silence: 0, silenceCut: 0 };
      let [nothing, cpu] = [0, 0];
      for (const recording of recordings) {
        const pids = {
          get pids() {
            return [...media.libav.pids, ...engines.pids];
          },
        };
        const found = await measured(pids, () => detected(recording, detector));
        cpu += found.cpu;
        if (!found.value) nothing++;
        for (const [key, value] of Object.entries(found.value ?? {})) sum[key as keyof typeof sum] += value;
      }
      const percent = (part: number, of: number) => ((100 * part) / Math.max(of, 0.01)).toFixed(1);
      const cut = (100 * sum.speechCut) / sum.speech;
      const share = (100 * sum.removed) / sum.removable;
      if (recordings === materials[0]?.[1] && detector === 'auto' && (cut > 0.5 || share < 76))
        process.exitCode = 1;
      rows.push([
        name,
        nothing > 0 ? `${detector}; no speech found in ${nothing} files` : detector,
        ...[sum.speech.toFixed(0), cut.toFixed(2), sum.removable.toFixed(0), share.toFixed(1)],
        ...[sum.silence.toFixed(0), percent(sum.silenceCut, sum.silence)],
        ((60 * cpu) / (sum.speech + sum.silence)).toFixed(2),
      ]);
    }
  }
  printTable(rows);
} finally {
  engines.close();
  media.libav.close();
  await rm(directory, { recursive: true, force: true });
}

import { join } from 'node:path';
import { type EngineId, engineOf } from '../../../schema/media/engines.ts';
import { kokoroSpeakers, voiceOf } from '../../../schema/media/voices.ts';
import { measured } from '../../engines/engine-speeds.ts';
import { espeakData } from '../../engines/espeak-data.ts';
import { readFloats, writeFloats } from '../../engines/hosts/floats.ts';
import { speakWith } from '../../engines/speech/cloud/speech-api.ts';
import { speakOnWorkersAi } from '../../engines/speech/cloud/workers-ai.ts';
import { byElevenLabs, DEFAULT_VOICE } from '../../engines/speech/elevenlabs.ts';
import { byEspeak, byFlite, MOST_ESPEAK_SPEED, type Utterance } from '../../engines/speech/programs.ts';
import { aloudIn } from '../../engines/speech/read-aloud.ts';
import { stretch } from '../../engines/speech/stretch.ts';
import { type Sound, trimSilence } from '../../engines/speech/wave.ts';
import { resampleArguments } from '../../ffmpeg/resample.ts';
import { run } from '../../ffmpeg/run.ts';
import type { Analysis, SpeechLine, Spoken, SpokenLine } from '../../model/plan.ts';
import type { SpeechEndpoint } from '../../model/speech-endpoint.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import type { MediaContext } from '../execute/media-context.ts';
import type { AnalysisConditions } from './analyzer.ts';

type SpeechAnalysis = Extract<Analysis, { kind: 'speech' }>;

/** Peak level below which a line counts as silent. When flite has no word for a text it outputs breath at 0.005; speech exceeds 0.3. */
const BREATH = 0.01;

/** The speeds that engines speak at. What a line asks for beyond them, its sound is stretched by. */
const paces: Partial<Record<EngineId, readonly [slowest: number, fastest: number]>> = {
  elevenlabs: [0.7, 1.2],
  espeak_ng: [0, MOST_ESPEAK_SPEED],
  workers_ai_tts: [1, 1],
};
/** A smaller difference of speeds is not heard. */
const UNHEARD = 0.001;

/**
 * Speaks the lines with the first engine that works; if its model does not load, the next engine speaks all of them. Lines in
 * `before` are kept unless `lines` contains them again.
 */
export async function speak(
  ctx: MediaContext,
  { engines, language, lines }: SpeechAnalysis,
  before: Spoken | undefined,
  conditions: AnalysisConditions,
): Promise<Spoken> {
  const [engine, ...others] = engines;
  if (!engine) throw new Error('no speech engine is left');
  try {
    const files: Spoken['files'] = { ...before?.files };
    for (const line of lines) {
      conditions.signal?.throwIfAborted();
      const earlier = before?.files[line.id];
      if (earlier && paceOf(engine, earlier.speed) === paceOf(engine, line.speed)) {
        // The service would say the same again.
        files[line.id] = await atSpeed(ctx, earlier, line.speed, conditions);
        continue;
      }
      const utterance = utteranceOf(line, engine, endpointOf(ctx, conditions));
      const work = () => say(ctx, engine, utterance, { ...conditions, language });
      const callers = engine === 'speech_api_tts' && conditions.speechApi !== undefined;
      const sound = await measured(callers ? null : ctx.engines, engine, secondsOf, work);
      const { samples, sampleRate } = trimSilence(sound);
      const [first] = Object.values(files);
      if (!samples.some((value) => Math.abs(value) > BREATH)) {
        const text = [...line.text].slice(0, 80).join('');
        const detail = `${engineOf(engine).title} cannot speak “${text}”. Choose a voice of its language, or respell it with \`pronunciations\`.`;
        throw new TaskFailure('engine_unavailable', detail);
      }
      const file = `${line.id}.raw`;
      await writeFloats(join(conditions.directory, file), samples);
      const own = { file, sampleRate, samples: samples.length, hurry: 1, speed: utterance.speed };
      const said = first ? await atRate(ctx, own, first.sampleRate, conditions) : own;
      const spoken = await atSpeed(ctx, said, line.speed, conditions);
      const hurry = earlier ? earlier.samples / spoken.samples : 1;
      files[line.id] = { ...spoken, hurry };
    }
    const [sampleRate] = Object.values(files).map((line) => line.sampleRate);
    if (sampleRate === undefined) throw new Error('no line was spoken');
    const model = engine === 'speech_api_tts' ? endpointOf(ctx, conditions)?.models.speech : null;
    return { engine, model: model ?? null, sampleRate, files };
  } catch (error) {
    const next = error instanceof TaskFailure && error.code === 'engine_unavailable' && others.length > 0;
    if (!next) throw error;
    ctx.log.warn('speech falls back to the next engine', { engine, error });
    return speak(ctx, { kind: 'speech', engines: others, language, lines }, before, conditions);
  }
}

/** The speed at which an engine speaks a line that asks for this one. */
function paceOf(engine: EngineId, speed: number): number {
  const [slowest, fastest] = paces[engine] ?? [0, Number.POSITIVE_INFINITY];
  return Math.min(fastest, Math.max(slowest, speed));
}

/** A spoken line in the samples of the others: voices of one service may have different ones. */
async function atRate(
  { programs }: MediaContext,
  line: SpokenLine,
  sampleRate: number,
  { directory, signal }: AnalysisConditions,
): Promise<SpokenLine> {
  if (line.sampleRate === sampleRate) return line;
  const samples = Math.max(1, Math.round((line.samples * sampleRate) / line.sampleRate));
  const file = `${sampleRate}-${line.file}`;
  const [from, to] = [line, { file, sampleRate }];
  await run(programs, 'ffmpeg', resampleArguments(from, to, 1, samples), {
    cwd: directory,
    signal,
    timeoutSeconds: 60,
  });
  return { ...line, file, sampleRate, samples };
}

/** A spoken line at another speed, by stretching its sound. */
async function atSpeed(
  ctx: MediaContext,
  line: SpokenLine,
  speed: number,
  { directory, signal }: AnalysisConditions,
): Promise<SpokenLine> {
  const factor = speed / line.speed;
  if (Math.abs(factor - 1) < UNHEARD) return line;
  const { file, sampleRate } = line;
  const samples = Math.max(1, Math.round(line.samples / factor));
  const step = { kind: 'stretch', from: file, file, sampleRate, channels: 1, samples } as const;
  await stretch(ctx, step, { directory, signal });
  return { ...line, samples, speed, hurry: line.samples / samples };
}

const secondsOf = ({ samples, sampleRate }: Sound) => samples.length / sampleRate;

/** The caller's speech API, or else the operator's. */
const endpointOf = ({ engines }: MediaContext, { speechApi }: AnalysisConditions) =>
  speechApi ?? engines?.speechApi ?? null;

function utteranceOf(
  { text, voiceId, voices, speed }: SpeechLine,
  engine: EngineId,
  endpoint: SpeechEndpoint | null,
): Utterance {
  const defaults: Partial<Record<EngineId, string | undefined>> = {
    elevenlabs: DEFAULT_VOICE,
    speech_api_tts: endpoint?.voice,
  };
  const voice = voiceId ?? voices[engine] ?? defaults[engine] ?? null;
  if (voice !== null) return { text, voice, speed: paceOf(engine, speed) };
  throw new TaskFailure(
    'engine_unavailable',
    `${engineOf(engine).title} has no voice for this language. Choose another \`provider\` or \`language\`.`,
  );
}

async function say(
  ctx: MediaContext,
  engine: EngineId,
  utterance: Utterance,
  conditions: AnalysisConditions & { language: string },
): Promise<Sound> {
  const { directory, providerKey, workersAi, signal } = conditions;
  const speaking = { programs: ctx.programs, directory, signal };
  if (engine === 'elevenlabs') {
    if (!providerKey || !ctx.engines) throw new Error('a provider needs a key');
    return byElevenLabs(utterance, { key: providerKey, ...ctx.engines.provider }, signal);
  }
  if (engine === 'speech_api_tts') {
    const endpoint = endpointOf(ctx, conditions);
    if (!endpoint) throw new Error('no speech API was given');
    return speakWith(endpoint, utterance, signal);
  }
  if (engine === 'workers_ai_tts') {
    if (!workersAi) throw new Error('the Worker offers no Workers AI');
    return speakOnWorkersAi(workersAi, utterance, signal);
  }
  const { language: spoken = '' } = voiceOf(utterance.voice) ?? {};
  // Numbers and dates are written as in the country of the request.
  const ofCountry = conditions.language.includes('-') && base(conditions.language) === base(spoken);
  const aloud = await aloudIn(ofCountry ? conditions.language : spoken);
  const read = { ...utterance, text: aloud(utterance.text) };
  if (engine === 'flite') return byFlite(read, speaking);
  if (engine === 'espeak_ng') return byEspeak(read, speaking);
  return byKokoro(ctx, engine, read, { directory, signal });
}

const base = (tag: string) => tag.split('-')[0];

/** Voices of eSpeak NG that read English for Kokoro: its `en` is British, and the model's own reader is American. */
const kokoroReaders: Record<string, string> = { 'en-US': '', 'en-GB': 'en' };

async function byKokoro(
  { engines, programs }: MediaContext,
  engine: EngineId,
  { text, voice, speed }: Utterance,
  { directory, signal }: AnalysisConditions,
): Promise<Sound> {
  const speaker = (kokoroSpeakers as readonly string[]).indexOf(voice);
  if (!engines || speaker < 0) {
    throw new TaskFailure(
      'engine_unavailable',
      `${engineOf(engine).title} has no voice \`${voice}\`. \`GET /capabilities\` lists the voices.`,
    );
  }
  const { model = '', voices = '', tokens = '', lexicon = '' } = engines.modelOf(engine);
  const file = join(directory, 'words.f32');
  const { language = '' } = voiceOf(voice) ?? {};
  const lang = kokoroReaders[language] ?? language.toLowerCase();
  const files = { model, voices, tokens, lexicon, lang, dataDir: await espeakData(programs) };
  const { sampleRate } = await engines.synthesize(
    engine,
    { model: files, text, speaker, speed, file },
    { signal },
  );
  return { samples: await readFloats(file), sampleRate };
}

import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type EngineId, engineOf } from '../../../schema/media/engines.ts';
import { languageTagOf } from '../../../schema/media/voices.ts';
import { measured } from '../../engines/engine-speeds.ts';
import { transcribeWith } from '../../engines/speech/cloud/speech-api.ts';
import { transcribePieces } from '../../engines/speech/cloud/transcribe-pieces.ts';
import type { Transcript } from '../../engines/speech/cloud/transcript.ts';
import { transcribeOnWorkersAi } from '../../engines/speech/cloud/workers-ai.ts';
import { withTerms, withTermsByLetters } from '../../engines/speech/known-terms.ts';
import {
  piecesOf,
  piecesOfSpeech,
  type SoundPiece,
  WINDOWS_PER_SECOND,
  withContext,
} from '../../engines/speech/pieces.ts';
import { alignWords, POCKETSPHINX_RATE, recognizeWords } from '../../engines/speech/pocketsphinx.ts';
import { wordsOfTokens } from '../../engines/speech/recognized.ts';
import { alignScript, type HeardWord, shared } from '../../engines/speech/script-align.ts';
import { checkSpoken, type ScriptWord, scriptWords, spokenOf } from '../../engines/speech/script-words.ts';
import type { Heard, SpokenWord, WordsAnalysis } from '../../model/plan.ts';
import type { MediaProbe } from '../../model/source/media-probe.ts';
import type { MediaSource } from '../../model/source/media-source.ts';
import type { BroughtProviders, SpeechEndpoint } from '../../model/speech-endpoint.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import { hasVoice, voicedSpans } from '../../model/voice.ts';
import type { MediaContext } from '../execute/media-context.ts';
import type { Analyzer } from './analyzer.ts';
import { decodeSpeech } from './decode-speech.ts';
import { voiceIn } from './voice.ts';

interface Conditions extends BroughtProviders {
  source: MediaSource;
  probe: MediaProbe;
  /** The job's directory. */
  directory: string;
  signal?: AbortSignal | undefined;
}

const FLOATS = 'heard.raw';
const SAMPLES = 'heard16.raw';
/** If less than this share of a script is recognized, the script does not match the speech. */
const LEAST_HEARD = 0.3;

/**
 * Transcribes the speech word by word with the first engine that works; if its model does not load, the next one is used.
 * Throws `no_speech_found`, `captions_invalid`, `engine_unavailable`, `engine_failed`.
 */
async function hear(ctx: MediaContext, analysis: WordsAnalysis, conditions: Conditions): Promise<Heard> {
  const { directory } = conditions;
  if (analysis.script !== null) checkSpoken(scriptWords(analysis.script));
  await decodeSpeech(ctx, analysis.stream, conditions, FLOATS);
  try {
    const pieces = await speechPieces(ctx, analysis, conditions, await prepare(directory));
    return await listened(ctx, analysis, conditions, pieces);
  } finally {
    for (const file of [FLOATS, SAMPLES]) await rm(join(directory, file), { force: true });
  }
}

const WINDOW = POCKETSPHINX_RATE / WINDOWS_PER_SECOND;

/** Converts the sound to 16 bits. @returns its RMS every 10 ms. */
async function prepare(directory: string): Promise<Float32Array> {
  const from = await open(join(directory, FLOATS));
  const to = await open(join(directory, SAMPLES), 'w');
  const rms: number[] = [];
  try {
    const floats = new Float32Array(WINDOW * 1000);
    const bytes = new Uint8Array(floats.buffer);
    for (;;) {
      const { bytesRead } = await from.read(bytes, 0, bytes.length);
      const count = Math.floor(bytesRead / 4);
      if (count === 0) break;
      const samples = new Int16Array(count);
      for (let index = 0; index < count; index++) {
        samples[index] = Math.round(Math.max(-1, Math.min(1, floats[index] ?? 0)) * 32_767);
      }
      for (let at = 0; at < count; at += WINDOW) {
        const window = floats.subarray(at, Math.min(count, at + WINDOW));
        rms.push(Math.sqrt(window.reduce((sum, value) => sum + value * value, 0) / window.length));
      }
      await to.write(new Uint8Array(samples.buffer));
    }
  } finally {
    await from.close();
    await to.close();
  }
  return Float32Array.from(rms);
}

/**
 * What an engine is to listen to: where somebody speaks. A script says that there are words, perhaps sung ones, so the level
 * alone decides then, as without a detector.
 */
async function speechPieces(
  ctx: MediaContext,
  { script }: WordsAnalysis,
  { directory, signal }: Conditions,
  rms: Float32Array,
): Promise<SoundPiece[]> {
  const pieces = piecesOf(rms);
  if (pieces.length === 0) throw noSpeech('The audio is silent.');
  const voice = script === null ? await voiceIn(ctx, SAMPLES, directory, signal) : null;
  if (!voice) return pieces;
  const spans = hasVoice(voice) ? voicedSpans(voice, rms, rms.length) : [];
  if (spans.length === 0) throw noSpeech('The audio has sound, but no speech.');
  return piecesOfSpeech(spans, rms);
}

async function listened(
  ctx: MediaContext,
  analysis: WordsAnalysis,
  conditions: Conditions,
  pieces: readonly SoundPiece[],
): Promise<Heard> {
  const [engine, ...others] = analysis.engines;
  if (!engine) throw new Error('no transcription engine is left');
  try {
    const work = () => byEngine(ctx, engine, analysis, conditions, pieces);
    const callers = engine === 'speech_api' && conditions.speechApi !== undefined;
    const seconds = () => pieces.reduce((sum, { from, to }) => sum + to - from, 0) / WINDOWS_PER_SECOND;
    const { words: heard, ...about } = await measured(callers ? null : ctx.engines, engine, seconds, work);
    if (heard.length === 0) throw noSpeech(`${engineOf(engine).title} recognized no words.`);
    const { script } = analysis;
    if (script === null) {
      const words = await termed(ctx, engine, heard, analysis, conditions);
      return { engine, ...about, words: words.map(asSpoken), missed: 0 };
    }
    return {
      engine,
      ...about,
      ...(await aligned(ctx, engine, scriptWords(script), heard, conditions, pieces)),
    };
  } catch (error) {
    const next = error instanceof TaskFailure && error.code === 'engine_unavailable' && others.length > 0;
    if (!next) throw error;
    ctx.log.warn('transcription falls back to the next engine', { engine, error });
    return listened(ctx, { ...analysis, engines: others }, conditions, pieces);
  }
}

const noSpeech = (detail: string) => new TaskFailure('no_speech_found', detail, { sourceIndex: 0 });

const asSpoken = ({ text, start, end, glued = false, confidence }: HeardWord): SpokenWord => ({
  ...{ text, start, end, glued },
  confidence: confidence === null ? null : Number(confidence.toFixed(3)),
});

interface Listened extends Pick<Heard, 'model' | 'language' | 'guessed'> {
  words: HeardWord[];
}

async function byEngine(
  ctx: MediaContext,
  engine: EngineId,
  analysis: WordsAnalysis,
  conditions: Conditions,
  pieces: readonly SoundPiece[],
): Promise<Listened> {
  const { programs, engines } = ctx;
  const { directory, workersAi, signal } = conditions;
  if (engine === 'pocketsphinx') {
    return { words: await recognizeWords(pieces, { programs, directory, signal, sound: SAMPLES }) };
  }
  const sending = { sound: join(directory, SAMPLES), sampleRate: POCKETSPHINX_RATE, signal };
  if (engine === 'speech_api') {
    const endpoint: SpeechEndpoint | null = conditions.speechApi ?? engines?.speechApi ?? null;
    if (!endpoint) throw new Error('no speech API was given');
    const transcript = await transcribePieces(pieces, transcribeWith(endpoint, analysis), sending);
    return { ...(await timed(ctx, transcript, analysis, conditions)), model: endpoint.models.transcription };
  }
  if (engine === 'workers_ai') {
    if (!workersAi) throw new Error('the Worker offers no Workers AI');
    const transcript = await transcribePieces(pieces, transcribeOnWorkersAi(workersAi, analysis), sending);
    return timed(ctx, transcript, analysis, conditions);
  }
  if (!engines) throw new Error('transcription needs engines');
  const { encoder = '', decoder = '', joiner = '', tokens = '' } = engines.modelOf(engine);
  const sound = { file: join(directory, FLOATS), sampleRate: POCKETSPHINX_RATE };
  const model = { encoder, decoder, joiner, tokens };
  const parts = withContext(pieces).map(({ from, to }) => ({
    at: from * WINDOW,
    samples: (to - from) * WINDOW,
  }));
  const request = { model, sound, pieces: parts };
  return { words: wordsOfTokens(await engines.recognize(engine, request, { signal })) };
}

/** Sound kept around a sentence whose times a provider reported, in windows. */
const AROUND = 0.2 * WINDOWS_PER_SECOND;

/** The words of a transcript. English words without times are aligned with the sound by PocketSphinx, if it is available. */
async function timed(
  { programs, engines }: MediaContext,
  { words: found, guesses, language: said }: Transcript,
  { language: asked }: WordsAnalysis,
  { directory, signal }: Conditions,
): Promise<Listened> {
  const language = asked ?? (said === null ? null : languageTagOf(said));
  const words = found.map((word): HeardWord => ({ ...word, piece: 0 }));
  const able = engines?.present.has('pocketsphinx') && engines.present.has('flite');
  let left = guesses;
  if (able && guesses.length > 0 && /^en(-|$)/.test(language ?? '')) {
    const at = (seconds: number) => Math.round(seconds * WINDOWS_PER_SECOND);
    const sentences = guesses.map(({ from, to }) => words.slice(from, to).map(({ text }) => spokenOf(text)));
    const aligned = await alignWords(
      guesses.map(({ start, end }) => ({ from: Math.max(0, at(start) - AROUND), to: at(end) + AROUND })),
      sentences.map((sentence) => sentence.flat()),
      { programs, directory, signal, sound: SAMPLES },
    );
    left = guesses.filter((guess, index) => {
      const times = aligned[index] ?? [];
      const sentence = sentences[index] ?? [];
      if (times.length !== sentence.flat().length) return true;
      let next = 0;
      for (const [offset, { length }] of sentence.entries()) {
        const [first, last] = [times[next], times[next + length - 1]];
        const word = words[guess.from + offset];
        if (word && first && last && length > 0) [word.start, word.end] = [first.start, last.end];
        next += length;
      }
      return false;
    });
  }
  return { words, language, guessed: left.reduce((sum, { from, to }) => sum + to - from, 0) };
}

/** Applies the vocabulary: by pronunciation for English if the engine supports it, otherwise by spelling. */
async function termed(
  { programs, engines }: MediaContext,
  engine: EngineId,
  heard: HeardWord[],
  { vocabulary, language }: WordsAnalysis,
  { directory, signal }: Conditions,
): Promise<HeardWord[]> {
  if (vocabulary.length === 0) return heard;
  const english = engine === 'pocketsphinx' || /^en(-|$)/.test(language ?? '');
  const able = engines?.present.has('pocketsphinx') && engines.present.has('flite');
  return english && able
    ? withTerms(heard, vocabulary, { programs, directory, signal, sound: SAMPLES })
    : withTermsByLetters(heard, vocabulary, signal);
}

interface Aligned {
  words: SpokenWord[];
  /** Share of the script's words that were not recognized as written. */
  missed: number;
}

/** Gives each word of the script the time at which it is spoken. */
async function aligned(
  { programs }: MediaContext,
  engine: EngineId,
  script: readonly ScriptWord[],
  heard: readonly HeardWord[],
  { directory, signal }: Conditions,
  pieces: readonly SoundPiece[],
): Promise<Aligned> {
  const spoken = script.flatMap(({ spoken }) => spoken);
  const owners = script.flatMap(({ spoken }, word) => spoken.map(() => word));
  const recognized = heard.map(({ text }) => text.toLowerCase().replace(/[^\p{L}\p{M}\p{N}']/gu, ''));
  const matches = await alignScript(spoken, recognized, signal);
  const missed = matches.filter((match) => !match?.same).length / Math.max(1, spoken.length);
  if (spoken.length === 0 || 1 - missed < LEAST_HEARD) {
    throw noSpeech('The speech does not match the script of the request.');
  }
  const times: ({ start: number; end: number } | null)[] = matches.map((match) => {
    const word = match && heard[match.heard];
    return word ? { start: word.start, end: word.end } : null;
  });
  if (engine === 'pocketsphinx') {
    const ends = (index: number) =>
      owners[index] !== owners[index + 1] && /[.!?]["'”’)]*$/u.test(script[owners[index] ?? 0]?.text ?? '');
    const shares = shared(matches, heard, ends);
    const texts = shares.map(({ from, to }) => spoken.slice(from, to));
    const found = await alignWords(
      shares.flatMap(({ piece }) => pieces[piece] ?? []),
      texts,
      { programs, directory, signal, sound: SAMPLES },
    );
    for (const [index, { from, to }] of shares.entries()) {
      const words = found[index] ?? [];
      if (words.length !== to - from) continue;
      for (const [at, { start, end }] of words.entries()) times[from + at] = { start, end };
    }
  }
  return { words: placed(script, owners, times), missed };
}

/** Distributes words without a time over the gap between their neighbours. */
function placed(
  script: readonly ScriptWord[],
  owners: readonly number[],
  times: readonly ({ start: number; end: number } | null)[],
): SpokenWord[] {
  const own: ({ start: number; end: number } | null)[] = script.map(() => null);
  for (const [index, time] of times.entries()) {
    const owner = owners[index] ?? 0;
    const known = own[owner];
    if (time) own[owner] = known ? { start: known.start, end: Math.max(known.end, time.end) } : { ...time };
  }
  const words: SpokenWord[] = [];
  for (let index = 0; index < script.length; ) {
    const time = own[index];
    if (time) {
      const { text, glued } = script[index] ?? { text: '', glued: false };
      words.push({ text, glued, ...time, confidence: null });
      index += 1;
      continue;
    }
    let to = index;
    while (to < script.length && !own[to]) to += 1;
    const lost = script.slice(index, to);
    const letters = lost.reduce((sum, { text }) => sum + text.length + 1, 0);
    const next = own[to]?.start;
    const from = words.at(-1)?.end ?? Math.max(0, (next ?? 0) - letters * LETTER_SECONDS);
    const until = Math.max(from, Math.min(next ?? Number.POSITIVE_INFINITY, from + letters * LETTER_SECONDS));
    let passed = 0;
    for (const { text, glued } of lost) {
      const start = from + ((until - from) * passed) / letters;
      passed += text.length + 1;
      const end = from + ((until - from) * passed) / letters;
      words.push({ text, glued, start, end, confidence: null });
    }
    index = to;
  }
  return words;
}

/** Approximate duration of a spoken letter. */
const LETTER_SECONDS = 0.07;

export const words: Analyzer<WordsAnalysis> = async (
  ctx,
  analysis,
  { source, probe },
  { directory, speechApi, workersAi, signal },
) => ({
  words: await hear(ctx, analysis, { source, probe, directory, speechApi, workersAi, signal }),
});

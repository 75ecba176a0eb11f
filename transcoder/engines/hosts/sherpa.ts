import { availableParallelism } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import sherpa, {
  type OfflineRecognizer,
  type OfflineRecognizerResult,
  type OfflineTts,
} from 'sherpa-onnx-node';
import { readFloats, writeFloats } from './floats.ts';
import {
  type Recognized,
  type RecognizeRequest,
  type Synthesized,
  type SynthesizeRequest,
  sherpaRequest,
} from './protocol.ts';
import { latestLoaded, serve } from './serve.ts';

const SAMPLE_RATE = 16_000;
const WINDOW = 512;
/** Memory use of recognition grows with the square of the length of its input. */
const PIECE_SECONDS = 28;

const common = {
  numThreads: Math.min(4, availableParallelism()),
  provider: 'cpu',
  debug: 0,
} as const;
const recognizerOf = latestLoaded<OfflineRecognizer>(1);
const voiceOf = latestLoaded<OfflineTts>(1);

serve(sherpaRequest, (request, work) =>
  request.kind === 'recognize' ? recognize(request, work) : synthesize(request, work),
);

async function recognize(
  { model, sound }: RecognizeRequest,
  { loaded, progress }: { loaded: () => void; progress: (fraction: number) => void },
): Promise<Recognized> {
  const { encoder, decoder, joiner, tokens: alphabet, vad: vadModel } = model;
  const recognizer = await recognizerOf(model, () =>
    sherpa.OfflineRecognizer.createAsync({
      featConfig: { sampleRate: SAMPLE_RATE, featureDim: 80 },
      modelConfig: {
        ...common,
        transducer: { encoder, decoder, joiner },
        tokens: alphabet,
        modelType: 'nemo_transducer',
      },
      decodingMethod: 'greedy_search',
    }),
  );
  const vad = new sherpa.Vad(
    {
      sileroVad: {
        model: vadModel,
        threshold: 0.5,
        minSilenceDuration: 0.25,
        minSpeechDuration: 0.1,
        maxSpeechDuration: PIECE_SECONDS,
        windowSize: WINDOW,
      },
      sampleRate: SAMPLE_RATE,
      numThreads: 1,
      debug: 0,
    },
    2 * PIECE_SECONDS,
  );
  loaded();
  const samples = await readFloats(sound.file);
  const tokens: Recognized['tokens'] = [];
  const takePieces = async () => {
    for (; !vad.isEmpty(); vad.pop()) {
      const piece = vad.front(false);
      const stream = recognizer.createStream();
      stream.acceptWaveform({ samples: piece.samples, sampleRate: SAMPLE_RATE });
      const result = await recognizer.decodeAsync(stream);
      const [from, seconds] = [piece.start / SAMPLE_RATE, piece.samples.length / SAMPLE_RATE];
      for (const token of timed(result, from, seconds)) tokens.push(token);
    }
  };
  for (let at = 0; at < samples.length; at += WINDOW) {
    const window = new Float32Array(WINDOW);
    window.set(samples.subarray(at, at + WINDOW));
    vad.acceptWaveform(window);
    await takePieces();
    if (at % (WINDOW * 100) === 0) {
      progress(at / samples.length);
      // The VAD blocks. Without a turn of the event loop neither progress nor beats are sent.
      await setImmediate();
    }
  }
  vad.flush();
  await takePieces();
  return { tokens };
}

/** If the model reports no durations, a token lasts until the next one. */
function timed(
  { tokens, timestamps, durations, ys_log_probs: logs = [] }: OfflineRecognizerResult,
  offset: number,
  seconds: number,
): Recognized['tokens'] {
  return tokens.map((text, index) => {
    const start = timestamps[index] ?? 0;
    const lasts = durations?.[index];
    const end = lasts === undefined ? (timestamps[index + 1] ?? seconds) : start + lasts;
    const log = logs[index];
    const probability = log === undefined ? null : Math.min(1, Math.exp(log));
    return { text, start: offset + start, end: offset + Math.max(start, end), probability };
  });
}

async function synthesize(
  { model, text, speaker, speed, file }: SynthesizeRequest,
  { loaded, progress }: { loaded: () => void; progress: (fraction: number) => void },
): Promise<Synthesized> {
  const voice = await voiceOf(model, () =>
    sherpa.OfflineTts.createAsync({ model: { ...common, kokoro: model }, maxNumSentences: 1 }),
  );
  loaded();
  if (speaker >= Math.max(1, voice.numSpeakers)) throw new Error(`the model has no speaker ${speaker}`);
  const { samples, sampleRate } = await voice.generateAsync({
    ...{ text, sid: speaker, speed, enableExternalBuffer: false },
    onProgress: (info) => {
      progress(Math.min(1, Math.max(0, info.progress)));
      return true;
    },
  });
  await writeFloats(file, samples);
  return { sampleRate, samples: samples.length };
}

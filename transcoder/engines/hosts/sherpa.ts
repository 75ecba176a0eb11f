import { open } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import sherpa, {
  type OfflineRecognizer,
  type OfflineRecognizerResult,
  type OfflineTts,
} from 'sherpa-onnx-node';
import { writeFloats } from './floats.ts';
import {
  type Recognized,
  type RecognizeRequest,
  type Synthesized,
  type SynthesizeRequest,
  sherpaRequest,
} from './protocol.ts';
import { latestLoaded, serve } from './serve.ts';
import { diarize } from './speaker-turns.ts';

const SAMPLE_RATE = 16_000;

const common = {
  numThreads: Math.min(4, availableParallelism()),
  provider: 'cpu',
  debug: 0,
} as const;
const recognizerOf = latestLoaded<OfflineRecognizer>(1);
const voiceOf = latestLoaded<OfflineTts>(1);

serve(sherpaRequest, (request, work): Promise<unknown> => {
  switch (request.kind) {
    case 'recognize':
      return recognize(request, work);
    case 'synthesize':
      return synthesize(request, work);
    case 'diarize':
      return diarize(request, work);
  }
});

async function recognize(
  { model, sound, pieces }: RecognizeRequest,
  { loaded, progress }: { loaded: () => void; progress: (fraction: number) => void },
): Promise<Recognized> {
  const { encoder, decoder, joiner, tokens: alphabet } = model;
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
  loaded();
  const file = await open(sound.file);
  try {
    const tokens: Recognized['tokens'] = [];
    for (const [index, { at, samples }] of pieces.entries()) {
      const part = new Float32Array(samples);
      await file.read(new Uint8Array(part.buffer), 0, part.byteLength, at * part.BYTES_PER_ELEMENT);
      const stream = recognizer.createStream();
      stream.acceptWaveform({ samples: part, sampleRate: SAMPLE_RATE });
      const result = await recognizer.decodeAsync(stream);
      for (const token of timed(result, at / SAMPLE_RATE, samples / SAMPLE_RATE)) tokens.push(token);
      progress((index + 1) / pieces.length);
      // Otherwise neither progress nor beats are sent between two pieces.
      await setImmediate();
    }
    return { tokens };
  } finally {
    await file.close();
  }
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

import { open } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import sherpa, {
  type OfflineSpeakerDiarization,
  type SpeakerDiarizationSegment,
  type SpeakerEmbeddingExtractor,
} from 'sherpa-onnx-node';
import addon from 'sherpa-onnx-node/addon.js';
import type { Diarized, DiarizeRequest } from './protocol.ts';
import { latestLoaded, type Work } from './serve.ts';
import { type Alone, aloneIn, peopleOf } from './speaker-links.ts';

const SAMPLE_RATE = 16_000;
/** Samples that the segmentation hears at once, and the distance of such windows. */
const WINDOW = 10 * SAMPLE_RATE;
const SHIFT_RATIO = 0.3;
const SHIFT = SHIFT_RATIO * WINDOW;
/**
 * Most cosine distance of two windows of one voice. Low, because a voice of two people cannot be divided afterwards; voices of the same
 * person are joined when more of each is known.
 */
const APART = 0.5;
/** Seconds: shorter speech is a cough, and shorter pauses are part of the speech. */
const LEAST_SPEECH = 0.2;
const LEAST_PAUSE = 0.5;
/** Voices of a piece that are compared with voices of other pieces: the ones that speak most. */
const MOST_VOICES = 12;
/** Seconds of a voice that describe it. */
const MOST_HEARD = 20;

const network = { numThreads: Math.min(4, availableParallelism()), provider: 'cpu', debug: 0 } as const;
const diarizerOf = latestLoaded<OfflineSpeakerDiarization>(1);
const extractorOf = latestLoaded<SpeakerEmbeddingExtractor>(1);

interface PieceVoice extends Alone {
  embedding: Float32Array;
  /** The segments of the whole sound in which it speaks. */
  segments: SpeakerDiarizationSegment[];
}

/**
 * Finds who speaks when. Each piece is segmented and its windows clustered by sherpa-onnx; then the voices of all pieces are
 * compared. Memory grows with the length of a piece, not of the sound.
 */
export async function diarize(
  { model, sound, pieces, count }: DiarizeRequest,
  { loaded, progress }: Work,
): Promise<Diarized> {
  const { segmentation, embedding } = model;
  const diarizer = await diarizerOf(model, async () => {
    const made = new sherpa.OfflineSpeakerDiarization({
      segmentation: { ...network, pyannote: { model: segmentation, windowShiftRatio: SHIFT_RATIO } },
      embedding: { ...network, model: embedding },
      clustering: { numClusters: -1, threshold: APART },
      ...{ minDurationOn: LEAST_SPEECH, minDurationOff: LEAST_PAUSE },
    });
    if (made.sampleRate !== SAMPLE_RATE) throw new Error(`the model hears ${made.sampleRate} Hz`);
    return made;
  });
  const extractor = await extractorOf(
    embedding,
    async () => new sherpa.SpeakerEmbeddingExtractor({ ...network, model: embedding }),
  );
  loaded();
  const file = await open(sound.file);
  try {
    const voices: PieceVoice[] = [];
    for (const [index, { at, samples }] of pieces.entries()) {
      const part = new Float32Array(padded(samples));
      await file.read(new Uint8Array(part.buffer), 0, samples * part.BYTES_PER_ELEMENT, at * 4);
      const segments = await addon.offlineSpeakerDiarizationProcessAsync(
        diarizer.handle,
        part,
        (windows, of) => progress(Math.min(1, (index + windows / Math.max(windows, of)) / pieces.length)),
      );
      for (const voice of await voicesOf(extractor, segments, part)) {
        const from = at / SAMPLE_RATE;
        const placed = voice.segments.map(({ start, end, speaker }) => ({
          ...{ start: from + start, end: from + Math.min(end, samples / SAMPLE_RATE), speaker },
        }));
        voices.push({ ...voice, segments: placed.filter(({ start, end }) => end > start) });
      }
    }
    const people = peopleOf(voices, count);
    const turns = voices.flatMap(({ segments }, index) =>
      segments.map(({ start, end }) => ({ start, end, speaker: people[index] ?? 0 })),
    );
    return { turns: turns.toSorted((a, b) => a.start - b.start) };
  } finally {
    await file.close();
  }
}

/** Whole windows: sherpa-onnx ends the process if it finds speech in what it has appended to the last one itself. */
const padded = (samples: number) => WINDOW + SHIFT * Math.max(0, Math.ceil((samples - WINDOW) / SHIFT));

async function voicesOf(
  extractor: SpeakerEmbeddingExtractor,
  segments: readonly SpeakerDiarizationSegment[],
  part: Float32Array<ArrayBuffer>,
): Promise<PieceVoice[]> {
  const voices: PieceVoice[] = [];
  for (const alone of aloneIn(segments, MOST_HEARD).slice(0, MOST_VOICES)) {
    const stream = extractor.createStream();
    for (const { start, end } of alone.spans) {
      const samples = part.slice(Math.floor(start * SAMPLE_RATE), Math.ceil(end * SAMPLE_RATE));
      stream.acceptWaveform({ samples, sampleRate: SAMPLE_RATE });
    }
    stream.inputFinished();
    if (!extractor.isReady(stream)) continue;
    const embedding = extractor.compute(stream, false);
    // Otherwise no beats are sent between two voices.
    await setImmediate();
    if (!embedding.every(Number.isFinite)) continue;
    const own = segments.filter(({ speaker }) => speaker === alone.speaker);
    voices.push({ ...alone, embedding, segments: own });
  }
  return voices;
}

import type { SpeechEndpoint } from '../../../model/speech-endpoint.ts';
import type { Utterance } from '../programs.ts';
import { parseWave, type Sound } from '../wave.ts';
import { askEndpoint, RequestRefused } from './endpoint-request.ts';
import type { Transcribe } from './transcribe-pieces.ts';
import { transcriptOf } from './transcript.ts';

/**
 * What a transcription is asked for. Not every server and model has times of words (vLLM, LocalAI), or any times
 * (gpt-4o-transcribe).
 */
const shapes = [
  [
    ['response_format', 'verbose_json'],
    ['timestamp_granularities[]', 'word'],
    ['timestamp_granularities[]', 'segment'],
  ],
  [['response_format', 'verbose_json']],
  [['response_format', 'json']],
] as const;

const MOST_JSON = 8 * 1024 * 1024;
const MOST_SOUND = 64 * 1024 * 1024;
/** Whisper reads the last 224 tokens of a prompt. */
const PROMPT_CHARACTERS = 400;
const [SLOWEST, FASTEST] = [0.25, 4];

/** https://platform.openai.com/docs/api-reference/audio/createTranscription */
export function transcribeWith(
  endpoint: SpeechEndpoint,
  { language, vocabulary }: { language: string | null; vocabulary: readonly string[] },
): Transcribe {
  const model = endpoint.models.transcription;
  if (model === null) throw new Error('the speech API has no model for transcription');
  // A server that has refused a shape is not asked for it again.
  let shape = 0;
  return async (wave, seconds, signal) => {
    for (;;) {
      const asked = shape;
      const form = new FormData();
      form.set('file', new Blob([wave], { type: 'audio/wav' }), 'speech.wav');
      form.set('model', model);
      form.set('temperature', '0');
      if (language !== null) form.set('language', language.split('-')[0] ?? language);
      if (vocabulary.length > 0) form.set('prompt', promptOf(vocabulary));
      for (const [name, value] of shapes[asked] ?? []) form.append(name, value);
      const encoded = new Response(form);
      try {
        return await askEndpoint(
          endpoint,
          {
            ...{ path: '/v1/audio/transcriptions', model, mostBytes: MOST_JSON },
            headers: {
              'content-type': encoded.headers.get('content-type') ?? '',
              accept: 'application/json',
            },
            body: new Uint8Array(await encoded.arrayBuffer()),
            read: (body) => transcriptOf(JSON.parse(body.toString('utf8')), seconds),
          },
          signal,
        );
      } catch (error) {
        if (!(error instanceof RequestRefused) || asked === shapes.length - 1) throw error;
        shape = Math.max(shape, asked + 1);
      }
    }
  };
}

function promptOf(vocabulary: readonly string[]): string {
  let prompt = '';
  for (const term of vocabulary) {
    const longer = prompt === '' ? term : `${prompt}, ${term}`;
    if (longer.length > PROMPT_CHARACTERS) break;
    prompt = longer;
  }
  return prompt;
}

/** https://platform.openai.com/docs/api-reference/audio/createSpeech */
export function speakWith(
  endpoint: SpeechEndpoint,
  { text, voice, speed }: Utterance,
  signal?: AbortSignal,
): Promise<Sound> {
  const model = endpoint.models.speech;
  if (model === null) throw new Error('the speech API has no model for speech');
  const request = {
    ...{ model, input: text, voice, response_format: 'wav' },
    speed: Math.min(FASTEST, Math.max(SLOWEST, Math.round(speed * 1000) / 1000)),
  };
  return askEndpoint(
    endpoint,
    {
      ...{ path: '/v1/audio/speech', model, mostBytes: MOST_SOUND },
      headers: { 'content-type': 'application/json', accept: 'audio/wav' },
      body: new Uint8Array(Buffer.from(JSON.stringify(request))),
      read: soundOf,
    },
    signal,
  );
}

/** Throws if it is no sound that could be speech. */
export function soundOf(body: Buffer): Sound {
  const sound = parseWave(body);
  if (sound.samples.length === 0 || sound.sampleRate < 4000 || sound.sampleRate > 192_000)
    throw new Error('no sound');
  if (!sound.samples.every(Number.isFinite)) throw new Error('samples that are no numbers');
  return sound;
}

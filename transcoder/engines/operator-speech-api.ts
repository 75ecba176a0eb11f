import { speechApiBase } from '../../schema/api/provider-keys.ts';
import type { SpeechEndpoint } from '../model/speech-endpoint.ts';
import { trustedPost } from './speech/cloud/trusted-post.ts';

interface Settings {
  speechApiUrl: string;
  speechApiKey: string;
  speechApiTranscription: string;
  speechApiSpeech: string;
  speechApiVoice: string;
}

/** The speech API of the operator's settings; null if there is none. */
export function operatorSpeechApi(settings: Settings): SpeechEndpoint | null {
  if (settings.speechApiUrl === '') return null;
  const [url, voice] = [speechApiBase(settings.speechApiUrl), settings.speechApiVoice];
  return {
    ...{ whose: 'operator', url, key: settings.speechApiKey || null, voice, post: trustedPost },
    models: {
      transcription: settings.speechApiTranscription || null,
      speech: settings.speechApiSpeech || null,
    },
  };
}

import type { Post } from './post.ts';

/** An OpenAI-compatible speech API, of the caller or of the operator. */
export interface SpeechEndpoint {
  whose: 'caller' | 'operator';
  /** Without the path `/v1/…` of the API. */
  url: string;
  key: string | null;
  /** Names of models; null for what it is not used for. */
  models: { transcription: string | null; speech: string | null };
  /** Voice for lines that name none. */
  voice: string;
  /** Guards the address if it is the caller's. */
  post: Post;
}

/** The Worker's route to Workers AI for one attempt. */
export interface WorkersAi {
  url: string;
  /** Signs requests of this attempt. */
  secret: string;
}

/** What the caller, and the Worker for this attempt, bring for cloud engines. */
export interface BroughtProviders {
  speechApi?: SpeechEndpoint | undefined;
  workersAi?: WorkersAi | undefined;
}

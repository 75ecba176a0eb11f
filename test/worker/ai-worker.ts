import type { Env } from '../../worker/bindings.ts';
import worker from '../../worker/index.ts';
import { aiBinding } from '../fixtures/engines/ai-binding.ts';

export { Account, Fleet, Transcoder } from '../../worker/index.ts';

/** The service where Workers AI is bound; whatever is said, it hears the same. */
const binding = aiBinding({
  sound: { samples: new Float32Array(16_000 * 30), sampleRate: 16_000 },
  words: [
    { text: 'good', start: 0.3, end: 0.5 },
    { text: 'morning', start: 0.5, end: 0.9 },
  ],
  sentences: ['Good morning.'],
});

const bound = (env: Env): Env => ({ ...env, AI: binding });

export default {
  ...worker,
  fetch: (request, env, ctx) => worker.fetch(request, bound(env), ctx),
  queue: (batch, env) => worker.queue(batch, bound(env)),
} satisfies ExportedHandler<Env>;

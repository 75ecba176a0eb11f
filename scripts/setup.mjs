/** `npm run setup`: everything `npm start` does before it starts the service. */
import { lock } from './lib/lock.mjs';
import { home, instanceAt } from './lib/paths.mjs';
import { prepare } from './lib/prepare.mjs';
import { session } from './lib/session.mjs';

await session(async ({ children, onEnd }) => {
  const instance = instanceAt(home);
  onEnd(lock(instance));
  await prepare(children, instance);
});

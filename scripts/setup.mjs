/** `npm run setup`: everything that `npm start` makes, without starting the service. */
import { lock } from './lib/lock.mjs';
import { home, instanceAt } from './lib/paths.mjs';
import { makeClips, prepare } from './lib/prepare.mjs';
import { session } from './lib/session.mjs';
import { step } from './lib/steps.mjs';

await session(async ({ children, onEnd }) => {
  const instance = instanceAt(home);
  onEnd(lock(instance));
  const { programs } = await prepare(children, instance);
  await step(
    'previews and examples',
    () => makeClips(children, programs),
    (made) => made || null,
  );
});

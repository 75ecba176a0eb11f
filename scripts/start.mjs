/**
 * `npm start`: sets up what is missing and runs the whole service on this machine until Ctrl-C. `npm run dev` adds `--watch`.
 *
 * Plain JavaScript without dependencies: it runs on any Node from 18 on, before anything is installed.
 */
import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { lock } from './lib/lock.mjs';
import { home, instanceAt, root } from './lib/paths.mjs';
import { freePort, portFrom } from './lib/ports.mjs';
import { makeClips, prepare } from './lib/prepare.mjs';
import { readyText } from './lib/ready-text.mjs';
import { addressAt, startService } from './lib/service.mjs';
import { session } from './lib/session.mjs';
import { Advice, secondsSince } from './lib/steps.mjs';
import { watchFolders } from './lib/watch-folders.mjs';

/** The transcoder's sources; wrangler watches the Worker's. */
const TRANSCODER_SOURCES = ['transcoder', 'schema', 'guard'];

/** Longer than it takes to find that nothing is missing. */
const FIRST_WORD_MS = 3000;

const USAGE = `npm start [-- --media DIR] [--verbose] [--watch]

  --media DIR   serve the files of a folder, so that they can be sources
  --watch       restart the transcoder when its files change (npm run dev)
  --verbose     show the logs of the Worker and the transcoder here

  PORT                the port of the service (8787)
  SPOOL_DEV_ORIGINS   loopback origins that sources may come from, comma-separated
  SPOOL_DIR           directory of local state (.spool)`;

function readOptions() {
  try {
    const options = /** @type {const} */ ({
      media: { type: 'string' },
      verbose: { type: 'boolean', default: false },
      watch: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    });
    return parseArgs({ options }).values;
  } catch (error) {
    throw new Advice(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
  }
}

/**
 * Call it once the dependencies are installed: the server of files is one of them.
 * @param {string} folder
 * @param {number} port the first to try
 */
async function serveFolder(folder, port) {
  const { serveMedia } = await import('./lib/media-server.mjs');
  return serveMedia(folder, await freePort(port));
}

/**
 * Makes the clips that the documentation shows, while the service runs. It works without them.
 * @param {import('./lib/children.mjs').Children} children
 * @param {import('./lib/prepare.mjs').Prepared} prepared
 */
async function illustrated(children, { programs }) {
  const startedAt = Date.now();
  const first = setTimeout(
    () =>
      console.log('\nMaking the clips that /docs shows, in the background. Everything else works already.'),
    FIRST_WORD_MS,
  );
  try {
    const made = await makeClips(children, programs, { background: true });
    if (made !== '') console.log(`\nMade for /docs: ${made} (${secondsSince(startedAt)})`);
  } catch (error) {
    console.log(`\nNot all clips for /docs could be made: ${error instanceof Error ? error.message : error}`);
  } finally {
    clearTimeout(first);
  }
}

await session(async ({ children, onEnd }) => {
  const startedAt = Date.now();
  const { media, verbose = false, watch = false, help } = readOptions();
  if (help) return console.log(USAGE);
  const port = await portFrom(process.env.PORT);
  const instance = instanceAt(home);
  onEnd(lock(instance));
  const forgetAddress = () => rmSync(instance.devFile, { force: true });
  forgetAddress();
  onEnd(forgetAddress);

  console.log('Spool: setting up');
  const prepared = await prepare(children, instance, addressAt(port));
  const origins = [process.env.SPOOL_DEV_ORIGINS ?? ''];
  const folder = media === undefined ? null : await serveFolder(media, port + 2);
  if (folder) {
    onEnd(folder.close);
    origins.push(folder.origin);
  }
  const changes = watch ? watchFolders(root, TRANSCODER_SOURCES) : null;
  if (changes) onEnd(changes.close);
  const service = await startService(children, instance, prepared, {
    port,
    devOrigins: origins.filter((text) => text !== '').join(','),
    verbose,
    ...(changes ? { nextChange: changes.next } : {}),
  });
  console.log(
    readyText({
      service,
      instance,
      keys: prepared.keys,
      mediaOrigin: folder?.origin ?? null,
      after: secondsSince(startedAt),
      watches: changes !== null,
    }),
  );
  await Promise.race([service.ended, illustrated(children, prepared).then(() => service.ended)]);
});

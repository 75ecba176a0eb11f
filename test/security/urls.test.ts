import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorEntry } from '../../schema/api/errors.ts';
import { TaskFailure } from '../../transcoder/model/task-failure.ts';
import { guardedGet } from '../../transcoder/source/guarded-get.ts';
import type { Case } from './case.ts';
import { AGAIN } from './name-server.ts';
import { originCases } from './origins.ts';
import { type Stand, startStand } from './stand.ts';
import { hosts, nameCases, rebindingHost, urlCases } from './urls.ts';

const cases = [...originCases, ...nameCases, ...urlCases];
/** What must not be heard by a caller: addresses, paths, what a hostile origin or a program said. */
const leak =
  /127\.0\.0\.1|169\.254|\b10\.0|30\.0\.|::1|\/tmp|secret of the origin|ENOTFOUND|ECONN|ffmpeg|node:/;

let stand: Stand;
let tried = 0;

beforeAll(async () => {
  // As many as the project runs at once: slow origins keep nobody waiting.
  stand = await startStand(hosts, 24);
}, 120_000);
afterAll(() => stand.close());

const urlOf = ({ url }: Case) => (typeof url === 'function' ? url(stand) : (url ?? ''));

/** Under a name that the name server was not asked for yet, since some are answered by how often they were. */
const askedAgain = (aCase: Case) => ({ ...aCase, url: urlOf(aCase).replace('//', `//${AGAIN}`) });

async function expectSaid(aCase: Case): Promise<void> {
  let outcome = await stand.attempt(aCase);
  // On a busy machine an answer of the name server may come too late; the code says that it can be tried again.
  const late = () => outcome.ending === 'source_unreachable' && !aCase.ends.includes('source_unreachable');
  // A read has its time in seconds in which its process runs, of which a busy machine gives it few.
  if (late() || outcome.seconds >= aCase.within)
    outcome = await stand.attempt(nameCases.includes(aCase) ? askedAgain(aCase) : aCase);
  const { ending, seconds, detail } = outcome;
  tried += 1;
  expect(aCase.ends, detail).toContain(ending);
  expect(seconds).toBeLessThan(aCase.within);
  expect(detail).not.toMatch(leak);
}

const alone = cases.filter((aCase) => aCase.alone);
const together = cases.filter((aCase) => !aCase.alone);

describe.concurrent('the service, asked for', () => {
  test.each(together)('$name, says so', { timeout: 180_000 }, expectSaid);
});

describe('the service, asked for nothing else at the time than', () => {
  test.each(alone)('$name, says so', { timeout: 360_000 }, expectSaid);
});

describe('the transcoder by itself', () => {
  test.each(urlCases)('does not fetch $name', async (aCase) => {
    const { origins } = stand;
    const devOrigins = new Set(Object.values(origins).map(({ url }) => url));
    const got = guardedGet(urlOf(aCase), {
      rules: { devOrigins, ownHosts: new Set() },
      signal: AbortSignal.timeout(5000),
      resolve: () => Promise.reject(new Error('it was not refused by its text')),
    });
    const error = await got.then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(TaskFailure);
    expect(['source_forbidden', 'source_not_https']).toContain((error as TaskFailure).code);
  });
});

describe('after all of this', () => {
  test('no forbidden address was connected to', () => {
    expect(stand.canary.hits).toEqual([]);
    console.log(
      `${tried} hostile URLs and origins tried through the API, ${urlCases.length} at the transcoder alone; ` +
        `canaries on ports ${stand.canary.ports.join(', ')}: ${stand.canary.hits.length} hits`,
    );
  });

  test('a name was resolved once for each try, so that a second answer could not count', () => {
    // The first address does not answer; the second try hears the other one and gives up.
    expect(stand.names.asked(rebindingHost)).toBeLessThanOrEqual(2);
  });

  test('the service completes a good task and holds nothing of the bad ones', async () => {
    expect(await stand.goodTask()).toMatchObject({ ending: 'completed' });
    await expect.poll(() => stand.leftovers(), { timeout: 10_000 }).toEqual([]);
    expect(stand.transcoder.child.exitCode).toBeNull();
    const ready = await stand.service.request('/readyz');
    expect(await ready.json()).toMatchObject({ status: 'ready' });
  });

  test('every code that a case may end in is one of the table, and no case names the service as guilty', () => {
    for (const { ends } of cases) {
      for (const code of ends.filter((ending) => ending !== 'completed')) {
        expect(errorEntry(code).fault).not.toBe('service');
      }
    }
  });
});

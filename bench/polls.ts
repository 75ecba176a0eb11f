import { Agent, request } from 'undici';
import { startService } from '../test/harness.ts';

/**
 * Polls per second of 200 live tasks, compared with a hello-world route of the same Worker in the same run, in alternating
 * rounds, and with their limit: routes that run the statement of a poll and nothing else.
 */
const ROUNDS = 16;
const SECONDS = 0.5;
const CONCURRENCY = 16;

const service = await startService(
  { TRANSCODER_URL: 'http://127.0.0.1:9' },
  { entry: 'bench/statement-worker.ts' },
);
const agent = new Agent({ connections: CONCURRENCY, pipelining: 1 });
// Each account may poll 50 times a second, so enough accounts share the load to stay below the limit.
const tasks = await Promise.all(
  Array.from({ length: 100 }, async () => {
    const { key } = await service.createAccount('elite');
    const body = { video_url: 'https://media.example.com/a.mp4', duration: 1 };
    const tasks = [await service.submit('/cut', body, key), await service.submit('/cut', body, key)];
    return tasks.map(({ id }) => ({ path: `/task/${id}`, headers: { 'x-api-key': key } }));
  }),
);
// More visitors than one, because each may send 1000 requests in ten seconds.
const visited = (path: string) =>
  Array.from({ length: 100 }, (_, index) => ({
    path,
    headers: { 'cf-connecting-ip': `10.1.0.${index}` },
  }));

type Target = ReturnType<typeof visited>[number] | (typeof tasks)[number][number];
const HELLO = 'GET /healthz (hello world)';
const routes: Record<string, Target[]> = {
  [HELLO]: visited('/healthz'),
  'limit: the statement of a poll alone': visited('/statement'),
  'limit: the same in a session, for the nearest replica': visited('/statement-nearby'),
  'GET /task/{id} (key check, session, limit)': tasks.flat(),
};

async function perSecond(targets: readonly Target[]): Promise<number> {
  const end = performance.now() + SECONDS * 1000;
  let done = 0;
  const client = async () => {
    while (performance.now() < end) {
      const target = targets[done++ % targets.length];
      if (!target) return;
      const response = await request(new URL(target.path, service.url), {
        headers: target.headers,
        dispatcher: agent,
      });
      if (response.statusCode !== 200) throw new Error(`${target.path}: ${response.statusCode}`);
      await response.body.dump();
    }
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: CONCURRENCY }, client));
  return done / ((performance.now() - start) / 1000);
}

const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

for (const targets of Object.values(routes)) await perSecond(targets);
const rounds: Record<string, number>[] = [];
for (let round = 0; round < ROUNDS; round++) {
  const rates: Record<string, number> = {};
  for (const [name, targets] of Object.entries(routes)) rates[name] = await perSecond(targets);
  rounds.push(rates);
}
console.log('| route | requests a second (median of rounds) | ratio (median of rounds) |');
console.log('|---|---|---|');
for (const name of Object.keys(routes)) {
  const rate = median(rounds.map((rates) => rates[name] ?? 0));
  const ratio = median(rounds.map((rates) => (rates[name] ?? 0) / (rates[HELLO] ?? 0)));
  console.log(`| ${name} | ${rate.toFixed(0)} | ${ratio.toFixed(2)} |`);
}
await agent.close();
await service.close();

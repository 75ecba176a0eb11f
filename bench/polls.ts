import { Agent, request } from 'undici';
import { startService } from '../test/harness.ts';

/**
 * Polls per second of 200 live tasks, compared with a hello-world route of the same Worker in the same run, in alternating
 * rounds.
 */
const ROUNDS = 16;
const SECONDS = 0.5;
const CONCURRENCY = 16;

const service = await startService({ TRANSCODER_URL: 'http://127.0.0.1:9' });
const agent = new Agent({ connections: CONCURRENCY, pipelining: 1 });
// Each account may poll 50 times a second, so enough accounts share the load to stay below the limit.
const targets = await Promise.all(
  Array.from({ length: 100 }, async () => {
    const { key } = await service.createAccount('elite');
    const body = { video_url: 'https://media.example.com/a.mp4', duration: 1 };
    const tasks = [await service.submit('/cut', body, key), await service.submit('/cut', body, key)];
    return tasks.map(({ id }) => ({ path: `/task/${id}`, headers: { 'x-api-key': key } }));
  }),
);
const polls = targets.flat();
// More visitors than one, because each may send 1000 requests in ten seconds.
const hello = Array.from({ length: 100 }, (_, index) => ({
  path: '/healthz',
  headers: { 'cf-connecting-ip': `10.1.0.${index}` },
}));

async function perSecond(targets: { path: string; headers: Record<string, string> }[]): Promise<number> {
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

await perSecond(hello);
await perSecond(polls);
const rounds: { hello: number; polls: number }[] = [];
for (let round = 0; round < ROUNDS; round++)
  rounds.push({ hello: await perSecond(hello), polls: await perSecond(polls) });
const helloRate = median(rounds.map((round) => round.hello));
const pollRate = median(rounds.map((round) => round.polls));
const ratio = median(rounds.map((round) => round.polls / round.hello));
console.log('| route | requests a second (median of rounds) | ratio (median of rounds) |');
console.log('|---|---|---|');
console.log(`| GET /healthz (hello world) | ${helloRate.toFixed(0)} | 1.00 |`);
console.log(`| GET /task/{id} (key check, D1, limit) | ${pollRate.toFixed(0)} | ${ratio.toFixed(2)} |`);
await agent.close();
await service.close();

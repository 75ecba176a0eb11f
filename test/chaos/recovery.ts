import { Routes } from '../faults/routes.ts';
import { startServiceUnderFaults } from '../faults/service-under-faults.ts';
import { fixtures } from '../fixtures/make.ts';
import { sleep } from '../harness.ts';

/**
 * Seconds from the death of a transcoder by SIGKILL until the next attempt runs on another one, for so many tasks at once, each with
 * transcoders of its own. Nobody but the lease tells of the death.
 */
export async function recoveryTimes(count: number): Promise<number[]> {
  const routes = new Routes();
  const chaos = await startServiceUnderFaults(fixtures, routes.target);
  const store = await chaos.storeLink();
  const pairs = Array.from({ length: count }, () => [chaos.member(store), chaos.member(store)] as const);
  try {
    await Promise.all(pairs.flat().map((member) => member.start()));
    return await Promise.all(
      pairs.map(async ([first, second], index) => {
        const { id: accountId, key } = await chaos.service.createAccount('elite');
        routes.set(accountId, () => first.url ?? second.url);
        const input = { video_url: chaos.media('pauses.mp4'), height: 720, format: 'webm', codec: 'vp9' };
        const { id } = await chaos.service.submit('/transcode', input, key);
        const read = () => chaos.service.task(id, key);
        while ((await read()).stage !== 'rendering') await sleep(200);
        // Leases are renewed every five seconds: the deaths are spread over that time.
        await sleep((5000 * index) / count);
        const began = performance.now();
        await first.signal('SIGKILL');
        for (let task = await read(); task.attempt < 2 || task.status !== 'processing'; task = await read())
          await sleep(100);
        const seconds = (performance.now() - began) / 1000;
        await chaos.service.request(`/task/${id}`, { method: 'DELETE', key });
        return seconds;
      }),
    );
  } finally {
    await Promise.all(pairs.flat().map((member) => member.close()));
    await chaos.close();
  }
}

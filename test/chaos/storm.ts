import { hasOwnDisks, type Member } from '../faults/fleet.ts';
import type { Fault, Link } from '../faults/link.ts';
import type { ServiceUnderFaults } from '../faults/service-under-faults.ts';
import { sleep, type TestAccount } from '../harness.ts';
import { signalEach } from '../signal-each.ts';
import type { Seeded } from './seeded.ts';

export interface Weather {
  chaos: ServiceUnderFaults;
  members: readonly Member[];
  store: Link;
  accounts: readonly TestAccount[];
  seeded: Seeded;
}

const HOUR_MS = 3_600_000;

type Blow = (weather: Weather) => Promise<void>;

/** What may happen at once to the whole, and how often. */
const blows = {
  kill: [
    4,
    async ({ members, seeded }) => {
      const member = seeded.pick(members);
      const pause = seeded.between(0, 2000);
      await member.signal('SIGKILL');
      await sleep(pause);
      await member.start();
    },
  ],
  hang: [
    3,
    async ({ members, seeded }) => {
      const member = seeded.pick(members);
      const pause = seeded.chance(0.3) ? seeded.between(32_000, 40_000) : seeded.between(500, 8000);
      await member.signal('SIGSTOP');
      await sleep(pause);
      await member.signal('SIGCONT');
    },
  ],
  leave: [
    3,
    async ({ members, seeded }) => {
      const member = seeded.pick(members);
      await member.signal('SIGTERM');
      await member.start();
    },
  ],
  'kill an encoder': [2, async ({ members, seeded }) => killBelow(seeded.pick(members).look().ffmpeg)],
  'kill an engine': [2, async ({ members, seeded }) => killBelow(seeded.pick(members).look().workers)],
  evict: [
    4,
    async ({ chaos, accounts, seeded }) => {
      const { id } = seeded.pick(accounts);
      const evicted = chaos.service.worker.evictDurableObject('Account', { name: id });
      await evicted.catch((error) => {
        // It sleeps, or something holds it for longer than the harness waits.
        if (!/not currently running|Timed out waiting to evict/.test(String(error))) throw error;
      });
    },
  ],
  restart: [1, async ({ chaos }) => chaos.service.restart()],
  'cut reports': [2, async ({ chaos, seeded }) => cut(chaos.reports, seeded.between(500, 8000))],
  'cut dispatches': [2, async ({ chaos, seeded }) => cut(chaos.dispatches, seeded.between(500, 5000))],
  'cut the store': [2, async ({ store, seeded }) => cut(store, seeded.between(500, 20_000))],
  'cut the origins': [2, async ({ chaos, seeded }) => cut(chaos.origins, seeded.between(200, 1500))],
  'fill a disk': [
    hasOwnDisks ? 3 : 0,
    async ({ members, seeded }) => {
      const member = seeded.pick(members);
      member.fillDisk();
      await sleep(seeded.between(2000, 15_000));
      member.freeDisk();
    },
  ],
  'set the clocks wrong': [
    1,
    async ({ chaos, seeded }) => {
      await chaos.setClocks(HOUR_MS * seeded.pick([-1, 1]));
      await sleep(seeded.between(3000, 15_000));
      await chaos.setClocks(0);
    },
  ],
} as const satisfies Record<string, readonly [number, Blow]>;

type BlowName = keyof typeof blows;

/** Those that strike one transcoder. */
const ofMembers = new Set<BlowName>([
  'kill',
  'hang',
  'leave',
  'kill an encoder',
  'kill an engine',
  'fill a disk',
]);

const killBelow = (pids: readonly number[]): void => signalEach(pids.slice(0, 1), 'SIGKILL');

async function cut(link: Link, ms: number): Promise<void> {
  link.down = true;
  await sleep(ms);
  link.down = false;
}

/** How often one exchange on a link goes wrong, in percent. */
const lossy: Record<'dispatches' | 'reports' | 'store' | 'origins', Partial<Record<Fault, number>>> = {
  dispatches: { lost: 3, unanswered: 3, doubled: 3 },
  reports: { lost: 3, cut: 1, unanswered: 3, doubled: 3 },
  store: { lost: 2, cut: 2, unanswered: 2 },
  origins: { lost: 2, unavailable: 2, stalled: 1 },
};

function judgeOf(percents: Partial<Record<Fault, number>>, seeded: Seeded): Link['judge'] {
  return () => {
    let at = seeded.between(0, 100);
    for (const [fault, percent] of Object.entries(percents)) {
      at -= percent;
      if (at < 0) return fault as Fault;
    }
    return null;
  };
}

/** Faults one after another and on every link, until `calm`; resolves when all is up again. @returns how often each happened */
export async function storm(weather: Weather, calm: AbortSignal): Promise<Record<string, number>> {
  const { chaos, store, seeded } = weather;
  chaos.dispatches.judge = judgeOf(lossy.dispatches, seeded.fork());
  chaos.reports.judge = judgeOf(lossy.reports, seeded.fork());
  store.judge = judgeOf(lossy.store, seeded.fork());
  chaos.origins.judge = judgeOf(lossy.origins, seeded.fork());
  const happened: Record<string, number> = {};
  const failures: unknown[] = [];
  const busy = new Map<string, Promise<void>>();
  const choices = Object.entries(blows).map(([name, [weight]]) => [weight, name as BlowName] as const);
  while (!calm.aborted && failures.length === 0) {
    await sleep(seeded.between(300, 1500));
    const name = seeded.weighted(choices);
    // One hand for the processes, one for each link and for the Worker: they do not undo one another.
    const free = members(weather, busy);
    const own = seeded.fork();
    const needsMember = ofMembers.has(name);
    const member = needsMember && free.length > 0 ? own.pick(free) : undefined;
    // A Worker that starts anew has the right time.
    const hand = needsMember ? member?.workDir : name === 'restart' ? 'set the clocks wrong' : name;
    if (hand === undefined || busy.has(hand)) continue;
    happened[name] = (happened[name] ?? 0) + 1;
    const [, blow] = blows[name];
    const scope = { ...weather, seeded: own, members: member ? [member] : [] };
    const struck = blow(scope)
      .catch((error: unknown) => void failures.push(error))
      .finally(() => busy.delete(hand));
    busy.set(hand, struck);
  }
  await Promise.all(busy.values());
  if (failures.length > 0) throw new AggregateError(failures, 'the storm itself failed');
  for (const link of [chaos.dispatches, chaos.reports, chaos.origins, store]) {
    link.judge = () => null;
    for (const [fault, count] of Object.entries(link.happened))
      happened[fault] = (happened[fault] ?? 0) + count;
  }
  return happened;
}

const members = ({ members: all }: Weather, busy: ReadonlyMap<string, unknown>) =>
  all.filter(({ workDir }) => !busy.has(workDir));

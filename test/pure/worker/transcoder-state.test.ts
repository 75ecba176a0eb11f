import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { TranscoderReady } from '../../../schema/task/wire.ts';
import { ContainerNote } from '../../../worker/container/container-note.ts';
import { sharedAnswer } from '../../../worker/lib/shared-answer.ts';

describe('an answer that is shared', () => {
  it('is asked for once, whoever needs it at once, and again when it is no longer good', async () => {
    let asked = 0;
    const ask = sharedAnswer(async () => ++asked, {
      goodMs: (answer) => (answer === 1 ? 60_000 : 0),
      waitMs: 1000,
    });
    expect(new Set(await Promise.all(Array.from({ length: 50 }, ask)))).toEqual(new Set([1]));
    const never = sharedAnswer(async () => ++asked, { goodMs: () => 0, waitMs: 1000 });
    expect([await never(), await never()]).toEqual([2, 3]);
  });

  it('is asked for again where the one who asked has gone or has failed', async () => {
    let asked = 0;
    const lost = sharedAnswer<string>(
      () => (++asked === 1 ? new Promise(() => {}) : Promise.resolve('back')),
      {
        goodMs: () => 60_000,
        waitMs: 20,
      },
    );
    expect(await lost()).toBeNull();
    await wait(60);
    expect(await lost()).toBe('back');
    let failed = 0;
    const failing = sharedAnswer<string>(
      () => (++failed === 1 ? Promise.reject(new Error('no')) : Promise.resolve('yes')),
      {
        goodMs: () => 60_000,
        waitMs: 1000,
      },
    );
    expect([await failing(), await failing()]).toEqual([null, 'yes']);
  });
});

describe('what containers say of themselves', () => {
  const ready = { v: 1, status: 'ready' } as TranscoderReady;
  const note = (ask: () => Promise<TranscoderReady>) => {
    const written: unknown[] = [];
    const write = async ({ said }: { said: unknown }) => void written.push(said);
    return { note: new ContainerNote({ write }, ask), written };
  };

  it('is written when one starts, and not with every dispatch to it', async () => {
    const { note: one, written } = note(async () => ready);
    await one.awake({ started: true });
    for (let dispatch = 0; dispatch < 10; dispatch++) await one.awake({ started: false });
    await one.awake({ started: true });
    expect(written).toEqual([ready, ready]);
  });

  it('is that one did not start; one that is leaving or silent says nothing', async () => {
    const failing = note(() => Promise.reject(new Error('silent')));
    await failing.note.awake({ started: true });
    const leaving = note(async () => ({ ...ready, status: 'draining' }) as TranscoderReady);
    await leaving.note.awake({ started: true });
    expect([failing.written, leaving.written]).toEqual([[], []]);
    await failing.note.failed();
    expect(failing.written).toEqual([null]);
  });
});

import { describe, expect, test } from 'vitest';
import { completeSource } from '../../../transcoder/media/execute/complete-source.ts';
import { LibavFailure, type LibavPool } from '../../../transcoder/media/libav/pool.ts';
import { probeMedia } from '../../../transcoder/media/probe/probe-media.ts';
import { identityProblem } from '../../../transcoder/media/verify/identity.ts';
import type { ProbedSource } from '../../../transcoder/model/source/media-source.ts';
import { fixture } from '../../fixtures/make.ts';
import { ctx, failureOf, libav, operate } from '../operate.ts';

const ended = () => new LibavFailure('the worker process ended: SIGKILL', { died: true });

describe('where the process of libav ends during a proof, another one goes on', () => {
  test('and finds a copy that differs', async () => {
    let asked = 0;
    const compare = async () => {
      asked += 1;
      if (asked === 1) throw ended();
      return { problem: 'packet 3 differs', uncovered: false, turned: false, changed: false };
    };
    const work = operate('remux', 'plain.mp4', { format: 'mkv' }, { libav: { compare } });
    expect(await failureOf(work)).toEqual({ code: 'output_invalid', detail: 'packet 3 differs' });
    expect(asked).toBe(2);
  });

  test('and finds frames of another time', async () => {
    const done = await operate('cut', 'plain.mp4', { start: 1, duration: 3 });
    const source = await completeSource({ path: fixture('plain.mp4'), format: 'mov' });
    const probed: ProbedSource = { ...source, probe: await probeMedia(ctx, source) };
    const [expected] = done.expect.media;
    if (!expected) throw new Error('no media is expected');
    let deaths = 0;
    const ask: LibavPool['ask'] = async (request, options) => {
      if (request.kind === 'identify' && deaths++ === 0) throw ended();
      if (!libav) throw new Error('libav cannot be loaded');
      return libav.ask(request, options);
    };
    const problem = (later: number) => {
      const time_map = done.time_map.map((span) => ({
        ...span,
        in: [span.in[0] + later, span.in[1] + later] as [number, number],
      }));
      deaths = 0;
      return identityProblem(
        { ...ctx, libav: { ask } },
        expected,
        { path: done.path, time_map },
        [probed],
        undefined,
      );
    };
    expect(await problem(0)).toBeNull();
    expect(deaths).toBeGreaterThan(1);
    expect(await problem(0.5)).not.toBeNull();
  });

  test('but not where libav says that it cannot do its work', async () => {
    let asked = 0;
    const compare = async () => {
      asked += 1;
      throw new LibavFailure('the source cannot be read');
    };
    await operate('remux', 'plain.mp4', { format: 'mkv' }, { libav: { compare } });
    expect(asked).toBe(1);
  });
});

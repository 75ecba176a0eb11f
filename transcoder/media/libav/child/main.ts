import { fileURLToPath } from 'node:url';
import { AV_LOG_ERROR } from 'node-av/constants';
import { Log } from 'node-av/lib';
import { z } from 'zod';
import { collectGarbage } from '../../../process/collect-garbage.ts';
import {
  granted as grantedMessage,
  isKind,
  type Reply,
  type RequestKind,
  type RequestOf,
  requests,
  type Sent,
} from '../protocol.ts';
import { onWork } from './at-work.ts';
import { mix } from './audio/mix.ts';
import { compare } from './compare.ts';
import { identify } from './fingerprint-frames.ts';
import { survey } from './gop-survey.ts';
import { packets } from './packets.ts';
import { pictures } from './pictures.ts';
import { examine } from './probe/examine.ts';
import { probe } from './probe/probe.ts';
import { extents } from './probe/stream-extents.ts';
import { granted } from './read/ranges.ts';
import { reach } from './read/reach.ts';
import { consistent } from './remux/consistent.ts';
import { part } from './remux/part.ts';
import { contain } from './remux/remux.ts';
import { entries } from './seek-points.ts';
import { splice } from './splice.ts';
import { cues } from './text-cues.ts';
import { trim } from './trim.ts';

/** A worker process: handles one request of its parent at a time, and exits with it. */

Log.setLevel(AV_LOG_ERROR);

function say(message: Reply): void {
  process.send?.(message);
}

/** Limits progress messages to steps of at least 2 %. */
function progressReporter(): (fraction: number) => void {
  let reported = 0;
  return (fraction) => {
    if (fraction < reported + 0.02) return;
    reported = fraction;
    say({ type: 'progress', fraction });
  };
}

type Handlers = {
  [K in RequestKind]: (asked: RequestOf<K>, onProgress: (fraction: number) => void) => Promise<Sent<K>>;
};

const handlers: Handlers = {
  ...{
    probe,
    examine,
    extents,
    packets,
    entries,
    pictures,
    survey,
    splice,
    trim,
    mix,
    identify,
    compare,
    contain,
    consistent,
    part,
    reach,
  },
  ...{ cues },
};

async function answer(message: unknown): Promise<unknown> {
  const { kind } = z.looseObject({ kind: z.unknown() }).parse(message);
  if (!isKind(kind)) throw new Error('unknown kind of request');
  // The handler of a kind accepts that kind's requests, which an indexed access type cannot express.
  const handler = handlers[kind] as (
    asked: unknown,
    onProgress: (fraction: number) => void,
  ) => Promise<unknown>;
  return handler(requests[kind].request.parse(message), progressReporter());
}

process.on('disconnect', () => process.exit(0));
process.on('message', async (message) => {
  const answered = grantedMessage.safeParse(message);
  if (answered.success) return granted(answered.data);
  try {
    say({ type: 'answered', value: await answer(message) });
  } catch (error) {
    say({ type: 'failed', detail: error instanceof Error ? error.message : String(error) });
  }
  collectGarbage();
});
await rehearse();
onWork(() => say({ type: 'working' }));
say({ type: 'ready' });

/** Probes a bundled file so that V8 has compiled the code before the first real request. */
async function rehearse(): Promise<void> {
  const path = fileURLToPath(new URL('warm-up.mp4', import.meta.url));
  const source = { path, format: 'mov', bytes: 803, present: null, near: null };
  await answer({ kind: 'probe', source });
}

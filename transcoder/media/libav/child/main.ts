import { fileURLToPath } from 'node:url';
import { AV_LOG_ERROR } from 'node-av/constants';
import { Log } from 'node-av/lib';
import { z } from 'zod';
import {
  type Answer,
  granted as grantedMessage,
  isKind,
  type Reply,
  type RequestKind,
  type RequestOf,
  requests,
} from '../protocol.ts';
import { mix } from './audio/mix.ts';
import { identify } from './fingerprint-frames.ts';
import { survey } from './gop-survey.ts';
import { packets } from './packets.ts';
import { pictures } from './pictures.ts';
import { probe } from './probe/probe.ts';
import { extents } from './probe/stream-extents.ts';
import { granted } from './read/ranges.ts';
import { contain } from './remux/remux.ts';
import { entries } from './seek-points.ts';
import { splice } from './splice.ts';
import { trim } from './trim.ts';

/** A worker process: takes one request at a time from its parent and leaves with it. */

Log.setLevel(AV_LOG_ERROR);

function say(message: Reply): void {
  process.send?.(message);
}

/** Tells of progress in steps that are worth a message. */
function teller(): (fraction: number) => void {
  let told = 0;
  return (fraction) => {
    if (fraction < told + 0.02) return;
    told = fraction;
    say({ type: 'progress', fraction });
  };
}

type Handlers = {
  [K in RequestKind]: (asked: RequestOf<K>, onProgress: (fraction: number) => void) => Promise<Answer<K>>;
};

const handlers: Handlers = {
  ...{ probe, extents, packets, entries, pictures, survey, splice, trim, mix, identify, contain },
};

async function answer(message: unknown): Promise<unknown> {
  const { kind } = z.looseObject({ kind: z.unknown() }).parse(message);
  if (!isKind(kind)) throw new Error('a request of an unknown kind');
  // The handler of a kind takes the requests of that kind, which the type of a look-up cannot say.
  const handler = handlers[kind] as (
    asked: unknown,
    onProgress: (fraction: number) => void,
  ) => Promise<unknown>;
  return handler(requests[kind].request.parse(message), teller());
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
});
await rehearse();
say({ type: 'ready' });

/** Reads a file of ours as it will read those of a task, which then does not wait for what V8 compiles on the way. */
async function rehearse(): Promise<void> {
  const path = fileURLToPath(new URL('warm-up.mp4', import.meta.url));
  const source = { path, format: 'mov', bytes: 803, present: null, near: null };
  await answer({ kind: 'probe', source });
}

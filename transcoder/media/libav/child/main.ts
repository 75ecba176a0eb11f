import { fileURLToPath } from 'node:url';
import { AV_LOG_ERROR } from 'node-av/constants';
import { Log } from 'node-av/lib';
import { granted as grantedMessage, type Reply, type Request, request } from '../protocol.ts';
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

async function answer(asked: Request): Promise<Reply> {
  switch (asked.kind) {
    case 'probe':
      return { type: 'probed', value: await probe(asked) };
    case 'extents':
      return { type: 'measured', value: await extents(asked) };
    case 'trim':
      return { type: 'done', value: await trim(asked) };
    case 'contain':
      return { type: 'contained', value: await contain(asked, teller()) };
    case 'mix':
      return { type: 'done', value: await mix(asked, teller()) };
    case 'packets':
      return { type: 'listed', value: await packets(asked) };
    case 'entries':
      return { type: 'entered', value: await entries(asked) };
    case 'identify':
      return { type: 'identified', value: await identify(asked) };
    case 'pictures':
      return { type: 'drawn', value: await pictures(asked, teller()) };
    case 'survey':
      return { type: 'surveyed', value: await survey(asked) };
    case 'splice':
      return { type: 'done', value: await splice(asked, teller()) };
  }
}

process.on('disconnect', () => process.exit(0));
process.on('message', async (message) => {
  const answered = grantedMessage.safeParse(message);
  if (answered.success) return granted(answered.data);
  try {
    say(await answer(request.parse(message)));
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
  await answer(request.parse({ kind: 'probe', source }));
}

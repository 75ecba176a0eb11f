import { AV_LOG_ERROR } from 'node-av/constants';
import { Log } from 'node-av/lib';
import { probe } from './probe.ts';
import { granted as grantedMessage, type Reply, type Request, request } from './protocol.ts';
import { granted } from './ranges.ts';
import { splice } from './splice.ts';
import { survey } from './survey.ts';
import { trim } from './trim.ts';

/** A worker process: takes one request at a time from its parent and leaves with it. */

Log.setLevel(AV_LOG_ERROR);

function say(message: Reply): void {
  process.send?.(message);
}

async function answer(asked: Request): Promise<Reply> {
  if (asked.kind === 'probe') return { type: 'probed', value: await probe(asked) };
  if (asked.kind === 'trim') return { type: 'done', value: await trim(asked) };
  if (asked.kind === 'survey') return { type: 'surveyed', value: await survey(asked) };
  let told = 0;
  const value = await splice(asked, (fraction) => {
    if (fraction < told + 0.02) return;
    told = fraction;
    say({ type: 'progress', fraction });
  });
  return { type: 'done', value };
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
say({ type: 'ready' });

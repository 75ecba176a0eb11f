import { ToolError } from '../failures.ts';
import type { Answer, Request } from '../messages.ts';
import { convert } from './convert.ts';
import { frameAt } from './cover.ts';
import { inspect } from './inspect.ts';
import { peaksOf } from './peaks.ts';
import { isUnreadable, openSource } from './source.ts';

/** Progress is shown this often at most, in milliseconds. */
const PACE = 100;

const answer = (message: Answer) => self.postMessage(message);

async function answerTo(request: Request): Promise<Answer> {
  const { file, kind } = request;
  if (kind === 'inspect') return { kind: 'inspected', inspection: await inspect(file) };
  if (kind === 'convert') {
    const onProgress = paced((fraction) => answer({ kind: 'progress', fraction }));
    return { kind: 'converted', result: await convert(request, onProgress) };
  }
  const source = await openSource(file);
  try {
    if (kind === 'frame')
      return { kind: 'frame', picture: await frameAt(source.input, source.origin + request.at) };
    const track = source.tracks.find(({ number }) => number === request.track);
    if (!track) throw new ToolError({ code: 'no_sound' });
    const { duration } = request;
    const peaks = new Array<number>(request.columns).fill(0);
    const show = paced(() => answer({ kind: 'peaks', peaks, isWhole: false }));
    for await (const { column, peak } of peaksOf(track, { ...source, duration, columns: request.columns })) {
      peaks[column] = peak;
      show(column);
    }
    return { kind: 'peaks', peaks, isWhole: true };
  } finally {
    source.input.dispose();
  }
}

function paced(report: (value: number) => void): (value: number) => void {
  let last = 0;
  return (value) => {
    if (performance.now() - last < PACE) return;
    last = performance.now();
    report(value);
  };
}

self.addEventListener('message', async ({ data }: MessageEvent<Request>) => {
  try {
    answer(await answerTo(data));
  } catch (error) {
    if (error instanceof ToolError) return answer({ kind: 'failed', failure: error.failure });
    if (isUnreadable(error)) return answer({ kind: 'failed', failure: { code: 'unreadable' } });
    console.error(error);
    answer({ kind: 'failed', failure: { code: 'unexpected' } });
  }
});

import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ErrorCode } from '../../schema/api/errors.ts';
import { signatureHeaders } from '../../schema/api/signature.ts';
import {
  type Job,
  job as jobSchema,
  type Report,
  type Result,
  WIRE_VERSION,
} from '../../schema/task/wire.ts';
import { signatureIsValid } from '../fixtures/signature-is-valid.ts';
import { secrets } from '../harness.ts';

/** A transcoder whose every move the test decides: it takes signed jobs and says what it is told to say. */
export interface StandIn {
  origin: string;
  jobs: Job[];
  stops: { taskId: string; attempt: number }[];
  /** How it answers a dispatch: 202, or a status to refuse with, and the code of a problem. */
  answer: { status: number; code?: ErrorCode };
  /** Dispatches it has refused so far. */
  refused: number;
  jobOf(taskId: string, attempt?: number): Promise<Job>;
  report(
    job: Job,
    report: WithoutVersion<Report>,
    options?: { secret?: string; headers?: Record<string, string> },
  ): Promise<Response>;
  close(): Promise<void>;
}

type WithoutVersion<T> = T extends unknown ? Omit<T, 'v'> : never;

/**
 * `free`: how many more tasks it says it could start; where it does not say, the service finds out one by one. `onJob` gets every
 * job that it takes, and the answer waits for it.
 */
export async function startStandIn({
  free,
  onJob,
}: {
  free?: number;
  onJob?: (job: Job, standIn: StandIn) => void | Promise<void>;
} = {}): Promise<StandIn> {
  const jobs: Job[] = [];
  const stops: StandIn['stops'] = [];
  const answer: StandIn['answer'] = { status: 202 };
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const header = (name: string) => request.headers[name]?.toString();
    if (!(await signatureIsValid(secrets.TRANSCODER_SECRET, header, body))) {
      response.writeHead(401).end();
      return;
    }
    const stop = /^\/tasks\/(\w+)\/stop$/.exec(request.url ?? '');
    if (stop) stops.push({ taskId: stop[1] ?? '', attempt: JSON.parse(body).attempt });
    else if (answer.status !== 202) standIn.refused += 1;
    else {
      const job = jobSchema.parse(JSON.parse(body));
      jobs.push(job);
      await onJob?.(job, standIn);
    }
    response.writeHead(stop ? 200 : answer.status, {
      'retry-after': '1',
      'content-type': 'application/json',
    });
    const { code } = answer;
    response.end(JSON.stringify({ v: WIRE_VERSION, accepted: true, free, code }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const standIn: StandIn = {
    refused: 0,
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    jobs,
    stops,
    answer,
    async jobOf(taskId, attempt = 1) {
      for (let tries = 0; tries < 400; tries++) {
        const found = jobs.find((job) => job.task_id === taskId && job.attempt === attempt);
        if (found) return found;
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
      throw new Error(`attempt ${attempt} at ${taskId} was not dispatched within 10 s`);
    },
    async report(job, report, { secret = job.callback_secret, headers: more = {} } = {}) {
      const body = JSON.stringify({ v: WIRE_VERSION, ...report });
      const headers = await signatureHeaders(secret, crypto.randomUUID(), body);
      return fetch(job.callback_url, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', ...headers, ...more },
      });
    },
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  };
  return standIn;
}

/** The result of a job that made one text file. */
export function resultOf(job: Job, content: string): Result {
  return {
    files: [
      {
        role: 'video',
        key: `${job.output_prefix}${job.output_name}.mp4`,
        file_name: `${job.output_name}.mp4`,
        media_type: 'video/mp4',
        file_size: Buffer.byteLength(content),
        sha256: createHash('sha256').update(content).digest('hex'),
      },
    ],
    duration: 5,
    width: 640,
    height: 360,
    fps: 30,
    data: { copied_seconds: 0, rendered_seconds: 5 },
    time_map: [{ source: 0, in: [1, 6], out: [0, 5] }],
    warnings: [],
  };
}

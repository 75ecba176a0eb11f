import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** What the service answers to a method and path, such as `POST /cut`, in place of what it would. */
export type Answers = Record<string, Listener>;

export interface StandIn {
  url: string;
  /** Method and path of every request, in order. */
  calls: string[];
  close(): void;
}

export const files = {
  video: { name: 'cut.mp4', bytes: Buffer.from('the cut') },
  captions_srt: { name: 'talk.mp4', bytes: Buffer.from('the captions') },
};
type Role = keyof typeof files;
const roles = Object.keys(files) as Role[];

export const json =
  (status: number, body: object): Listener =>
  (_, response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

export const completedTask = {
  ...{ id: 'task_1', status: 'completed', stage: 'done', progress_percent: 100, eta_seconds: 0 },
  output: {
    ...{ file_name: files.video.name, media_type: 'video/mp4', data: {} },
    files: roles.map((role) => ({
      role,
      file_size: files[role].bytes.length,
      media_type: role === 'video' ? 'video/mp4' : 'text/plain',
    })),
  },
};

/** A service in which every upload is ready at once and `task_1` is completed. */
export async function standIn(answers: Answers = {}): Promise<StandIn> {
  const calls: string[] = [];
  let uploads = 0;
  const server: Server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://service');
    const call = `${request.method} ${pathname}`;
    calls.push(call);
    request.resume();
    const own = answers[call];
    if (own) return own(request, response);
    if (call === 'POST /uploads') {
      uploads += 1;
      const upload = { id: `upl_${uploads}`, url: `${url()}/store`, headers: {}, parts: [] };
      return json(201, upload)(request, response);
    }
    const completed = /^POST \/uploads\/(\w+)\/complete$/.exec(call)?.[1];
    if (completed !== undefined) return json(200, { id: completed })(request, response);
    if (call === 'POST /cut') return json(202, { id: 'task_1' })(request, response);
    if (call === 'GET /task/task_1') return json(200, completedTask)(request, response);
    if (!pathname.endsWith('/download')) return json(200, {})(request, response);
    const { name, bytes } = files[searchParams.get('file') as Role];
    response.writeHead(200, { 'content-disposition': `attachment; filename*=UTF-8''${name}` }).end(bytes);
  });
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: url(), calls, close };
}

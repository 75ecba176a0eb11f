import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { partSizes } from '../../../schema/api/upload.ts';

/** What a test may ask of it. */
export interface LargeStore {
  url: string;
  /** Bytes of files that have arrived. */
  received(): number;
  close(): void;
}

const ZEROS = Buffer.alloc(1 << 20);

/**
 * The part of the API that large files take, for measuring the client alone: it counts the bytes of uploads, and its one task has a
 * file of zeros. `page` is shown at `/`, and `script` at `/client.js`.
 */
export async function startLargeStore(
  size: number,
  sha256: string,
  page: string,
  script: string,
): Promise<LargeStore> {
  let received = 0;
  const server = createServer((request, response) => {
    const { method = '', url = '' } = request;
    const json = (status: number, body: unknown) => response.writeHead(status).end(JSON.stringify(body));
    const file = { role: 'video', url: `${origin()}/file`, media_type: 'video/mp4', file_size: size };
    const task = {
      ...{ id: 'task_1', status: 'completed', stage: 'done', progress_percent: 100, plan: null, error: null },
      output: { file_name: 'zeros.mp4', sha256, files: [file] },
    };
    if (method === 'PUT') {
      request.on('data', (chunk: Buffer) => {
        received += chunk.length;
      });
      request.on('end', () => response.writeHead(200, { etag: `"${url}"` }).end());
      return;
    }
    request.resume();
    if (url === '/') response.writeHead(200, { 'content-type': 'text/html' }).end(page);
    else if (url === '/client.js') response.writeHead(200, { 'content-type': 'text/javascript' }).end(script);
    else if (url === '/uploads')
      json(201, {
        ...{ id: 'upl_1', url: null, headers: {} },
        parts: partSizes(size).map((size_bytes, index) => ({
          number: index + 1,
          url: `${origin()}/part/${index}`,
          size_bytes,
        })),
      });
    else if (url.startsWith('/uploads/')) json(200, { id: 'upl_1', status: 'ready', size_bytes: size });
    else if (url.includes('/download')) sendZeros(Number(/\d+/.exec(request.headers.range ?? '0')?.[0]));
    else json(200, task);

    function sendZeros(from: number) {
      response.writeHead(from > 0 ? 206 : 200, { 'content-length': size - from, etag: '"zeros"' });
      let left = size - from;
      const more = () => {
        while (left > 0) {
          const chunk = ZEROS.subarray(0, Math.min(left, ZEROS.length));
          left -= chunk.length;
          if (!response.write(chunk)) return void response.once('drain', more);
        }
        response.end();
      };
      more();
    }
  });
  const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: origin(),
    received: () => received,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Task, TaskOutput } from '../../schema/task/task.ts';
import type { Stack } from '../e2e/stack.ts';
import type { Carrier } from './examine.ts';

/** The whole service: tasks through the API, and their files by the links that it gives. */
export const byService = ({ service, media }: Stack): Carrier => ({
  media,
  async ended({ path, input }, seconds) {
    const key = service.accounts.elite.key;
    const response = await service.request(path, { key, json: input });
    if (response.status !== 202) return `it was answered ${response.status}: ${await response.text()}`;
    const { id } = (await response.json()) as Task;
    try {
      const { error, output, warnings } = await service.finished(id, key, seconds);
      if (error) return { error };
      if (output === null) return 'it is completed without an output';
      return { error: null, output, warnings, download: (directory) => downloaded(output, directory) };
    } catch (error) {
      await service.request(`/task/${id}`, { method: 'DELETE', key }).catch(() => null);
      return `it hung: ${error instanceof Error ? error.message : error}`;
    }
  },
});

async function downloaded({ files }: TaskOutput, directory: string): Promise<string[]> {
  return Promise.all(
    files.map(async ({ url, role }, index) => {
      const response = await fetch(url);
      if (!response.ok || !response.body) throw new Error(`its ${role} is answered ${response.status}`);
      const path = join(directory, `${index}`);
      await pipeline(Readable.fromWeb(response.body), createWriteStream(path));
      return path;
    }),
  );
}

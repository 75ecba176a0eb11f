import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Demuxer } from '../../../schema/media/demuxers.ts';
import { type Span, Spans } from '../../../transcoder/model/source/byte-ranges.ts';
import type { MediaSource } from '../../../transcoder/model/source/media-source.ts';

/** A source of which nothing is here at first and nothing comes but what is asked for; what is not here is zeros. */
export async function withHoles(
  path: string,
  format: Demuxer,
  directory: string,
  near: number | null,
): Promise<MediaSource & { brought: Span[] }> {
  const bytes = (await stat(path)).size;
  const here = new Spans();
  const brought: Span[] = [];
  const copy = join(directory, `holes-${Math.random()}`);
  await (await open(copy, 'wx')).close();
  const bring = async ([from, to]: Span): Promise<Span> => {
    const [file, hollow] = [await open(path), await open(copy, 'r+')];
    const buffer = Buffer.alloc(to - from);
    await file.read(buffer, 0, buffer.length, from);
    await hollow.truncate(bytes);
    await hollow.write(buffer, 0, buffer.length, from);
    await Promise.all([file.close(), hollow.close()]);
    here.add([from, to]);
    brought.push([from, to]);
    return here.around(from) ?? [from, to];
  };
  return {
    ...{ format, bytes, brought, bring, indexed: false },
    whole: async () => {
      await bring([0, bytes]);
      return { path: copy, format };
    },
    parts: () => ({ path: copy, format, bytes, near, present: here.list() }),
  };
}

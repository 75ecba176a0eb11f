import type { Demuxer } from '../../schema/media/demuxers.ts';
import { whatArrived } from '../../schema/media/sniff/arrived.ts';
import { demuxerIn, SNIFF_BYTES } from '../../schema/media/sniff/demuxer-of.ts';
import type { Span } from '../model/source/byte-ranges.ts';
import type { MediaSource } from '../model/source/media-source.ts';
import { TaskFailure } from '../model/task-failure.ts';
import { fetchKeyframes, findIndex } from './mp4-index.ts';
import type { Origin } from './origin.ts';
import { ReadAhead } from './read-ahead.ts';
import { SparseFile, type SparseOptions } from './sparse-file.ts';

export interface SourceOptions extends Omit<SparseOptions, 'onArrival'> {
  /** Receives the fraction 0–1 of the file that has arrived, during opening and while the whole file is fetched. */
  onProgress?: ((fraction: number) => void) | undefined;
  /** Time in seconds at which reading will start, if known. */
  near?: number | null | undefined;
}

/** A source that is fetched from elsewhere. */
export interface RemoteSource extends MediaSource {
  /** Aborts every transfer and resolves when all have ended. */
  close(): Promise<void>;
}

const HEAD = 64 * 1024;
/** A file up to this size is fetched completely. */
const SMALL = 1024 * 1024;

/**
 * Opens the file of an origin. On return its first bytes and the index of an mp4 have arrived, or the whole file if it
 * is small or its origin does not support ranges. Throws TaskFailure with a `source_…` code.
 */
export async function openSource(origin: Origin, options: SourceOptions): Promise<RemoteSource> {
  let watched = 1;
  const onArrival = (arrived: number, bytes: number | null) => {
    if (watched > 0 && bytes) options.onProgress?.(arrived / bytes);
  };
  const file = await SparseFile.open(origin, HEAD, { ...options, onArrival });
  try {
    const format = await formatOf(file);
    if (!file.ranged || (file.bytes ?? 0) <= SMALL) await file.whole();
    const bytes = file.bytes ?? 0;
    const index = format === 'mov' ? await findIndex(file, bytes) : null;
    const { keyframes, indexed } = await fetchKeyframes(file, file.complete ? null : index);
    const ahead = new ReadAhead(keyframes);
    const near = indexed ? (options.near ?? null) : null;
    watched = 0;
    return {
      ...remote(file, { format, bytes, ahead, near, indexed }),
      whole: async () => {
        watched += 1;
        await file.whole().finally(() => {
          watched -= 1;
        });
        return { path: file.path, format };
      },
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

interface Known {
  format: Demuxer;
  bytes: number;
  ahead: ReadAhead;
  near: number | null;
  indexed: boolean;
}

function remote(file: SparseFile, { format, bytes, ahead, near, indexed }: Known) {
  return {
    format,
    bytes,
    indexed,
    parts: () => ({ path: file.path, format, bytes, near, present: file.complete ? null : file.present }),
    bring: async ([from, to]: Span, on: boolean | null): Promise<Span> => {
      const wanted: Span = [from, Math.min(to, bytes)];
      const hole = file.hole(wanted);
      if (hole) {
        const reached = on === null ? wanted[1] : ahead.to([hole[0], wanted[1]], on);
        const fetched = file.hole([hole[0], Math.min(bytes, reached)]) ?? hole;
        if (on !== null) ahead.brought(fetched);
        file.fetch(fetched);
      }
      await file.need(wanted);
      return file.around(from) ?? [from, from];
    },
    close: () => file.close(),
  };
}

/** Rejects text (including playlists) and other unsupported file types as soon as the first bytes have arrived. */
async function formatOf(file: SparseFile): Promise<Demuxer> {
  const read = async (at: number, length: number) => {
    await file.need([at, at + length]);
    return file.read([at, at + length]);
  };
  const format = await demuxerIn(read);
  if (!format) throw notMedia(await read(0, SNIFF_BYTES));
  return format;
}

function notMedia(head: Buffer): TaskFailure {
  const arrived = whatArrived(head);
  const detail = arrived ? `The source is ${arrived.what}. ${arrived.advice}` : UNKNOWN;
  return new TaskFailure('source_not_media', detail);
}

const UNKNOWN =
  'The format of the source is not supported. Convert it to MP4, WAV, PNG or another format listed in /docs/formats.';

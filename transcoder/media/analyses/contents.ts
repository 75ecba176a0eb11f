import { z } from 'zod';
import { configurationArguments, streamArguments } from '../../ffmpeg/inspect.ts';
import { run } from '../../ffmpeg/run.ts';
import type { Analysis } from '../../model/plan.ts';
import type { Contents, ContentTrack } from '../../model/source/contents.ts';
import type { Analyzer } from './analyzer.ts';

const PROBE_SECONDS = 60;

const tags = z.record(z.string(), z.string()).default({}).catch({});
const printed = z.object({
  format: z.object({ tags }).default({ tags: {} }),
  streams: z
    .array(
      z.object({
        index: z.number().int(),
        codec_type: z.string().default('data'),
        codec_name: z.string().default('unknown'),
        codec_tag_string: z.string().default(''),
        disposition: z.record(z.string(), z.number()).default({}),
        tags,
      }),
    )
    .default([]),
  chapters: z
    .array(z.object({ start_time: z.coerce.number(), end_time: z.coerce.number(), tags }))
    .default([]),
});

/** Reads tags, chapters and flags with ffprobe, because node-av does not expose all flags of a stream. */
export const contents: Analyzer<Extract<Analysis, { kind: 'contents' }>> = async (
  ctx,
  _,
  { source },
  { signal },
) => {
  const file = await source.whole();
  const ask = async (args: string[]): Promise<unknown> => {
    const options = { signal, reads: [file.path], timeoutSeconds: PROBE_SECONDS };
    return JSON.parse((await run(ctx.programs, 'ffprobe', args, options)).stdout);
  };
  const found = contentsOf(printed.parse(await ask(streamArguments(file))));
  if (!found.tracks.some(isOpus)) return { contents: found };
  const { streams } = configurations.parse(await ask(configurationArguments(file)));
  const skips = new Map(streams.map(({ index, extradata }) => [index, preSkipOf(extradata)]));
  const tracks = found.tracks.map((track) =>
    isOpus(track) ? { ...track, preSkip: skips.get(track.index) ?? 0 } : track,
  );
  return { contents: { ...found, tracks } };
};

const isOpus = ({ codec }: ContentTrack) => codec === 'opus';

const configurations = z.object({
  streams: z.array(z.object({ index: z.number().int(), extradata: z.string().default('') })),
});

/** Seconds, from the 16 bits at byte 10 of an identification header (RFC 7845, 5.1), of which ffprobe prints lines of 16 bytes. */
function preSkipOf(dump: string): number {
  const [, line = ''] = /00000000: ((?:[\da-f]{2,4} )+)/.exec(dump) ?? [];
  const bytes = Buffer.from(line.replaceAll(' ', ''), 'hex');
  return bytes.length >= 12 ? bytes.readUInt16LE(10) / 48_000 : 0;
}

function contentsOf({ format, streams, chapters }: z.output<typeof printed>): Contents {
  return {
    tags: format.tags,
    tracks: streams.map((stream) => ({
      index: stream.index,
      type: typeOf(stream),
      codec: stream.codec_name,
      tag: stream.codec_tag_string,
      tags: stream.tags,
      flags: Object.keys(stream.disposition).filter((name) => stream.disposition[name] === 1),
    })),
    chapters: chapters.map(({ start_time, end_time, tags: { title = '' } }) => ({
      ...{ start: start_time, end: end_time, title },
    })),
  };
}

function typeOf({
  codec_type: type,
  disposition,
}: z.output<typeof printed>['streams'][number]): ContentTrack['type'] {
  if (type === 'video') return disposition.attached_pic === 1 ? 'cover' : 'video';
  return type === 'audio' || type === 'subtitle' || type === 'attachment' ? type : 'data';
}

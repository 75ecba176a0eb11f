import { type Programs, run } from './run.ts';

/** What the ffmpeg at hand can do. */
export interface Capabilities {
  /** Such as `5.1.9`. */
  version: string;
  encoders: ReadonlySet<string>;
  filters: ReadonlySet<string>;
}

/** Asks ffmpeg once, at start. Throws where it does not run. */
export async function probeCapabilities(programs: Programs): Promise<Capabilities> {
  const ask = async (option: string) =>
    (await run(programs, 'ffmpeg', ['-hide_banner', '-nostdin', option], { timeoutSeconds: 20 })).stdout;
  const [version, encoders, filters] = await Promise.all([
    ask('-version'),
    ask('-encoders'),
    ask('-filters'),
  ]);
  await run(programs, 'ffprobe', ['-version'], { timeoutSeconds: 20 });
  return {
    version: /^ffmpeg version n?(\d+(?:\.\d+)*)/.exec(version)?.[1] ?? 'unknown',
    encoders: names(encoders, /^ [VAS][F.][S.][X.][B.][D.] (\S+)/gm),
    filters: names(filters, /^ [T.][S.](?:[C.])? (\S+) +\S*->/gm),
  };
}

function names(text: string, pattern: RegExp): ReadonlySet<string> {
  return new Set([...text.matchAll(pattern)].map((match) => match[1] ?? ''));
}

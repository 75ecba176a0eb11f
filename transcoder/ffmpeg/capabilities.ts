import type { Capabilities } from '../model/capabilities.ts';
import { type Programs, run } from './run.ts';

/** Queries ffmpeg once, at start. Throws if it does not run. */
export async function probeCapabilities(programs: Programs): Promise<Capabilities> {
  const ask = async (...options: string[]) =>
    (await run(programs, 'ffmpeg', ['-hide_banner', '-nostdin', ...options], { timeoutSeconds: 20 })).stdout;
  const [version, encoders, filters, xfade] = await Promise.all([
    ask('-version'),
    ask('-encoders'),
    ask('-filters'),
    ask('-h', 'filter=xfade'),
  ]);
  await run(programs, 'ffprobe', ['-version'], { timeoutSeconds: 20 });
  return {
    version: /^ffmpeg version n?(\d+(?:\.\d+)*)/.exec(version)?.[1] ?? 'unknown',
    encoders: names(encoders, /^ [VAS][F.][S.][X.][B.][D.] (\S+)/gm),
    filters: names(filters, /^ [T.][S.](?:[C.])? (\S+) +\S*->/gm),
    transitions: names(xfade, /^ {5}([a-z]+) +\d+ +\.\.F/gm),
  };
}

function names(text: string, pattern: RegExp): ReadonlySet<string> {
  return new Set([...text.matchAll(pattern)].map((match) => match[1] ?? ''));
}

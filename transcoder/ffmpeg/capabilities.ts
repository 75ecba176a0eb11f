import type { Capabilities } from '../model/capabilities.ts';
import { type Programs, run } from './run.ts';

/** Queries ffmpeg once, at start. Throws if it does not run. */
export async function probeCapabilities(programs: Programs): Promise<Capabilities> {
  const ask = (...options: string[]) =>
    run(programs, 'ffmpeg', ['-nostdin', ...options], { timeoutSeconds: 20 });
  const [encoders, filters, xfade] = await Promise.all([
    ask('-encoders'),
    ask('-filters'),
    ask('-h', 'filter=xfade'),
    run(programs, 'ffprobe', ['-version'], { timeoutSeconds: 20 }),
  ]);
  return {
    // Each start prints a banner, which begins with the version.
    version: /^ffmpeg version n?(\d+(?:\.\d+)*)/m.exec(encoders.stderrTail)?.[1] ?? 'unknown',
    encoders: names(encoders.stdout, /^ [VAS][F.][S.][X.][B.][D.] (\S+)/gm),
    filters: names(filters.stdout, /^ [T.][S.](?:[C.])? (\S+) +\S*->/gm),
    transitions: names(xfade.stdout, /^ {5}([a-z]+) +\d+ +\.\.F/gm),
  };
}

function names(text: string, pattern: RegExp): ReadonlySet<string> {
  return new Set([...text.matchAll(pattern)].map((match) => match[1] ?? ''));
}

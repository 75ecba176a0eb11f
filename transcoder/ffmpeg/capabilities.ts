import type { Capabilities } from '../model/capabilities.ts';
import { isTooOld, OLDEST_FFMPEG, versionIn } from '../model/ffmpeg-version.mjs';
import { type Programs, run } from './run.ts';

/** Queries ffmpeg once, at start. Throws if it does not run, or is too old. */
export async function probeCapabilities(programs: Programs): Promise<Capabilities> {
  const ask = (...options: string[]) =>
    run(programs, 'ffmpeg', ['-nostdin', ...options], { timeoutSeconds: 20 });
  const [encoders, filters, xfade, probe] = await Promise.all([
    ask('-encoders'),
    ask('-filters'),
    ask('-h', 'filter=xfade'),
    run(programs, 'ffprobe', ['-version'], { timeoutSeconds: 20 }),
  ]);
  // Each start prints a banner, which begins with the version.
  const versions = { ffmpeg: versionIn(encoders.stderrTail), ffprobe: versionIn(probe.stdout) };
  for (const [name, version] of Object.entries(versions)) {
    if (isTooOld(version))
      throw new Error(`${name} is version ${version}; ${OLDEST_FFMPEG} or newer is needed`);
  }
  return {
    version: versions.ffmpeg,
    encoders: names(encoders.stdout, /^ [VAS][F.][S.][X.][B.][D.] (\S+)/gm),
    filters: names(filters.stdout, /^ [T.][S.](?:[C.])? (\S+) +\S*->/gm),
    transitions: names(xfade.stdout, /^ {5}([a-z]+) +\d+ +\.\.F/gm),
  };
}

function names(text: string, pattern: RegExp): ReadonlySet<string> {
  return new Set([...text.matchAll(pattern)].map((match) => match[1] ?? ''));
}

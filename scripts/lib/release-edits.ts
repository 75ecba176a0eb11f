/** The edits of a release to files of the repository, as pure functions from text to text. */

const VERSION = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/;
const UNRELEASED = '## [Unreleased]';

function partsOf(version: string): number[] {
  const found = VERSION.exec(version);
  if (!found) throw new Error(`${version} is not a version: expected three numbers, such as 1.4.0.`);
  return found.slice(1).map(Number);
}

/** Throws unless `next` is a version higher than `current`. */
export function assertHigher(current: string, next: string): void {
  const [before, after] = [partsOf(current), partsOf(next)];
  const at = after.findIndex((part, index) => part !== before[index]);
  if (at < 0) throw new Error(`The version is ${current} already.`);
  if ((after[at] ?? 0) < (before[at] ?? 0))
    throw new Error(`${next} is lower than the current version, ${current}.`);
}

const jsonText = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

/** `package.json` with another version. */
export function packageWithVersion(text: string, version: string): string {
  return jsonText({ ...JSON.parse(text), version });
}

/** `package-lock.json` with another version of the project itself, which occurs twice. */
export function lockWithVersion(text: string, version: string): string {
  const lock = JSON.parse(text);
  return jsonText({
    ...{ ...lock, version },
    packages: { ...lock.packages, '': { ...lock.packages[''], version } },
  });
}

/** The text between the heading Unreleased and the next release. Throws if the heading is missing. */
export function unreleased(changelog: string): string {
  const lines = changelog.split('\n');
  const from = lines.indexOf(UNRELEASED);
  if (from < 0) throw new Error(`CHANGELOG.md has no heading "${UNRELEASED}".`);
  const length = lines.slice(from + 1).findIndex((line) => line.startsWith('## '));
  return lines
    .slice(from + 1, length < 0 ? undefined : from + 1 + length)
    .join('\n')
    .trim();
}

/** Moves the unreleased entries under a version and a date, below an empty heading Unreleased. Throws if there are no entries. */
export function releasedChangelog(changelog: string, version: string, date: string): string {
  if (!/^- /m.test(unreleased(changelog))) throw new Error('CHANGELOG.md has no entries under Unreleased.');
  return changelog.replace(`${UNRELEASED}\n`, () => `${UNRELEASED}\n\n## [${version}] - ${date}\n`);
}

import { fileName } from './clip.ts';
import { type ClipItem, type Fault, pathText, type Timeline } from './timeline.ts';

/** Names to list in a message. */
const MOST_NAMES = 20;

export function clipsOf({ picture, sound }: Timeline): ClipItem[] {
  return [...(picture ? [picture] : []), ...sound].flatMap(({ items }) =>
    items.filter((item) => item.kind === 'clip'),
  );
}

/** The name of `media` that a clip's media is given under; null if there is none. */
export const givenName = ({ names }: Pick<ClipItem, 'names'>, media: Readonly<Record<string, string>>) =>
  names.find((name) => Object.hasOwn(media, name)) ?? null;

/** The name to list a clip's media under: its file name, if it has a URL. */
const listedName = ({ names, url }: ClipItem) => (url === null ? names[0] : fileName(url) || names[0]);

function listed(names: Iterable<string>): string {
  const all = [...new Set(names)].map((name) => `\`${name.slice(0, 80)}\``);
  const more = all.length > MOST_NAMES ? ` and ${all.length - MOST_NAMES} more` : '';
  return `${all.slice(0, MOST_NAMES).join(', ')}${more}`;
}

/** What `media` lacks, has too much of, or leaves open. Paths begin at `media`. */
export function mediaFaults(timeline: Timeline, media: Readonly<Record<string, string>>): Fault[] {
  const clips = clipsOf(timeline);
  const names = listed(clips.map(listedName));
  const missing = clips.filter((clip) => givenName(clip, media) === null);
  const urlsOf = new Map<string, Set<string | null>>();
  for (const clip of clips) {
    const name = givenName(clip, media);
    if (name !== null) urlsOf.set(name, (urlsOf.get(name) ?? new Set()).add(clip.url));
  }
  const [first] = missing;
  return [
    ...(first
      ? [
          {
            path: [],
            message: `has no entry for ${listed(missing.map(listedName))} (first used at \`${pathText(first.path)}\`). The document uses ${names}.`,
          },
        ]
      : []),
    ...Object.keys(media).flatMap((name): Fault[] => {
      const urls = urlsOf.get(name);
      if (!urls)
        return [
          {
            path: [name],
            message: unused(name, timeline, media) ?? `is not used by the document, which uses ${names}.`,
          },
        ];
      const files = [...urls].filter((url) => url !== null);
      if (files.length < 2) return [];
      return [
        {
          path: [name],
          message: `stands for different files: ${listed(files)}. Give each under its whole \`target_url\`.`,
        },
      ];
    }),
  ];
}

/** Why an entry is not used that a clip has as a name; null if none has. */
function unused(name: string, timeline: Timeline, media: Readonly<Record<string, string>>): string | null {
  const shown = clipsOf(timeline).find(({ names }) => names.includes(name));
  if (shown)
    return `is not used: the entry \`${givenName(shown, media)?.slice(0, 80)}\` gives its media. Remove one.`;
  if (!timeline.names.has(name)) return null;
  return 'is used only by clips that are not shown, because they are disabled, covered by another video track or outside of a `source_range`. Remove the entry.';
}

/** The sources of a request, each once. */
export function sourcesOf(media: Readonly<Record<string, string>>): { name: string; url: string }[] {
  const urls = new Map<string, string>();
  for (const [name, url] of Object.entries(media)) if (!urls.has(url)) urls.set(url, name);
  return [...urls].map(([url, name]) => ({ name, url }));
}

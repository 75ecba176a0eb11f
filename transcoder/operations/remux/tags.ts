import type { Demuxer } from '../../../schema/media/demuxers.ts';
import { type RemuxFormat, tagFields } from '../../../schema/operations/remux.ts';
import type { Chapter, Contents, Tags } from '../../model/source/contents.ts';
import { holdings } from './containers.ts';

type Strip = 'none' | 'private' | 'all';

/** Facts of the container and of the program that wrote it, which are no longer true of a copy. */
const technical =
  /^(major_brand|minor_version|compatible_brands|encoder|duration|bps|number_of_(frames|bytes)|_statistics_.*|vendor_id|timecode|iTunSMPB|language|source_id)(-[a-z]{2,3})?$/i;

/** Tags that describe the work and not its making. */
const descriptive: readonly string[] = [
  ...Object.keys(tagFields),
  ...['grouping', 'synopsis', 'show', 'episode_id', 'episode_sort', 'season_number', 'network', 'publisher'],
];

/** Coordinates of ISO 6709, as cameras write them, or as decimal degrees. */
const coordinates = /[+-]\d{2,3}(\.\d+)?[+-]\d{3}(\.\d+)?|-?\d{1,3}\.\d{3,}\s*[,;\s]\s*-?\d{1,3}\.\d{3,}/;

const isPublic = (text: string) => !coordinates.test(text);

/** ffmpeg repeats a tag with a language, such as `location-eng`. */
const repeated = (name: string, tags: Tags) => {
  const plain = name.replace(/-[a-z]{3}$/, '');
  return plain !== name && plain in tags;
};

/** Tags of the file that remain. Names are lower case, because Matroska's are upper case. */
export function keptTags(tags: Tags, strip: Strip): Record<string, string> {
  if (strip === 'all') return {};
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(tags)) {
    if (technical.test(name) || repeated(name, tags) || value === '') continue;
    const known = name.toLowerCase();
    const lower = descriptive.includes(known) ? known : name;
    if (strip === 'none' || (descriptive.includes(lower) && isPublic(value))) kept[lower] = value;
  }
  return kept;
}

/** Tags of tracks that have a field of their own in the output. */
const ownFields = /^(title|name|handler_name|creation_time|filename|mimetype|alpha_mode)$/i;

/** Further tags of a track, which only Matroska has. */
export const furtherTags = (tags: Tags): Record<string, string> =>
  Object.fromEntries(Object.entries(tags).filter(([name]) => !technical.test(name) && !ownFields.test(name)));

/** Tags of a file. In Ogg they belong to its tracks. */
export function fileTags({ tags, tracks }: Contents, format: Demuxer): Tags {
  if (format !== 'ogg') return tags;
  return { ...tracks.find(({ type }) => type === 'audio')?.tags, ...tags };
}

/** The title of a track; mp4 has it in the name of its handler, where cameras write their own. */
export function titleOf(tags: Tags, strip: Strip): string | null {
  if (strip === 'all') return null;
  const title = tags.title ?? tags.TITLE ?? tags.name;
  if (title !== undefined) return strip === 'none' || isPublic(title) ? title : null;
  const handler = tags.handler_name;
  return strip === 'none' && handler !== undefined && !muxers.test(handler) ? handler : null;
}

/** Names that muxers give to handlers. */
const muxers = /^(\s*|video ?handler|sound ?handler|subtitle ?handler|data ?handler|audio ?handler)$/i;

export function keptChapters(chapters: readonly Chapter[], strip: Strip): Chapter[] {
  if (strip === 'all') return [];
  if (strip === 'none') return [...chapters];
  return chapters.map((chapter) => (isPublic(chapter.title) ? chapter : { ...chapter, title: '' }));
}

/** Tags after `set`, whose empty texts remove a tag. */
export function withSet(
  tags: Tags,
  set: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const made = { ...tags };
  for (const [name, value] of Object.entries(set)) {
    if (value === undefined) continue;
    if (value === '') delete made[name];
    else made[name] = value;
  }
  return made;
}

/** Tags of user data in QuickTime files without keys. */
const userData: readonly string[] = 'title artist album date genre copyright location creation_time'.split(
  ' ',
);

/** Whether a QuickTime file needs keys to hold all tags, which iPhones write too. */
export const needsKeys = (format: RemuxFormat, tags: Tags): boolean =>
  format === 'mov' && Object.keys(tags).some((name) => !userData.includes(name));

/** The tags that a container holds, and the names of the others. */
export function fittingTags(
  format: RemuxFormat,
  tags: Tags,
): { fitting: Record<string, string>; left: string[] } {
  const known = holdings[format].tags;
  const entries = Object.entries(tags);
  const fits = (name: string) => known === null || known.includes(name);
  return {
    fitting: Object.fromEntries(entries.filter(([name]) => fits(name))),
    left: entries.flatMap(([name]) => (fits(name) ? [] : name)),
  };
}

import { rateOf, warpOf } from './effects.ts';
import { isNode, type Node, own, Reading } from './reading.ts';
import { type ClipItem, type GapItem, type Path, SLOWEST_FRAMES, type Time } from './timeline.ts';

/** The key of a clip's media reference unless it names another. */
const DEFAULT_MEDIA = 'DEFAULT_MEDIA';
/** As long as a name of `media` may be. */
const MOST_NAME = 1024;

const mediaSchemas: readonly string[] = ['ExternalReference.1', 'MissingReference.1', 'MediaReference.1'];

/**
 * A clip, or a gap for one that is disabled or shows black.
 * @param enabled Nothing of a disabled clip is refused but a length that is unknown.
 */
export function clipOf(
  reading: Reading,
  node: Node,
  path: Path,
  enabled = own(node, 'enabled') !== false,
): ClipItem | GapItem | null {
  const content = enabled ? reading : new Reading(reading.names);
  const trimmed = reading.range(node, 'source_range', path);
  const { reference, at } = referenceOf(content, node, path);
  const schema = reference && content.schemaOf(reference, at);
  const available = reference && content.range(reference, 'available_range', at);
  const range = trimmed ?? available;
  // Slower rates count seconds, not frames.
  const frames = range && range.duration.rate >= SLOWEST_FRAMES ? range.duration.value : undefined;
  const rate = rateOf(content, node, path, frames);
  const duration = range && lengthOf(node, range.duration, rate);
  const url = reference && reading.text(reference, 'target_url');
  const names = [
    url,
    url && fileName(url),
    reference && reading.text(reference, 'name'),
    reading.text(node, 'name'),
  ].flatMap((name) => (name && name.length <= MOST_NAME ? [name] : []));
  if (!enabled) {
    for (const name of names) reading.names.add(name);
    return gapOf(reading, duration, path);
  }
  if (schema === 'GeneratorReference.1' && reference) {
    const kind = reading.text(reference, 'generator_kind') ?? '';
    if (['black', 'slug'].includes(kind.toLowerCase())) return gapOf(reading, duration, path);
    return reading.refuse(
      [...at, 'generator_kind'],
      `The generator \`${kind.slice(0, 60)}\` is not supported; \`black\` is.`,
    );
  }
  if (schema !== null && !mediaSchemas.includes(schema)) {
    return reading.refuse(at, `\`${schema}\` is not supported: a clip needs an \`ExternalReference.1\`.`);
  }
  for (const name of names) reading.names.add(name);
  const [first, ...others] = new Set(names);
  if (first === undefined) {
    return reading.refuse(
      path,
      'has no name that its media could be given under: neither the clip nor its media reference has one.',
    );
  }
  if (rate === null) return null;
  const start = range?.start ?? null;
  return {
    kind: 'clip',
    path,
    names: [first, ...others],
    url,
    start,
    duration,
    mediaStart: available?.start ?? null,
    rate,
    over: false,
  };
}

/** A range has the length of the clip in its track; that of a clip of Premiere Pro is the length in the media. */
function lengthOf(clip: Node, duration: Time, rate: number | null): Time {
  const metadata = own(clip, 'metadata');
  const premiere = isNode(metadata) && isNode(own(metadata, 'PremierePro_OTIO'));
  const by = premiere && (rate ?? warpOf(clip));
  return by ? { ...duration, value: duration.value / by } : duration;
}

function gapOf(reading: Reading, duration: Time | null, path: Path): GapItem | null {
  return duration
    ? { kind: 'gap', path, duration }
    : reading.refuse(path, 'needs a `source_range`: its length is unknown.');
}

function referenceOf(reading: Reading, node: Node, path: Path): { reference: Node | null; at: Path } {
  const references = own(node, 'media_references');
  if (isNode(references)) {
    const key = reading.text(node, 'active_media_reference_key') ?? DEFAULT_MEDIA;
    const at = [...path, 'media_references', key.slice(0, 64)];
    const reference = own(references, key);
    if (isNode(reference)) return { reference, at };
    if (reference !== undefined && reference !== null) reading.refuse(at, 'must be an object');
    return { reference: null, at };
  }
  const at = [...path, 'media_reference'];
  const reference = own(node, 'media_reference') ?? null;
  if (reference !== null && !isNode(reference)) reading.refuse(at, 'must be an object');
  return { reference: isNode(reference) ? reference : null, at };
}

/** The last part of a path or URL, with its escapes resolved where they can be. */
export function fileName(url: string): string {
  const part =
    url
      .split(/[?#]/, 1)[0]
      ?.split(/[/\\]/)
      .findLast((each) => each !== '') ?? '';
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

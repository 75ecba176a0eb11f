import { givenName } from './media.ts';
import { isNode, type Node, own } from './reading.ts';
import { parseDocument } from './text.ts';
import type { Timeline } from './timeline.ts';
import { isUnset } from './unset-effects.ts';

/** The keys that are read of what a document is made of; those that hold more of the same come after them. */
const kept = ['OTIO_SCHEMA', 'kind', 'transition_type', 'generator_kind', 'time_scalar'];

/** The name of a clip that is disabled: a clip must have one. */
const NOT_SHOWN = 'not shown';

/**
 * The same document in fewer bytes: without metadata, markers, unset effects and the descriptions of media, which are most of what
 * editors write. It reads as the same timeline, with every item at its place, and every clip has the name that its media is given
 * under.
 * @param document As an object or as its text, which {@link readTimeline} has read as `timeline`.
 */
export function prunedDocument(
  document: unknown,
  timeline: Timeline,
  media: Readonly<Record<string, string>>,
): Node {
  const clips = [timeline.picture, ...timeline.sound].flatMap((track) => track?.items ?? []);
  const names = new Map(
    clips.flatMap((item) =>
      item.kind === 'clip' ? [[item.path.join('/'), givenName(item, media)] as const] : [],
    ),
  );
  const root: unknown = typeof document === 'string' ? parseDocument(document) : document;
  return isNode(root) ? pruned(root, '', names) : {};
}

/** @param names Of the clips, by their paths. */
function pruned(node: Node, path: string, names: ReadonlyMap<string, string | null>): Node {
  const schema = String(own(node, 'OTIO_SCHEMA'));
  const at = (key: string) => (path === '' ? key : `${path}/${key}`);
  const children = own(node, 'children');
  const tracks = own(node, 'tracks');
  return {
    ...pick(node, kept),
    ...times(node),
    ...(own(node, 'enabled') === false ? { enabled: false } : {}),
    ...(schema.startsWith('Clip.') ? clip(node, names.get(path) ?? NOT_SHOWN) : {}),
    ...(schema === 'Transition.1' ? pick(node, ['name']) : {}),
    ...(isNode(tracks) ? { tracks: pruned(tracks, at('tracks'), names) } : {}),
    ...(Array.isArray(children)
      ? {
          children: children.map((child, index) =>
            isNode(child) ? pruned(child, at(`children/${index}`), names) : child,
          ),
        }
      : {}),
  };
}

function clip(node: Node, name: string): Node {
  const effects = own(node, 'effects');
  const active = Array.isArray(effects) ? effects.filter((each) => isNode(each) && changes(each)) : [];
  const metadata = own(node, 'metadata');
  const premiere = isNode(metadata) && isNode(own(metadata, 'PremierePro_OTIO'));
  const reference = referenceOf(node);
  return {
    name,
    ...(active.length > 0 ? { effects: active.map((each) => pick(each, kept)) } : {}),
    ...(premiere && active.length > 0 ? { metadata: { PremierePro_OTIO: {} } } : {}),
    ...(reference ? { media_reference: { ...pick(reference, kept), ...times(reference) } } : {}),
  };
}

const changes = (effect: Node) =>
  own(effect, 'enabled') !== false && (own(effect, 'OTIO_SCHEMA') !== 'Effect.1' || !isUnset(effect));

/** The media reference of a clip, where it says more than a name. */
function referenceOf(node: Node): Node | null {
  const several = own(node, 'media_references');
  const key = own(node, 'active_media_reference_key');
  const reference = isNode(several)
    ? own(several, typeof key === 'string' && key.trim() !== '' ? key : 'DEFAULT_MEDIA')
    : own(node, 'media_reference');
  if (!isNode(reference)) return null;
  return isNode(own(reference, 'available_range')) || own(reference, 'generator_kind') ? reference : null;
}

const pick = (node: Node, keys: readonly string[]): Node =>
  Object.fromEntries(keys.map((key) => [key, own(node, key)] as const).filter(([, value]) => isPlain(value)));

const isPlain = (value: unknown) => typeof value === 'string' || typeof value === 'number';

/** The ranges and offsets of an object. A reader knows them by their places. */
function times(node: Node): Node {
  const time = (value: unknown) => (isNode(value) ? pick(value, ['value', 'rate']) : {});
  const range = (value: Node) => ({
    start_time: time(own(value, 'start_time')),
    duration: time(own(value, 'duration')),
  });
  const readers = { source_range: range, available_range: range, in_offset: time, out_offset: time };
  return Object.fromEntries(
    Object.entries(readers).flatMap(([key, read]) => {
      const value = own(node, key);
      return isNode(value) ? [[key, read(value)]] : [];
    }),
  );
}

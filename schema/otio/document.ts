import { clipOf } from './clip.ts';
import { type Count, disabledLengths } from './disabled.ts';
import { flattened } from './flatten.ts';
import { isNode, isTooDeep, type Node, own, Reading } from './reading.ts';
import { parseDocument } from './text.ts';
import type { Fault, Item, Path, Timeline, Track } from './timeline.ts';
import { transitionOf } from './transition.ts';
import { trimmed } from './trim.ts';
import { checkEffects, checkTrack } from './whole-track.ts';

/** Clips, gaps and transitions of a document. */
const MOST_ITEMS = 6000;
/** Video tracks with clips. Each is laid over all those below it, which takes as long as they have items. */
export const MOST_PICTURES = 100;
/** Stacks and tracks within one another. */
const MOST_NESTED = 8;

type Read = { timeline: Timeline; faults: [] } | { timeline: null; faults: readonly Fault[] };

const trackSchemas: readonly (string | null)[] = ['Track.1', 'Sequence.1'];

/** Reads an OpenTimelineIO document: what can be rendered of it, or everything that cannot. */
export function readTimeline(document: unknown): Read {
  const reading = new Reading();
  const parsed = typeof document === 'string' ? fromText(reading, document) : document;
  if (isTooDeep(parsed)) reading.refuse([], 'is nested too deeply');
  const timeline = reading.faults.length > 0 ? null : timelineOf(reading, parsed);
  if (timeline && reading.faults.length === 0) return { timeline, faults: [] };
  return { timeline: null, faults: reading.faults };
}

function fromText(reading: Reading, text: string): unknown {
  try {
    return parseDocument(text);
  } catch {
    const isXml = text.trimStart().startsWith('<');
    return reading.refuse(
      [],
      isXml ? 'is XML. Export the timeline as OpenTimelineIO (.otio), which is JSON' : 'is not valid JSON',
    );
  }
}

function timelineOf(reading: Reading, document: unknown): Timeline | null {
  const found = rootOf(reading, document);
  if (!found) return null;
  const { node, path } = found;
  const at = [...path, 'tracks'];
  const stack = own(node, 'tracks');
  if (reading.schemaOf(stack, at) === null || !isNode(stack)) return null;
  checkEffects(reading, stack, at);
  const count = counting(reading);
  const pictures: Track[] = [];
  const sound: Track[] = [];
  for (const [index, child] of reading.list(stack, 'children', at).entries()) {
    const own_path = [...at, 'children', index];
    const schema = reading.schemaOf(child, own_path);
    if (schema === null || !isNode(child)) continue;
    if (own(child, 'enabled') === false) {
      disabledLengths(new Reading(reading.names), child, own_path, count);
      continue;
    }
    if (!trackSchemas.includes(schema)) {
      reading.refuse(own_path, `\`${schema}\` is not supported here: \`tracks\` holds \`Track.1\`.`);
      continue;
    }
    const kind = own(child, 'kind') ?? 'Video';
    if (kind !== 'Video' && kind !== 'Audio') {
      if (reading.list(child, 'children', own_path).length > 0) {
        reading.refuse([...own_path, 'kind'], 'Tracks other than `Video` and `Audio` are not supported.');
      }
      continue;
    }
    const place = { node: child, path: own_path };
    const track = trackOf(reading, place, { node: stack, path: at }, kind === 'Audio', count);
    if (!track.items.some((item) => item.kind === 'clip')) continue;
    (kind === 'Audio' ? sound : pictures).push(track);
    if (kind === 'Video' && pictures.length === MOST_PICTURES + 1) {
      reading.refuse(own_path, `The document has more than ${MOST_PICTURES} video tracks with clips.`);
    }
  }
  const picture = reading.faults.length > 0 ? null : flattened(reading, pictures);
  if (picture) checkTrack(reading, picture.items, picture.path);
  if (picture || sound.length > 0 || reading.faults.length > 0) {
    return { picture, sound, names: reading.names };
  }
  return reading.refuse(
    at,
    reading.names.size === 0
      ? 'No track has a clip.'
      : 'No track shows a clip: all are disabled, or outside of a `source_range`.',
  );
}

/** The timeline of a document: its root, or the only one of a collection. */
function rootOf(reading: Reading, document: unknown): Place | null {
  const schema = reading.schemaOf(document, []);
  if (schema === null || !isNode(document)) return null;
  if (schema === 'Timeline.1') return { node: document, path: [] };
  if (schema === 'SerializableCollection.1') {
    const children = reading.list(document, 'children', []);
    const [only] = children;
    const path = ['children', 0];
    if (children.length === 1 && isNode(only) && own(only, 'OTIO_SCHEMA') === 'Timeline.1')
      return { node: only, path };
    return reading.refuse(['children'], 'A collection must hold exactly one `Timeline.1`.');
  }
  return reading.refuse(
    ['OTIO_SCHEMA'],
    `\`${schema}\` is not supported: the document must be a \`Timeline.1\`.`,
  );
}

/** An object of a document, and where it is. */
interface Place {
  node: Node;
  path: Path;
}

/** Counts the items of a document, and refuses the first one too many wherever it is. */
function counting(reading: Reading): Count {
  let items = 0;
  return (path) => {
    items++;
    if (items === MOST_ITEMS + 1) reading.refuse(path, `The document has more than ${MOST_ITEMS} items.`);
    return items <= MOST_ITEMS;
  };
}

/** @param stack The stack of all tracks, whose range cuts each. */
function trackOf(reading: Reading, { node, path }: Place, stack: Place, sound: boolean, count: Count): Track {
  checkEffects(reading, node, path);
  const before = reading.faults.length;
  const whole = itemsOf(reading, node, path, sound, count, 0);
  // Items with faults are missing, which would be another fault.
  if (reading.faults.length > before) return { path, items: [] };
  const inTrack = trimmed(reading, node, path, whole, false);
  const items = trimmed(reading, stack.node, stack.path, inTrack, false);
  checkTrack(reading, items, path);
  return { path, items };
}

function itemsOf(
  reading: Reading,
  node: Node,
  path: Path,
  sound: boolean,
  count: Count,
  nested: number,
): Item[] {
  return reading.list(node, 'children', path).flatMap((child, index): Item[] => {
    const at = [...path, 'children', index];
    if (!count(at)) return [];
    const schema = reading.schemaOf(child, at);
    if (schema === null || !isNode(child)) return [];
    const item = itemOf(reading, child, schema, at, sound);
    if (item !== undefined) return item ? [item] : [];
    return nestedItems(reading, child, schema, at, sound, count, nested);
  });
}

/** Null for one with a fault, undefined for what is no single item. */
function itemOf(
  reading: Reading,
  node: Node,
  schema: string,
  path: Path,
  sound: boolean,
): Item | null | undefined {
  if (schema === 'Clip.1' || schema === 'Clip.2') return clipOf(reading, node, path);
  if (schema === 'Transition.1') return transitionOf(reading, node, path, sound);
  if (schema !== 'Gap.1' && schema !== 'Filler.1') return undefined;
  const range = reading.range(node, 'source_range', path);
  if (range) return { kind: 'gap', path, duration: range.duration };
  return reading.refuse(path, 'A gap needs a `source_range`.');
}

/** The items of a track or a stack of one child, in the place of it. */
function nestedItems(
  reading: Reading,
  node: Node,
  schema: string,
  path: Path,
  sound: boolean,
  count: Count,
  nested: number,
): Item[] {
  const refused = (message: string) => {
    reading.refuse(path, message);
    return [];
  };
  if (own(node, 'enabled') === false) {
    return disabledLengths(reading, node, path, count).map((duration) => ({ kind: 'gap', path, duration }));
  }
  const isStack = schema === 'Stack.1';
  if (!isStack && !trackSchemas.includes(schema)) return refused(`\`${schema}\` is not supported.`);
  if (nested >= MOST_NESTED) return refused('Tracks and stacks are nested too deeply.');
  const children = reading.list(node, 'children', path);
  if (isStack && children.length > 1) {
    return refused('A stack of several children is not supported within a track. Flatten it first.');
  }
  checkEffects(reading, node, path);
  const before = reading.faults.length;
  const whole = itemsOf(reading, node, path, sound, count, nested + 1);
  return reading.faults.length > before ? whole : trimmed(reading, node, path, whole, true);
}

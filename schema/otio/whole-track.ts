import { isNode, type Node, own, type Reading } from './reading.ts';
import { type Item, type Path, secondsOf, type Time } from './timeline.ts';
import { SLACK } from './trim.ts';
import { isUnset } from './unset-effects.ts';

/** Seconds of a track. */
const MOST_SECONDS = 86_400;

const secondsIn = (items: readonly Item[]) =>
  items.reduce(
    (sum, item) => sum + (item.kind !== 'transition' && item.duration ? secondsOf(item.duration) : 0),
    0,
  );

/** Refuses effects on a whole track or stack. */
export function checkEffects(reading: Reading, node: Node, path: Path): void {
  for (const [index, effect] of reading.list(node, 'effects', path).entries()) {
    if (isNode(effect) && own(effect, 'enabled') === false) continue;
    const at = [...path, 'effects', index];
    const schema = reading.schemaOf(effect, at);
    if (schema === null || (isNode(effect) && isUnset(effect))) continue;
    reading.refuse(at, `\`${schema}\` on a whole track or stack is not supported.`);
  }
}

/** Transitions stand between items and fit into them; a track has an end. */
export function checkTrack(reading: Reading, items: readonly Item[], path: Path): void {
  for (const [index, item] of items.entries()) {
    if (item.kind !== 'transition') {
      checkFit(reading, item, items[index - 1], items[index + 1]);
      continue;
    }
    const [before, after] = [items[index - 1], items[index + 1]];
    if (before?.kind === 'transition') reading.refuse(item.path, 'Two transitions follow one another.');
    if (!before && item.inOffset.value > 0)
      reading.refuse([...item.path, 'in_offset'], 'must be 0 at the beginning of a track');
    if (!after && item.outOffset.value > 0)
      reading.refuse([...item.path, 'out_offset'], 'must be 0 at the end of a track');
  }
  if (secondsIn(items) > MOST_SECONDS) reading.refuse(path, `The track is longer than ${MOST_SECONDS} s.`);
}

function checkFit(
  reading: Reading,
  item: { path: Path; duration: Time | null },
  before: Item | undefined,
  after: Item | undefined,
): void {
  if (!item.duration) return;
  const head = before?.kind === 'transition' ? secondsOf(before.outOffset) : 0;
  const tail = after?.kind === 'transition' ? secondsOf(after.inOffset) : 0;
  if (head + tail <= secondsOf(item.duration) + SLACK) return;
  reading.refuse(item.path, 'is shorter than its transitions.');
}

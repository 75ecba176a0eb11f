import { clipOf } from './clip.ts';
import { isNode, Reading } from './reading.ts';
import { type Path, secondsOf, type Time } from './timeline.ts';

/** Counts an item of the document; false for one too many. */
export type Count = (path: Path) => boolean;

/**
 * The lengths of the gaps in place of something disabled. Its content only gives names and lengths, so nothing else of it is
 * refused.
 */
export function disabledLengths(reading: Reading, node: unknown, path: Path, count: Count): Time[] {
  const schema = reading.schemaOf(node, path);
  if (schema === null || !isNode(node) || schema === 'Transition.1') return [];
  if (schema === 'Clip.1' || schema === 'Clip.2') {
    const duration = clipOf(reading, node, path, false)?.duration;
    return duration ? [duration] : [];
  }
  const range = reading.range(node, 'source_range', path);
  // With a range, the lengths within it do not matter.
  const inner = range ? new Reading(reading.names) : reading;
  const lengths = inner.list(node, 'children', path).map((child, index) => {
    const at = [...path, 'children', index];
    return count(at) ? disabledLengths(inner, child, at, count) : [];
  });
  if (range) return [range.duration];
  if (schema === 'Stack.1') return longest(lengths);
  if (schema === 'Track.1' || schema === 'Sequence.1') return lengths.flat();
  reading.refuse(path, 'needs a `source_range`: its length is unknown.');
  return [];
}

function longest(all: readonly Time[][]): Time[] {
  const seconds = (lengths: readonly Time[]) => lengths.reduce((sum, length) => sum + secondsOf(length), 0);
  return all.reduce((most, lengths) => (seconds(lengths) > seconds(most) ? lengths : most), []);
}

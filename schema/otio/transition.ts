import { didYouMean } from '../api/nearest-name.ts';
import { type TransitionName, transitionNames } from '../media/transitions.ts';
import { type Node, own, type Reading } from './reading.ts';
import { type Path, secondsOf, type TransitionItem } from './timeline.ts';

/** Letters and digits of a name, in lower case. */
const plain = (name: string) =>
  name
    .slice(0, 64)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '');

const ours = new Map<string, TransitionName>([
  ...transitionNames.map((name) => [plain(name), name] as const),
  // As editors call them.
  ['smptedissolve', 'fade'],
  ['crossdissolve', 'fade'],
  ['dissolve', 'fade'],
  ['crossfade', 'fade'],
  ['filmdissolve', 'fade'],
  ['diptoblack', 'fadeblack'],
  ['diptowhite', 'fadewhite'],
  ['whippan', 'whipleft'],
  ['zoomblur', 'zoomblurin'],
  ['filmburn', 'lightleak'],
]);

/** Of sound, any fade or dissolve is a crossfade. */
const fades = /fade|dissolve|constantpower|constantgain/;

/** Of a transition. */
const MOST_SECONDS = 60;

/** @param sound Whether its track is one of sound. */
export function transitionOf(
  reading: Reading,
  node: Node,
  path: Path,
  sound: boolean,
): TransitionItem | null {
  const inOffset = reading.amount(own(node, 'in_offset'), [...path, 'in_offset']);
  const outOffset = reading.amount(own(node, 'out_offset'), [...path, 'out_offset']);
  const type = typeOf(reading, node, path, sound);
  if (inOffset && outOffset && secondsOf(inOffset) + secondsOf(outOffset) > MOST_SECONDS) {
    return reading.refuse(path, `lasts longer than ${MOST_SECONDS} s.`);
  }
  return inOffset && outOffset && type && { kind: 'transition', path, type, inOffset, outOffset };
}

function typeOf(reading: Reading, node: Node, path: Path, sound: boolean): TransitionName | null {
  const type = reading.text(node, 'transition_type') ?? '';
  const name = reading.text(node, 'name') ?? '';
  // The name of a custom transition says what it is.
  const names = plain(type) === 'customtransition' ? [name] : [type];
  const [called = ''] = names;
  const known = ours.get(plain(called));
  if (known) return known;
  if (sound && fades.test(plain(called))) return 'fade';
  const guess = sound ? '' : didYouMean(called, transitionNames);
  const most = called === '' ? 'A transition without a type' : `The transition \`${called.slice(0, 60)}\``;
  return reading.refuse(
    [...path, 'transition_type'],
    sound
      ? `${most} is not supported on a track of sound. Use \`SMPTE_Dissolve\`.`
      : `${most} is not supported.${guess} Use \`SMPTE_Dissolve\`, or a name of /docs/transitions.`,
  );
}

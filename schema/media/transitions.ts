type Kind = 'xfade' | 'map' | 'composed';

/**
 * Transitions between two clips, in display order. `xfade`: names of ffmpeg's xfade filter. ffmpeg 5.1 has 46 of the 58 and 7.0
 * has all; we draw those the installed ffmpeg lacks. `map`: drawn from a grey picture whose values say when each pixel switches.
 * `composed`: several filters, as in `transcoder/operations/plan/joints/`.
 */
const families = {
  fade: { xfade: 'fade fadeblack fadewhite fadegrays fadefast fadeslow dissolve distance pixelize hblur' },
  wipe: {
    xfade:
      'wipeleft wiperight wipeup wipedown wipetl wipetr wipebl wipebr smoothleft smoothright smoothup smoothdown diagtl diagtr diagbl diagbr',
  },
  slide: {
    xfade:
      'slideleft slideright slideup slidedown coverleft coverright coverup coverdown revealleft revealright revealup revealdown',
  },
  shape: {
    xfade:
      'circleopen circleclose circlecrop rectcrop vertopen vertclose horzopen horzclose radial zoomin squeezeh squeezev',
    map: 'star heart diamond plus hexagon ringsin ringsout corners keyhole',
  },
  clock: { map: 'clock clockccw clockdouble fan pinwheel spiralin spiralout' },
  slice: {
    xfade: 'hlslice hrslice vuslice vdslice hlwind hrwind vuwind vdwind',
    map: 'blindsh blindsv blindsdiag zigzagh zigzagv wavesh wavesv',
    composed: 'glitch',
  },
  pattern: { map: 'checker randomsquares noise clouds polkadots bricks matrixrain' },
  motion: { composed: 'whipleft whipright whipup whipdown spin spinccw zoomblurin zoomblurout' },
  light: { composed: 'flash lightleak' },
} as const satisfies Record<string, Partial<Record<Kind, string>>>;

export type TransitionFamily = keyof typeof families;

type Split<S> = S extends `${infer Head} ${infer Tail}` ? Head | Split<Tail> : S;
type NamesOf<K extends Kind> = {
  [F in TransitionFamily]: (typeof families)[F] extends Record<K, infer S> ? Split<S> : never;
}[TransitionFamily];

export type XfadeName = NamesOf<'xfade'>;
export type MapName = NamesOf<'map'>;
export type ComposedName = NamesOf<'composed'>;
export type TransitionName = XfadeName | MapName | ComposedName;

interface Transition {
  name: TransitionName;
  family: TransitionFamily;
  kind: Kind;
}

export const transitions: readonly Transition[] = Object.entries(families).flatMap(([family, kinds]) =>
  Object.entries(kinds).flatMap(([kind, names]) =>
    names.split(' ').map((name) => ({ name, family, kind }) as Transition),
  ),
);

export const transitionNames = transitions.map(({ name }) => name) as [TransitionName, ...TransitionName[]];

if (new Set(transitionNames).size !== transitionNames.length) {
  throw new Error('schema/media/transitions.ts: duplicate name');
}

const kinds = new Map(transitions.map(({ name, kind }) => [name, kind]));

export const isMap = (name: TransitionName): name is MapName => kinds.get(name) === 'map';

export const isComposed = (name: TransitionName): name is ComposedName => kinds.get(name) === 'composed';

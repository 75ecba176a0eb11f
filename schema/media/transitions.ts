/**
 * Every transition between two clips, in the order in which they are listed. `xfade`: a name of ffmpeg's filter of that
 * name; 46 of the 58 are in ffmpeg 5.1, all from 7.0 on, and those that the ffmpeg at hand lacks are drawn by us. `map`:
 * drawn by us, from a grey picture that says when each pixel changes over.
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
  },
  pattern: { map: 'checker randomsquares noise clouds polkadots bricks matrixrain' },
} as const satisfies Record<string, Partial<Record<'xfade' | 'map', string>>>;

export type TransitionFamily = keyof typeof families;

type Split<S> = S extends `${infer Head} ${infer Tail}` ? Head | Split<Tail> : S;
type NamesOf<K extends 'xfade' | 'map'> = {
  [F in TransitionFamily]: (typeof families)[F] extends Record<K, infer S> ? Split<S> : never;
}[TransitionFamily];

export type XfadeName = NamesOf<'xfade'>;
export type MapName = NamesOf<'map'>;
export type TransitionName = XfadeName | MapName;

interface Transition {
  name: TransitionName;
  family: TransitionFamily;
  kind: 'xfade' | 'map';
}

export const transitions: readonly Transition[] = Object.entries(families).flatMap(([family, kinds]) =>
  Object.entries(kinds).flatMap(([kind, names]) =>
    names.split(' ').map((name) => ({ name, family, kind }) as Transition),
  ),
);

export const transitionNames = transitions.map(({ name }) => name) as [TransitionName, ...TransitionName[]];

if (new Set(transitionNames).size !== transitionNames.length) {
  throw new Error('schema/media/transitions.ts: a name stands in it twice');
}

const mapNames: ReadonlySet<string> = new Set(
  transitions.filter(({ kind }) => kind === 'map').map(({ name }) => name),
);

export function isMap(name: TransitionName): name is MapName {
  return mapNames.has(name);
}

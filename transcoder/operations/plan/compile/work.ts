import type { PlanRequest } from '../../../model/plan.ts';
import type { AudioStream, MediaProbe } from '../../../model/source/media-probe.ts';
import type { Filter, Step } from '../../../model/steps.ts';
import type { SplicedSound } from '../audio-file.ts';
import type { Fades } from '../filters.ts';
import type { Frames, Span } from '../frames.ts';
import type { MadeSound } from '../joined-parts.ts';
import type { Delivered } from '../splice-compatibility.ts';
import { type Turn, UPRIGHT } from '../turn.ts';
import type { Backdrop } from './backdrop.ts';
import type { Tempo } from './clip-sound.ts';
import type { Clip } from './clips.ts';

/** A request that is compiled from clips. */
export type ClipsRequest = PlanRequest<Delivered>;

/** Clips of one source, one after another, and what happens to all of them. */
export interface Work extends Effects {
  request: ClipsRequest;
  probe: MediaProbe;
  /** The source's own sound; null if it is not heard. */
  stream: AudioStream | null;
  clips: readonly Clip[];
  /** Counts the frames of clips at rates. Null for ranges, whose frames keep the times of the source, and for sound alone. */
  grid: Frames | null;
}

interface Effects {
  /** Length of the ramps at joints of the sound, in milliseconds. */
  fadeMs: number;
  tempo: Tempo;
  /** Whether the last clip ends where its sound does, instead of in silence. */
  open: boolean;
  turn: Turn;
  /** Whether the output is played backwards. */
  reversed: boolean;
  /** At both ends of the output. Only of ranges, like the following effects. */
  fades: Fades;
  drawn?: Drawn;
  hold?: Hold;
  dub?: Dub;
}

export const UNCHANGED: Effects = {
  ...{ fadeMs: 0, tempo: 'blend', open: false, turn: UPRIGHT, reversed: false },
  fades: { in: 0, out: 0 },
};

/** A part of the source whose frames are all made in the same way, and where it begins in the output. */
export interface Shot extends Span {
  out: number;
  /** Null if its packets may be copied. */
  filters: readonly Filter[] | null;
}

/** What is drawn over a single range. */
interface Drawn {
  /** Filters for all frames in one run. */
  filters: readonly Filter[];
  /** What is drawn on a plain picture after that, in place of the picture of the source. */
  alone?: { backdrop: Backdrop; filters: readonly Filter[] };
  /** The range in parts, of which some go through filters. */
  shots: readonly Shot[];
  /** Spans of the output in which something is drawn, in seconds. */
  overlaid: readonly (readonly [from: number, to: number])[];
  /** Whether the packets of the sound are copied. */
  copiesSound: boolean;
  /** A constant frame rate that the filters convert to. */
  fps?: number;
}

/** A freeze frame after a single range: copies of its last frame from one second of the output to another. */
export interface Hold {
  from: number;
  until: number;
  frames: number;
}

/** Another sound. */
interface Dub {
  /** Steps that make it. */
  steps: readonly Step[];
  /** Next to rendered pictures. */
  sound: MadeSound;
  /** Next to copied pictures, with its steps. */
  spliced: SplicedSound;
  endsTogether: boolean;
}

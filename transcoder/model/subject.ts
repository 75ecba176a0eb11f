/** A point of a picture, as shares of its sides. */
export interface Spot {
  x: number;
  y: number;
}

/** A face: its center and sides as shares of the picture's sides. */
export interface SeenFace extends Spot {
  width: number;
  height: number;
  /** How sure the detector is, 0–1. */
  score: number;
}

/** What is seen in one frame. */
export interface Sighting {
  /** Seconds after the start of the source, as a player counts them. */
  time: number;
  faces: SeenFace[];
  /** What stands out most if there are no faces; null if nothing does. */
  salient: Spot | null;
}

/** Faces and salient spots of a source, scene by scene. */
export interface Subject {
  /** Times of the first frames of all scenes, ascending; the first is that of the first frame. */
  scenes: number[];
  /** In order of time. */
  sightings: Sighting[];
}

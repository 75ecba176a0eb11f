import { AV_NOPTS_VALUE, AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import type { Packet, Stream } from 'node-av/lib';
import { greatest } from '../../../../model/numbers/min-max.ts';

/** A step back by more seconds than recordings overlap, or ahead by more than they have holes, belongs to another clock. */
const BACK = 0.5;
/** As in ffmpeg, `-dts_delta_threshold`. */
const AHEAD = 10;
/** Most seconds between the packets of two tracks that come one after the other in a file. */
const APART = 5;

/** A stream as far as it was read. */
interface Track {
  /** Seconds in a tick. */
  tick: number;
  video: boolean;
  /** Decoding time of the last packet in seconds, as it is stated. */
  last: number | null;
  /** Seconds from packet to packet, on average. */
  step: number;
  /** How many of them the average is of. */
  steps: number;
  /** Whether the times of a sound went back within its recording. */
  steppedBack: boolean;
  /** Number of the recording that the last packet is of. */
  recording: number;
  /** Decoding time in seconds of the packet before, if it stood apart from others within a group of pictures. */
  apart: number | null;
  /** Second of the output at which what was read ends. */
  end: number;
  /** The same for the recordings before this one. */
  until: number;
}

/**
 * Gives recordings that were joined in one file, each with a clock of its own, the times at which they are shown one after
 * another, as segments of a stream with advertisements have. All streams of a recording are moved alike; the last packets of a
 * stream may come after the first ones of the next recording.
 */
export class ClockJumps {
  readonly #tracks: readonly Track[];
  /** By recording, the seconds that its times are moved. */
  readonly #moved: number[];
  readonly #withinGroups: boolean;
  /** Recordings of which pictures have said how far to move them. */
  #settled: number;

  /**
   * @param withinGroups Whether the clock may jump within a group of pictures, as that of a recorder does that is set back; pictures may
   * then be left without a time.
   * @param moved As it was found before, for sound that comes before the pictures that show how far the clock jumps.
   */
  constructor(
    streams: readonly Stream[],
    { withinGroups = false, moved = [0] }: { withinGroups?: boolean; moved?: readonly number[] } = {},
  ) {
    this.#withinGroups = withinGroups;
    this.#moved = [...moved];
    this.#settled = moved.length;
    this.#tracks = streams.map(({ codecpar, timeBase: { num, den }, avgFrameRate }): Track => {
      const video = codecpar.codecType === AVMEDIA_TYPE_VIDEO;
      const frame = video && avgFrameRate.num > 0 ? avgFrameRate.den / avgFrameRate.num : 0;
      const nothing = Number.NEGATIVE_INFINITY;
      return {
        ...{ tick: num / den, video, last: null, step: frame, steps: 0 },
        ...{ steppedBack: false, recording: 0, apart: null, end: nothing, until: nothing },
      };
    });
  }

  /** By recording, the seconds that the times of what was read are moved. */
  get moved(): readonly number[] {
    return this.#moved;
  }

  /**
   * Moves the times of the next packet.
   * @param index Of its stream, among those given to the constructor.
   * @param recording Number of the recording that it is of, if that is known.
   * @returns false for sound to leave out: that of the recording before lasts longer than its picture.
   */
  follow(packet: Packet, index: number, recording: number | null): boolean {
    const track = this.#tracks[index];
    const decoded = packet.dts === AV_NOPTS_VALUE ? packet.pts : packet.dts;
    if (!track || decoded === AV_NOPTS_VALUE) return true;
    const time = Number(decoded) * track.tick;
    const shown = packet.pts === AV_NOPTS_VALUE ? time : Number(packet.pts) * track.tick;
    const step = track.last === null ? 0 : time - track.last;
    const jumps = step < -BACK || (step > AHEAD && !this.#isAccompanied(track, time));
    if (recording !== null) {
      if (recording > track.recording) this.#enter(track, shown, recording);
      else stepped(track, step);
    }
    // Pictures of another recording begin with a keyframe; others are late, or damaged.
    else if (track.video && packet.isKeyframe && (jumps || this.#overlaps(track, step, shown)))
      this.#enter(track, shown);
    else if (!track.video && (jumps || this.#isOfNext(track, step))) this.#enter(track, shown);
    else if (track.video && this.#withinGroups && jumps) {
      if (this.#standsApart(track, packet, time)) return true;
    } else stepped(track, step);
    track.apart = null;
    track.last = time;
    const moved = this.#moved[track.recording] ?? 0;
    track.end = Math.max(track.end, shown + moved + track.step);
    const ticks = BigInt(Math.round(moved / track.tick));
    if (packet.pts !== AV_NOPTS_VALUE) packet.pts += ticks;
    if (packet.dts !== AV_NOPTS_VALUE) packet.dts += ticks;
    return track.video || shown + moved > track.until - track.step / 2;
  }

  /** Whether another track of the recording has come as far: this one had a hole, and the clock went on. */
  #isAccompanied(track: Track, time: number): boolean {
    return this.#tracks.some(
      (other) =>
        other !== track &&
        other.recording === track.recording &&
        other.last !== null &&
        Math.abs(time - other.last) < APART,
    );
  }

  /** Whether a picture's times are to be ignored. The next one shows whether the clock has jumped, or only this one is wrong. */
  #standsApart(track: Track, packet: Packet, time: number): boolean {
    const before = track.apart;
    if (before !== null && time > before && time - before < BACK) {
      // What decodes pictures in a row goes on with the next one, whatever is shown first.
      const ends = (track.last ?? 0) + 2 * track.step + (this.#moved[track.recording] ?? 0);
      track.recording += 1;
      this.#move(track, ends - time);
      return false;
    }
    track.apart = time;
    packet.pts = packet.dts = AV_NOPTS_VALUE;
    return true;
  }

  /** Within one recording, decoding times rise, and what comes before a keyframe is shown before it. */
  #overlaps({ end, recording }: Track, step: number, shown: number): boolean {
    return step < 0 && shown + (this.#moved[recording] ?? 0) < end;
  }

  /** Whether a sound whose times step back, now or a little earlier, belongs to a recording whose pictures have begun. */
  #isOfNext(track: Track, step: number): boolean {
    track.steppedBack ||= step < 0;
    return track.steppedBack && this.#tracks.some(({ recording }) => recording > track.recording);
  }

  /** @param begins Second at which the first packet of the next recording is shown, as it is stated. */
  #enter(track: Track, begins: number, recording = track.recording + 1): void {
    track.until = track.end;
    track.steppedBack = false;
    track.recording = recording;
    this.#move(track, this.#endBefore(track) - begins);
  }

  /** Second of the output at which the recordings before the one that a track has entered end. */
  #endBefore(track: Track): number {
    const ends = this.#tracks.map((other) => {
      if (other !== track && other.recording >= track.recording) return other.until;
      // Of the other pictures, one may follow.
      return other.video && other !== track ? other.end + other.step : other.end;
    });
    return greatest(ends);
  }

  /** Where pictures may be read ahead, what they say replaces what sound before them said. */
  #move({ recording, video }: Track, seconds: number): void {
    const replaced = this.#withinGroups && video && recording >= this.#settled;
    if (replaced) this.#settled = recording + 1;
    if (replaced || this.#moved[recording] === undefined) this.#moved[recording] = seconds;
  }
}

/** The last frame of a recording lasts as long as others do on average, not as a pause before it; holes do not count. */
function stepped(track: Track, step: number): void {
  if (step <= 0 || step > AHEAD) return;
  track.step = (track.step * track.steps + step) / (track.steps + 1);
  track.steps += 1;
}

import type { Frame } from 'node-av/lib';
import type { PicturesRequest } from '../protocol.ts';
import { Decoder } from './av.ts';
import { Darkness } from './black-frames.ts';
import { framesAt, Restarted } from './frames-at.ts';
import { Drawing } from './image-writer.ts';
import { type Shown, Stretch, Tape, tickOf } from './read/packet-window.ts';

type Take = (frame: Frame, pts: number) => Promise<void>;

/**
 * Draws the frame of each moment into its file.
 * @returns their ticks, null where the stream shows nothing; null for all if the clock of the source begins again.
 */
export async function pictures(
  request: PicturesRequest,
  onProgress: (fraction: number) => void,
): Promise<(number | null)[] | null> {
  const tape = await Tape.open(request);
  const film = await Film.open(tape, request);
  const drawing = new Drawing(request.drawing, tape.reader.stream);
  try {
    const found = await framesAt(tape, request);
    const ticks = found.map((shown) => shown?.pts ?? null);
    let drawn = 0;
    const draw = async (frame: Frame, index: number) => {
      await drawing.draw(frame, request.drawing.files[index] ?? '');
      drawn += 1;
      onProgress(drawn / found.length);
    };
    const black: number[] = [];
    for (const group of groups(found)) {
      await film.play(group, async (frame, pts) => {
        const indices = ticks.flatMap((tick, index) => (tick === pts ? [index] : []));
        if (await film.hides(frame)) for (const index of indices) black.push(index);
        else for (const index of indices) await draw(frame, index);
      });
    }
    for (const index of black) {
      const shown = found[index];
      if (!shown) continue;
      await film.lit(shown, async (frame, pts) => {
        ticks[index] = pts;
        await draw(frame, index);
      });
    }
    await drawing.finish();
    return ticks;
  } catch (error) {
    if (!(error instanceof Restarted)) throw error;
    return null;
  } finally {
    drawing.close();
    film.close();
    await tape.close();
  }
}

interface Group extends Pick<Shown, 'key' | 'from'> {
  wanted: Set<number>;
}

/** Groups frames by their keyframe, ordered by time. */
function groups(found: readonly (Shown | null)[]): Group[] {
  const made: Group[] = [];
  const order = found.flatMap((shown) => shown ?? []).sort((a, b) => a.pts - b.pts);
  for (const { pts, key, from } of order) {
    const last = made.at(-1);
    if (last && last.key === key) last.wanted.add(pts);
    else made.push({ key, from, wanted: new Set([pts]) });
  }
  return made;
}

class Film {
  #tape: Tape;
  #decoder: Decoder;
  #request: PicturesRequest;
  #darkness: Darkness | null;

  private constructor(tape: Tape, decoder: Decoder, request: PicturesRequest) {
    this.#tape = tape;
    this.#decoder = decoder;
    this.#request = request;
    this.#darkness = request.skipBlack ? new Darkness() : null;
  }

  static async open(tape: Tape, request: PicturesRequest): Promise<Film> {
    return new Film(tape, await Decoder.open(tape.reader.stream, { exact: false }), request);
  }

  /** Whether the frame is black and black frames are to be skipped. */
  async hides(frame: Frame): Promise<boolean> {
    return (await this.#darkness?.of(frame)) ?? false;
  }

  /** Throws if a wanted frame is not output. */
  async play(group: Group, take: Take): Promise<void> {
    const missing = new Set(group.wanted);
    await this.#decode(group, false, async (frame, pts) => {
      if (missing.delete(pts)) await take(frame, pts);
    });
    if (missing.size > 0) throw new Error(`the frames at ${[...missing].join(', ')} do not decode`);
  }

  /** The last frame before `black` that is not black; `black` itself if there is none. */
  async lit(black: Shown, take: Take): Promise<void> {
    const begins = { key: null, from: null };
    let shown: Shown | null = this.#request.indexed ? black : { ...black, ...begins };
    while (shown) {
      const { pts: limit, key }: Shown = shown;
      const lit: { frame: Frame; pts: number }[] = [];
      await this.#decode({ ...shown, wanted: new Set([limit]) }, true, async (frame, pts) => {
        if (pts > limit || (await this.hides(frame))) return;
        lit.pop()?.frame.free();
        const copy = frame.clone();
        if (copy) lit.push({ frame: copy, pts });
      });
      const [last] = lit;
      if (last) {
        await take(last.frame, last.pts);
        return last.frame.free();
      }
      shown = key === null ? null : await this.#before(key);
    }
    await this.play({ ...black, wanted: new Set([black.pts]) }, take);
  }

  async #before(tick: number): Promise<Shown | null> {
    const stretch = await Stretch.leadingTo(this.#tape, tick - 1, this.#request.slack);
    const shown = stretch.shown(tick - 1);
    return shown && shown.pts < tick ? shown : null;
  }

  /** Decodes from a keyframe until the wanted frames are output. Skips non-reference frames in between unless `all` is set. */
  async #decode({ key, from, wanted }: Group, all: boolean, take: Take): Promise<void> {
    let sought = this.#request.indexed ? key : from;
    await this.#tape.goTo(sought);
    const onFrame = async (frame: Frame) => {
      await take(frame, Number(this.#decoder.tickOf(frame)));
    };
    const unread = new Set(wanted);
    let begun = key === null;
    while (unread.size > 0) {
      const packet = await this.#tape.reader.next();
      if (!packet) break;
      const tick = tickOf(packet);
      begun ||= packet.isKeyframe && tick === key;
      // Some containers seek by decoding time, which may lead to a later keyframe.
      if (!begun && sought !== from && packet.isKeyframe && (tick ?? 0) > (key ?? 0)) {
        sought = from;
        await this.#tape.goTo(from);
        continue;
      }
      // Leading pictures of a keyframe reference frames before it.
      if (!begun || (key !== null && tick !== null && tick < key)) continue;
      this.#decoder.spare(!all && (tick === null || !wanted.has(tick)));
      await this.#decoder.send(packet, onFrame);
      if (tick !== null && !this.#tape.hides(packet)) unread.delete(tick);
    }
    await this.#decoder.send(null, onFrame);
    this.#decoder.flush();
  }

  close(): void {
    this.#decoder.close();
    this.#darkness?.close();
  }
}

interface Span {
  start: number;
  end: number;
}

interface Segment extends Span {
  speaker: number;
}

/** A speaker, and some of what only that speaker says. */
export interface Alone {
  speaker: number;
  /** Seconds of all segments. */
  seconds: number;
  spans: Span[];
}

/** The speakers of these segments, who speaks most first. @param most Seconds of the spans in all; the longest ones come first. */
export function aloneIn(segments: readonly Segment[], most: number): Alone[] {
  const bySpeaker = Map.groupBy(segments, ({ speaker }) => speaker);
  const found = [...bySpeaker].map(([speaker, own]): Alone => {
    const others = segments.filter((segment) => segment.speaker !== speaker);
    const alone = own.flatMap((segment) => without(segment, others));
    const spans: Span[] = [];
    let left = most;
    const chosen = alone.length > 0 ? alone : own;
    for (const { start, end } of chosen.toSorted((a, b) => lengthOf(b) - lengthOf(a))) {
      if (left <= 0) break;
      spans.push({ start, end: Math.min(end, start + left) });
      left -= end - start;
    }
    return { speaker, seconds: own.reduce((sum, segment) => sum + lengthOf(segment), 0), spans };
  });
  return found.sort((a, b) => b.seconds - a.seconds);
}

const lengthOf = ({ start, end }: Span) => end - start;

function without(span: Span, others: readonly Span[]): Span[] {
  return others.reduce<Span[]>(
    (left, other) =>
      left.flatMap(({ start, end }) =>
        [
          { start, end: Math.min(end, other.start) },
          { start: Math.max(start, other.end), end },
        ].filter((part) => part.end > part.start),
      ),
    [span],
  );
}

export interface Voice {
  embedding: Float32Array;
  seconds: number;
}

/** Least cosine similarity of two voices of one person, on average. */
const ALIKE = 0.5;
/** Who speaks less, in seconds and as a share of all speech, is taken for one of the others: noise, or a voice that is put on. */
const LEAST_SECONDS = 3;
const LEAST_SHARE = 0.05;

interface Person {
  voices: number[];
  seconds: number;
  /** Mean similarity to each other person, by index; −∞ for those that are gone. */
  to: Float32Array;
  nearest: number;
}

/**
 * Which person each voice belongs to, numbered from 0: voices are joined by average linkage (Sokal and Michener 1958), weighted by
 * how long they speak. @param count How many people there are at most; null if unknown.
 */
export function peopleOf(voices: readonly Voice[], count: number | null): number[] {
  const people = alone(voices);
  const least = Math.min(LEAST_SECONDS, LEAST_SHARE * voices.reduce((sum, { seconds }) => sum + seconds, 0));
  const present = () => people.flatMap((person, index) => (person ? [{ ...person, index }] : []));
  const similarity = ({ to, nearest }: Person) => to[nearest] ?? Number.NEGATIVE_INFINITY;
  const joinNearest = (index: number) => join(people, index, people[index]?.nearest ?? index);
  for (;;) {
    const left = present();
    const best = left.reduce<(typeof left)[number] | null>(
      (most, person) => (most && similarity(most) >= similarity(person) ? most : person),
      null,
    );
    if (!best || left.length <= (count ?? 1)) break;
    const other = people[best.nearest];
    const lasting = left.filter(({ seconds }) => seconds >= least).length;
    const both = best.seconds >= least && (other?.seconds ?? 0) >= least;
    // If a number of people is known, noise is no one of them, and two of them may sound alike.
    const wanted = similarity(best) >= ALIKE && !(count !== null && both && lasting <= count);
    const small = left.filter(({ seconds }) => seconds < least).sort((a, b) => a.seconds - b.seconds)[0];
    if (wanted) joinNearest(best.index);
    else if (small) joinNearest(small.index);
    else if (count !== null && left.length > count) joinNearest(best.index);
    else break;
  }
  const numbers: number[] = voices.map(() => 0);
  for (const [number, person] of present().entries())
    for (const voice of person.voices) numbers[voice] = number;
  return numbers;
}

function alone(voices: readonly Voice[]): (Person | null)[] {
  const units = voices.map(({ embedding }) => {
    const length = Math.hypot(...embedding) || 1;
    return embedding.map((value) => value / length);
  });
  const people = voices.map(({ seconds }, index): Person => {
    const to = Float32Array.from(units, (unit, other) =>
      other === index ? Number.NEGATIVE_INFINITY : dot(units[index], unit),
    );
    return { voices: [index], seconds, to, nearest: 0 };
  });
  for (const person of people) person.nearest = nearestIn(person.to);
  return people;
}

const dot = (one: Float32Array | undefined, other: Float32Array) =>
  other.reduce((sum, value, index) => sum + value * (one?.[index] ?? 0), 0);

const nearestIn = (to: Float32Array) =>
  to.reduce((best, value, index) => (value > (to[best] ?? Number.NEGATIVE_INFINITY) ? index : best), 0);

/** Makes one person of two. */
function join(people: (Person | null)[], index: number, other: number): void {
  const [one, two] = [people[index], people[other]];
  if (!one || !two || one === two) return;
  const seconds = one.seconds + two.seconds;
  for (const [third, person] of people.entries()) {
    const mean = ((one.to[third] ?? 0) * one.seconds + (two.to[third] ?? 0) * two.seconds) / seconds;
    one.to[third] = person && person !== one && person !== two ? mean : Number.NEGATIVE_INFINITY;
    if (person) person.to[index] = one.to[third] ?? 0;
    if (person) person.to[other] = Number.NEGATIVE_INFINITY;
  }
  one.voices = [...one.voices, ...two.voices];
  one.seconds = seconds;
  people[other] = null;
  one.nearest = nearestIn(one.to);
  for (const person of people) {
    if (!person || person === one) continue;
    if (person.nearest === index || person.nearest === other) person.nearest = nearestIn(person.to);
    else if ((person.to[index] ?? 0) > (person.to[person.nearest] ?? 0)) person.nearest = index;
  }
}

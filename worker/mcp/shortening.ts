/** Items of one list: a language model reads all of a result. */
const MOST_ITEMS = 100;
/** Characters of one untrusted text, and of all of a result together. */
const MOST_CHARACTERS = { text: 200, result: 4000 };

/** Where untrusted texts are, and what of that lies below the value at hand. */
interface Place {
  path: string;
  below: readonly string[];
}

/** A list whose end is missing. */
interface ShortList {
  pointer: string;
  items: number;
  shown: number;
}

/** Copies values without what is too long in them, and notes what that was. */
export class Shortening {
  readonly lists: ShortList[] = [];
  /** Whether texts were shortened or left out. */
  hasShortTexts = false;
  /** The paths at which there were untrusted texts. */
  readonly #found = new Set<string>();
  #left = MOST_CHARACTERS.result;

  /** @param paths of untrusted texts in the value, where `*` is every item */
  copy<Value>(value: Value, pointer: string, paths: readonly string[] = []): Value {
    const places = paths.map((path) => ({ path, below: path.split('/').slice(1) }));
    return this.#copy(value, pointer, places) as Value;
  }

  /** The given paths at which there was a text. */
  found(paths: readonly string[]): string[] {
    return paths.filter((path) => this.#found.has(path));
  }

  #copy(value: unknown, pointer: string, places: readonly Place[]): unknown {
    if (typeof value === 'string') return this.#text(value, places);
    if (Array.isArray(value)) return this.#list(value, pointer, inside(places, '*'));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(([key, inner]) => [
      key,
      this.#copy(inner, `${pointer}/${key}`, inside(places, key)),
    ]);
    return Object.fromEntries(entries);
  }

  /** A list of untrusted texts ends where no more of them are shown: its items would say nothing. */
  #list(items: readonly unknown[], pointer: string, places: readonly Place[]): unknown[] {
    const shown: unknown[] = [];
    for (const [index, item] of items.entries()) {
      if (index === MOST_ITEMS || (places.length > 0 && this.#left === 0)) break;
      shown.push(this.#copy(item, `${pointer}/${index}`, places));
    }
    if (shown.length < items.length) {
      this.lists.push({ pointer, items: items.length, shown: shown.length });
      if (places.length > 0) this.hasShortTexts = true;
    }
    return shown;
  }

  #text(text: string, places: readonly Place[]): string {
    const place = places.find(({ below }) => below.length === 0);
    if (!place) return text;
    this.#found.add(place.path);
    const kept = beginningOf(text, Math.min(MOST_CHARACTERS.text, this.#left));
    this.#left -= kept.length;
    if (kept.length === text.length) return text;
    this.hasShortTexts = true;
    return `${kept}…`;
  }
}

const inside = (places: readonly Place[], part: string): Place[] =>
  places.flatMap(({ path, below: [first, ...below] }) => (first === part ? [{ path, below }] : []));

/** The beginning of a text that does not end within a character. */
function beginningOf(text: string, length: number): string {
  const kept = text.slice(0, length);
  return kept.length < text.length ? kept.replace(/[\ud800-\udbff]$/, '') : kept;
}

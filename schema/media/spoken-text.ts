/** Respellings of words for speech synthesis. */
export type Pronunciations = Readonly<Record<string, string>>;

interface Node {
  next: Map<string, Node>;
  /** Respelling of the word that ends here. */
  spelled: string | undefined;
}

const spoken = /[\p{L}\p{N}]/u;
/** Vowel signs and accents are part of a word; the variation selector of an emoji is not. */
const inside = /(?![\uFE00-\uFE0F])[\p{L}\p{N}\p{M}]/u;
/** The same for Σ wherever it stands, as a text is read character by character, and for both apostrophes. */
const small = (character: string) => character.toLowerCase().replace('ς', 'σ').replace('’', "'");
const newNode = (): Node => ({ next: new Map(), spelled: undefined });

/** One set of pronunciations is used for many texts. */
const tries = new WeakMap<Pronunciations, Node>();

function trieOf(pronunciations: Pronunciations): Node {
  const known = tries.get(pronunciations);
  if (known) return known;
  const root = newNode();
  for (const [word, spelled] of Object.entries(pronunciations)) {
    let node = root;
    for (const character of [...word.normalize('NFC')].map(small).join('')) {
      const next = node.next.get(character) ?? newNode();
      node.next.set(character, next);
      node = next;
    }
    node.spelled = spelled;
  }
  tries.set(pronunciations, root);
  return root;
}

/**
 * Replaces whole words, in any case, with their respellings; the longest match wins. Linear in the text, whatever the number of
 * words.
 */
export function pronounced(text: string, pronunciations: Pronunciations): string {
  const root = trieOf(pronunciations);
  if (root.next.size === 0) return text;
  const characters = [...text.normalize('NFC')];
  const said: string[] = [];
  let inWord = false;
  for (let at = 0; at < characters.length; ) {
    const found = inWord ? null : longestFrom(root, characters, at);
    said.push(found?.spelled ?? characters[at] ?? '');
    at += found?.length ?? 1;
    inWord = inside.test(characters[at - 1] ?? '');
  }
  return said.join('');
}

/** The longest whole word that begins here. */
function longestFrom(root: Node, characters: readonly string[], from: number) {
  let found: { spelled: string; length: number } | null = null;
  let node: Node | undefined = root;
  for (let at = from; at < characters.length; at++) {
    for (const character of small(characters[at] ?? '')) node = node?.next.get(character);
    if (!node) break;
    const ends = node.spelled !== undefined && !inside.test(characters[at + 1] ?? '');
    if (ends) found = { spelled: node.spelled ?? '', length: at + 1 - from };
  }
  return found;
}

/** Whether the respelled text has a letter or a digit. Engines disagree on lone symbols: $ or ♪ is a word to one and silence to another. */
export const isSayable = (text: string, pronunciations: Pronunciations = {}) =>
  spoken.test(pronounced(text, pronunciations));

/** One guard taken away, and the test that has to notice. */
export interface Fault {
  /** The words of SECURITY.md that are no longer true. */
  guard: string;
  /** The source file, from the root of the repository. */
  file: string;
  /** Text that occurs exactly once in the file. */
  find: string;
  /** What replaces it. */
  plant: string;
  test: NamedTest;
  /** A sandbox that not every machine has; without it the test does not exist. */
  needs?: 'bwrap' | 'unshare';
}

export interface NamedTest {
  /** From the root of the repository. */
  file: string;
  /** The title as it stands in the file, with the placeholders of `test.each`. */
  name: string;
}

/** The vitest project that a test file belongs to: the folder in `test/` that it is in. */
export function projectOf(file: string): string {
  const [, project = ''] = file.split('/');
  return project;
}

/** Matches the full name of every row of a test: the titles of its suites, then its own. */
export function namePattern(name: string): string {
  const literal = name.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
  return `(?:^| )${literal.replace(/%[sdifjoO#]|\\\$[\w.]+/g, '.*')}$`;
}

/** The text of a file with the fault in it. Throws unless `find` occurs exactly once. */
export function planted(text: string, { file, find, plant }: Omit<Fault, 'guard' | 'test'>): string {
  const [before = '', after, ...others] = text.split(find);
  if (after === undefined || others.length > 0) {
    const times = after === undefined ? 'not' : `${others.length + 1} times`;
    throw new Error(`${file} holds this ${times}, not once: ${find}`);
  }
  return before + plant + after;
}

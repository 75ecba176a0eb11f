/** The name of the MP3 of a file: its own, with another extension. */
export function mp3Name(source: string): string {
  const stem = source.replace(/\.[a-z0-9]{1,5}$/i, '');
  return `${stem === '' ? source : stem}.mp3`;
}

/** Adds " (2)" and so on to names that occur more than once, whatever their case: some file systems do not tell them apart. */
export function distinctNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const stem = name.slice(0, -'.mp3'.length);
    let free = name;
    for (let number = 2; taken.has(free.toLowerCase()); number++) free = `${stem} (${number}).mp3`;
    taken.add(free.toLowerCase());
    return free;
  });
}

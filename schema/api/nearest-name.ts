/** Longer texts are no misspelt name; the bound keeps a comparison cheap. */
const MAX_CHARACTERS = 64;

/** Case, hyphens and spaces do not count as mistakes. */
const plain = (name: string) => name.toLowerCase().replaceAll('-', '_').replaceAll(' ', '_');

/** How many mistakes a name of this length may have and still be recognized. */
const mostMistakes = (length: number) => (length <= 5 ? 1 : length <= 8 ? 2 : 3);

/**
 * Edits that turn one text into the other: a letter added, dropped or replaced, or two neighbours swapped (Damerau–Levenshtein
 * with optimal string alignment). Infinite beyond `most`.
 */
function edits(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return Number.POSITIVE_INFINITY;
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1];
      let least = Math.min((last[j - 1] ?? 0) + (same ? 0 : 1), (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1);
      const swapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      if (swapped) least = Math.min(least, (before[j - 2] ?? 0) + 1);
      row.push(least);
    }
    if (Math.min(...row) > most) return Number.POSITIVE_INFINITY;
    [before, last] = [last, row];
  }
  return last[other.length] ?? 0;
}

/** Common names for the same thing, where the most similar name would be another one. */
const sameAs: Record<string, string> = {
  ...{ h265: 'hevc', 'h.265': 'hevc', x265: 'hevc', avc: 'h264', 'h.264': 'h264', x264: 'h264' },
  ...{
    libx264: 'h264',
    libx265: 'hevc',
    libvpx: 'vp9',
    libvpx_vp9: 'vp9',
    libaom: 'av1',
    libsvtav1: 'av1',
    libaom_av1: 'av1',
  },
  ...{ jpg: 'jpeg', matroska: 'mkv', best: 'high', original: 'match_source' },
  // States of a task.
  ...{ done: 'completed', finished: 'completed', success: 'completed', succeeded: 'completed' },
  ...{
    running: 'processing',
    in_progress: 'processing',
    pending: 'queued',
    waiting: 'queued',
    error: 'failed',
  },
  // Transitions, as editors call them.
  ...{ crossfade: 'fade', cross_fade: 'fade', cross_dissolve: 'dissolve', cut: 'none', hard_cut: 'none' },
  ...{
    wipe: 'wipeleft',
    slide: 'slideleft',
    push: 'slideleft',
    zoom: 'zoomin',
    blur: 'hblur',
    circle: 'circleopen',
  },
  ...{ whip: 'whipleft', whippan: 'whipleft', whip_pan: 'whipleft', whip_pan_left: 'whipleft' },
  ...{ whip_pan_right: 'whipright', whip_pan_up: 'whipup', whip_pan_down: 'whipdown' },
  ...{
    spin_reverse: 'spinccw',
    zoom_blur_in: 'zoomblurin',
    zoom_blur_out: 'zoomblurout',
    film_burn: 'lightleak',
  },
};

/** Names that are spelt as they are meant, even where they are not allowed: `mp3` is no misspelt `mp4`. */
const ownNames = new Set(
  'mp3 mp4 m4a m4v mov mkv avi wav flac ogg oga opus aac ac3 gif png webp webm vp8 vp9 av1 h264'.split(' '),
);

/** The name that a misspelt one most likely stands for; null if none is close. Earlier names win a tie. */
export function nearestName(given: string, among: Iterable<string>): string | null {
  // An iterator of a Map can be read once.
  const names = [...among];
  if (given === '' || given.length > MAX_CHARACTERS) return null;
  const asked = plain(given);
  const alias = Object.hasOwn(sameAs, asked) ? sameAs[asked] : undefined;
  if (alias !== undefined) for (const name of names) if (name === alias) return name;
  // Only the case differs: `MP4` is `mp4`.
  for (const name of names) if (name !== given && plain(name) === asked) return name;
  if (ownNames.has(asked)) return null;
  let nearest: { name: string; cost: number } | null = null;
  for (const name of names) {
    if (name === given) continue;
    const known = plain(name);
    const most = mostMistakes(Math.min(asked.length, known.length));
    const count = edits(asked, known, most);
    if (count > most) continue;
    // A different first letter is the rarest mistake.
    const cost = count + (asked[0] === known[0] ? 0 : 0.5);
    if (!nearest || cost < nearest.cost) nearest = { name, cost };
  }
  return nearest?.name ?? abbreviated(asked, names);
}

const FEWEST_LETTERS = 3;

/** The only name that begins with a shorter one: `stat` is `status`. */
function abbreviated(asked: string, names: readonly string[]): string | null {
  if (asked.length < FEWEST_LETTERS) return null;
  const [only, ...others] = names.filter((name) => plain(name).startsWith(asked));
  return only !== undefined && others.length === 0 && plain(only) !== asked ? only : null;
}

/** The longest name that a longer one begins with: `waveform` is `wave`. */
function extended(asked: string, names: readonly string[]): string | null {
  const begun = names.filter(
    (name) => name.length > FEWEST_LETTERS && asked !== plain(name) && asked.startsWith(plain(name)),
  );
  return begun.sort((one, other) => other.length - one.length)[0] ?? null;
}

/** ` Did you mean "…"?`, to be put behind a sentence; empty if no name is close. */
export function didYouMean(given: string, among: Iterable<string>): string {
  const names = [...among];
  const name =
    nearestName(given, names) ?? (given.length > MAX_CHARACTERS ? null : extended(plain(given), names));
  return name === null ? '' : ` Did you mean \`${name}\`?`;
}

/** Every kind of id the service hands out, and its prefix. */
const idPrefixes = {
  task: 'task',
  account: 'acct',
  key: 'key',
  event: 'evt',
  webhook_endpoint: 'whe',
  webhook_delivery: 'whd',
  request: 'req',
} as const satisfies Record<string, string>;

type IdKind = keyof typeof idPrefixes;

const crockford = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * A new id: the kind's prefix, an underscore and a lower-case ULID (48 bits of milliseconds, 80 random bits), so
 * ids sort by the time they were made. Source: https://github.com/ulid/spec
 */
export function newId(kind: IdKind, now: number = Date.now()): string {
  const random = crypto.getRandomValues(new Uint8Array(16));
  let tail = '';
  for (const byte of random) tail += crockford[byte % 32];
  return `${idHead(kind, now)}${tail}`;
}

/** The part of an id that says its kind and time; 16 characters of chance follow. */
export function idHead(kind: IdKind, now: number): string {
  let time = '';
  for (let rest = now, place = 0; place < 10; place++) {
    time = crockford[rest % 32] + time;
    rest = Math.floor(rest / 32);
  }
  return `${idPrefixes[kind]}_${time}`;
}

/** When an id was made, epoch ms; 0 for a text that is no such id. */
export function timeOf(id: string): number {
  const [, time = ''] = /^[a-z]+_([0-9a-hjkmnp-tv-z]{10})/.exec(id) ?? [];
  let ms = 0;
  for (const character of time) ms = ms * 32 + crockford.indexOf(character);
  return ms;
}

/** The pattern that every id of this kind matches. */
export function idPattern(kind: IdKind): RegExp {
  return new RegExp(`^${idPrefixes[kind]}_[0-9a-hjkmnp-tv-z]{26}$`);
}

/** Prefix of each kind of id. */
export const idPrefixes = {
  task: 'task',
  upload: 'upl',
  account: 'acct',
  key: 'key',
  event: 'evt',
  webhook_endpoint: 'whe',
  webhook_delivery: 'whd',
  request: 'req',
  person: 'pers',
  session: 'sess',
  challenge: 'chal',
  invitation: 'inv',
  mail: 'mail',
  audit_event: 'aud',
  incident: 'inc',
} as const satisfies Record<string, string>;

export type IdKind = keyof typeof idPrefixes;

const crockford = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * Prefix, underscore and a lower-case ULID (48-bit milliseconds, 80 random bits), so ids sort by creation time.
 * https://github.com/ulid/spec
 */
export function newId(kind: IdKind, now: number = Date.now()): string {
  const random = crypto.getRandomValues(new Uint8Array(16));
  let tail = '';
  for (const byte of random) tail += crockford[byte % 32];
  return `${idHead(kind, now)}${tail}`;
}

/** Prefix and timestamp of an id; 16 random characters follow. */
export function idHead(kind: IdKind, now: number): string {
  let time = '';
  for (let rest = now, place = 0; place < 10; place++) {
    time = crockford[rest % 32] + time;
    rest = Math.floor(rest / 32);
  }
  return `${idPrefixes[kind]}_${time}`;
}

/** Creation time of an id in epoch ms; 0 if the text is not an id. */
export function timeOf(id: string): number {
  const [, time = ''] = /^[a-z]+_([0-9a-hjkmnp-tv-z]{10})/.exec(id) ?? [];
  let ms = 0;
  for (const character of time) ms = ms * 32 + crockford.indexOf(character);
  return ms;
}

/** Says what a task id looks like. */
export const taskIdText = 'must be a task id: `task_` and 26 letters and digits';

/** Matches every id of this kind. */
export function idPattern(kind: IdKind): RegExp {
  return new RegExp(`^${idPrefixes[kind]}_[0-9a-hjkmnp-tv-z]{26}$`);
}

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { MAX_HEADER_BYTES, MAX_REDIRECTS, securityWaits } from '../../../transcoder/source/guarded-get.ts';
import { securityPace } from '../../../transcoder/source/response-body.ts';

const security = readFileSync(new URL('../../../SECURITY.md', import.meta.url), 'utf8');
const seconds = (ms: number) => `${ms / 1000} s`;
const { dns, connect, headers } = securityWaits;
const { idle, window, bytesPerSecond } = securityPace;

/** Rows of the table of limits in SECURITY.md, as the code has them. */
test.each([
  ['resolving, connecting with TLS, headers', [dns, connect, headers].map(seconds).join(', ')],
  ['headers', `${MAX_HEADER_BYTES / 1024} KiB`],
  ['pause between two bytes', seconds(idle)],
  ['speed', `${bytesPerSecond / 1024} KiB/s on average over ${seconds(window)}`],
])('the limit of a fetch (%s) is the one that SECURITY.md names', (limit, value) => {
  expect(security).toContain(`\n| ${limit} | ${value} |\n`);
});

test('as many redirects are followed as SECURITY.md says', () => {
  expect(MAX_REDIRECTS).toBe(3);
  expect(security.replace(/\s+/g, ' ')).toContain('Redirects are followed by hand, at most three,');
});

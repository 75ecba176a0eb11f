import { describe, expect, it } from 'vitest';
import { browserName } from '../../../worker/pages/browser-name.ts';
import { cookieToken, noCookie, sessionCookie, visitorCookie } from '../../../worker/pages/cookie.ts';
import { ownPath } from '../../../worker/pages/own-path.ts';

const token = 'a'.repeat(43);
const deployed = 'https://spool.example.com';
const local = 'http://127.0.0.1:8787';

describe('the cookie', () => {
  it('is bound to its host over HTTPS, and named for its port without', () => {
    expect(sessionCookie(deployed, token)).toBe(
      `__Host-spool=${token}; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=2592000`,
    );
    expect(visitorCookie(local, token)).toBe(`spool_8787=${token}; Path=/; HttpOnly; SameSite=Lax`);
    expect(noCookie(deployed)).toBe('__Host-spool=; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=0');
  });

  it.each([
    [`__Host-spool=${token}`, token],
    [`theme=dark; __Host-spool=${token}; x=y`, token],
    [`spool_8787=${token}`, null],
    [`__Secure-spool=${token}`, null],
    ['__Host-spool=short', null],
    [`__Host-spool=${token}=`, token],
    [`__Host-spool="${token}"`, null],
    ['', null],
    [undefined, null],
  ])('is read from %j as %j', (header, expected) => {
    expect(cookieToken(deployed, header)).toBe(expected);
  });
});

describe('the page after signing in', () => {
  it.each([
    ['/app', '/app'],
    ['/app/settings', '/app/settings'],
    ['/app/acct_1/keys?a=b', '/app/acct_1/keys?a=b'],
    ['/app/./settings', '/app/settings'],
    ['/app/../docs', '/app'],
    ['/app/..//evil.example', '/app'],
    ['/app/%2e%2e/docs', '/app'],
    ['//evil.example/app', '/app'],
    ['/app\\..\\..\\evil', '/app'],
    ['https://spool.example.com/app', '/app'],
    ['javascript:alert(1)//app', '/app'],
    ['/app\u0000', '/app'],
  ])('for %j is %j', (text, expected) => {
    expect(ownPath(text, deployed)).toBe(expected);
  });
});

describe('the name of a browser', () => {
  it.each([
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Mobile/15E148 Safari/604.1',
      'Safari on iOS',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0',
      'Edge on Windows',
    ],
    ['<script>alert(1)</script>', 'A browser on an unknown system'],
    ['', 'A browser on an unknown system'],
  ])('of %j is %j', (agent, expected) => {
    expect(browserName(agent)).toBe(expected);
  });
});

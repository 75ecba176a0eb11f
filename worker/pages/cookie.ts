import { SESSION_DAYS } from '../services/sign-in/session-length.ts';

const TOKEN = /^[\w-]{43}$/;

/**
 * The one cookie of the pages. Over HTTPS its name begins with `__Host-`, which binds it to this host. A local service has no
 * HTTPS, where not every browser accepts such a cookie; its port is in the name, because cookies are shared among ports.
 */
function cookieName(publicUrl: string): string {
  const { protocol, port } = new URL(publicUrl);
  return protocol === 'https:' ? '__Host-spool' : `spool_${port || '80'}`;
}

/** The token in a Cookie header; null if there is none. */
export function cookieToken(publicUrl: string, header: string | undefined): string | null {
  const name = cookieName(publicUrl);
  for (const pair of (header ?? '').split(';')) {
    const [key, value = ''] = pair.trim().split('=', 2);
    if (key === name && TOKEN.test(value)) return value;
  }
  return null;
}

function setCookie(publicUrl: string, value: string, lifetime: string): string {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  return `${cookieName(publicUrl)}=${value}; Path=/; HttpOnly; SameSite=Lax${secure}${lifetime}`;
}

/** Set-Cookie of a session. */
export const sessionCookie = (publicUrl: string, token: string) =>
  setCookie(publicUrl, token, `; Max-Age=${SESSION_DAYS * 24 * 3600}`);

/** Set-Cookie for somebody who is not signed in, until the browser is closed. */
export const visitorCookie = (publicUrl: string, token: string) => setCookie(publicUrl, token, '');

export const noCookie = (publicUrl: string) => setCookie(publicUrl, '', '; Max-Age=0');

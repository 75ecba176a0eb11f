const LONGEST = 500;

/** A path of the dashboard to go to after signing in; anything else becomes `/app`. */
export function ownPath(text: string, publicUrl: string): string {
  if (text.length > LONGEST || !/^\/app(?:[/?]|$)/.test(text) || !URL.canParse(text, publicUrl))
    return '/app';
  const { origin, pathname, search } = new URL(text, publicUrl);
  const isOwn =
    origin === publicUrl && /^\/app(?:\/|$)/.test(pathname) && !pathname.startsWith('/app/sign-in');
  return isOwn ? pathname + search : '/app';
}

/** What leads back to a page after signing in, without its query where that is too long. */
export const pathBackTo = ({ pathname, search }: URL): string =>
  pathname.length + search.length <= LONGEST ? pathname + search : pathname;

/** A page of signing in that goes on to another one. */
export const withNext = (path: string, next: string): string =>
  next === '/app' ? path : `${path}?next=${encodeURIComponent(next)}`;

export const LONGEST_OWN_PATH = 500;

/** A path of the dashboard to go to after signing in; anything else becomes `/app`. */
export function ownPath(text: string, publicUrl: string): string {
  if (text.length > LONGEST_OWN_PATH || !/^\/app(?:[/?]|$)/.test(text) || !URL.canParse(text, publicUrl))
    return '/app';
  const { origin, pathname, search } = new URL(text, publicUrl);
  const isOwn =
    origin === publicUrl && /^\/app(?:\/|$)/.test(pathname) && !pathname.startsWith('/app/sign-in');
  return isOwn ? pathname + search : '/app';
}

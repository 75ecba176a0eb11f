import { sharePages } from './share-pages.ts';

/**
 * Explains why a URL is not a direct link to a file and how to get one; null if it may be one. Based only on host and path, and
 * only for certain cases; everything else is found when the URL is fetched.
 */
export function sharePageProblem(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  const host = url.hostname.replace(/\.$/, '').replace(/^www\./, '');
  const page = sharePages.find(
    ({ hosts, isPage }) => hosts.some((name) => isHost(host, name)) && isPage(url),
  );
  return page ? `The URL is a page of ${page.service}, not a file. ${page.direct(url)}` : null;
}

function isHost(host: string, name: string): boolean {
  return name.startsWith('*.') ? host.endsWith(name.slice(1)) : host === name;
}

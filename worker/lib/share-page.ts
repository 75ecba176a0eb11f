import { sharePages } from './share-pages.ts';

/**
 * Why a URL is no link to a file and how to get one; null where it may well be one. Told by its host and path alone, and only
 * where it is sure: whatever else is at a URL is found out when it is fetched.
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

import { addressIsLoopback } from './address.ts';

type DevOrigins = { wrong: null; origins: ReadonlySet<string> } | { wrong: string };

/** Parses a comma-separated list of exact loopback origins; `wrong` lists the entries that are not one. */
export function parseDevOrigins(text: string): DevOrigins {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const wrong = parts.find((part) => !isLoopbackOrigin(part));
  if (wrong !== undefined) return { wrong: `"${wrong}" is not an exact loopback origin` };
  return { wrong: null, origins: new Set(parts.map((part) => new URL(part).origin)) };
}

function isLoopbackOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, origin } = new URL(text);
  const loopback = hostname === 'localhost' || addressIsLoopback(hostname.replace(/^\[|\]$/g, ''));
  return /^https?:$/.test(protocol) && loopback && origin === text.replace(/\/$/, '');
}

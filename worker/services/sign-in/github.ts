import { z } from 'zod';
import { newId } from '../../../schema/task/ids.ts';
import { Outage } from '../../lib/outage.ts';
import { toBase64url } from '../../lib/text/base64url.ts';
import type { PeopleContext } from '../../people-context.ts';
import type { Person } from '../../repos/people/people.ts';
import { personOf } from './begin-session.ts';
import type { Browser } from './browser.ts';
import { emailAddress } from './email-address.ts';
import { noteChallenge } from './note-challenge.ts';
import { makeToken } from './secrets.ts';
import { CODE_MINUTES } from './send-code.ts';

const TIMEOUT_MS = 10_000;
const tokenResponse = z.object({ access_token: z.string() });
const userResponse = z.object({ id: z.number().int(), login: z.string().max(100) });
const emailsResponse = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

/** Whether the operator has set up GitHub. */
export const hasGitHub = ({ config }: PeopleContext): boolean =>
  config.GITHUB_CLIENT_ID !== '' && config.GITHUB_CLIENT_SECRET !== '';

const callbackOf = ({ config }: PeopleContext) => `${config.PUBLIC_URL}/app/sign-in/github`;

/**
 * The page of GitHub that asks for consent. The state is good for this browser, once.
 * @returns null if this client has asked too often
 */
export async function askGitHub(
  context: PeopleContext,
  browser: Browser,
  next: string,
): Promise<string | null> {
  const now = Date.now();
  const state = makeToken();
  const noted = await noteChallenge(
    context,
    {
      id: newId('challenge', now),
      ...{ purpose: 'github', email: null, codeHash: null, next },
      secretHash: await context.hash('github', state),
      ...{ createdAt: now, expiresAt: now + CODE_MINUTES * 60_000 },
    },
    browser,
  );
  if (!noted) return null;
  const url = new URL('/login/oauth/authorize', context.config.GITHUB_URL);
  url.search = String(
    new URLSearchParams({
      client_id: context.config.GITHUB_CLIENT_ID,
      redirect_uri: callbackOf(context),
      scope: 'user:email',
      state,
      code_challenge: await sha256(await verifierOf(context, state)),
      code_challenge_method: 'S256',
    }),
  );
  return url.href;
}

/**
 * The person who comes back from GitHub. An account there is connected to a person by its id; on its first use, by its primary
 * address, if GitHub has verified it.
 * @returns null if the state is not this browser's, GitHub refuses, or the address is not verified
 */
export async function takeGitHub(
  context: PeopleContext,
  answer: { state: string; code: string },
  browser: Browser,
): Promise<{ person: Person; next: string } | null> {
  const { state, code } = answer;
  const challenge = await context.challenges.take(await context.hash('github', state), 'github', Date.now());
  if (!challenge || challenge.browser !== (await context.hash('browser', browser.token))) return null;
  const token = await accessToken(context, code, await verifierOf(context, state));
  if (token === null) return null;
  const { id, login } = userResponse.parse(await read(context, '/user', token));
  const known = await context.people.byIdentity('github', String(id));
  if (known) return { person: known, next: challenge.next };
  const emails = emailsResponse.parse(await read(context, '/user/emails', token));
  const primary = emails.find((one) => one.primary && one.verified);
  const email = primary && emailAddress(primary.email);
  if (!email) return null;
  const person = await personOf(context, email);
  const identity = { provider: 'github', subject: String(id), personId: person.id, label: login } as const;
  const connected = await context.people.connect({ ...identity, createdAt: Date.now() });
  return connected ? { person, next: challenge.next } : null;
}

/** The secret of PKCE (RFC 7636), derived from the state in place of being stored. */
const verifierOf = (context: PeopleContext, state: string) => context.hash('pkce', state);

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return toBase64url(new Uint8Array(digest));
}

/** Null if GitHub does not accept the code. */
async function accessToken(context: PeopleContext, code: string, verifier: string): Promise<string | null> {
  const { config } = context;
  const response = await ask(new URL('/login/oauth/access_token', config.GITHUB_URL), {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      client_id: config.GITHUB_CLIENT_ID,
      client_secret: config.GITHUB_CLIENT_SECRET,
      code,
      redirect_uri: callbackOf(context),
      code_verifier: verifier,
    }),
  });
  const { data } = tokenResponse.safeParse(await response.json().catch(() => null));
  return data?.access_token ?? null;
}

async function read({ config }: PeopleContext, path: string, token: string): Promise<unknown> {
  const response = await ask(new URL(config.GITHUB_API_URL + path), {
    headers: {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${token}`,
      'user-agent': 'spool',
    },
  });
  if (!response.ok) throw new Error(`GitHub answered ${response.status} at ${path}`);
  return response.json();
}

/** @throws Outage if GitHub does not answer, or not now */
async function ask(url: URL, init: RequestInit): Promise<Response> {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) }).catch((cause) => {
    throw new Outage('GitHub did not answer', { cause });
  });
  if (response.status === 429 || response.status >= 500)
    throw new Outage(`GitHub answered ${response.status}`);
  return response;
}

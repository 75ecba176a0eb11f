import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { z } from 'zod';
import { fromBase64, toBase64 } from '../../../schema/bytes.ts';
import { newId } from '../../../schema/task/ids.ts';
import { log } from '../../lib/log.ts';
import type { PeopleContext } from '../../people-context.ts';
import type { Person } from '../../repos/people/people.ts';
import type { Browser } from './browser.ts';
import { noteChallenge } from './note-challenge.ts';
import { passkeyDomain } from './passkey-domain.ts';
import { CODE_MINUTES } from './send-code.ts';

export const MAX_PASSKEYS = 20;

const text = z.string().max(8000);
const registration = z.object({
  id: text,
  rawId: text,
  type: z.literal('public-key'),
  response: z.object({ clientDataJSON: text, attestationObject: text }),
  clientExtensionResults: z.object({}).default({}),
});
const assertion = z.object({
  id: text,
  rawId: text,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: text,
    authenticatorData: text,
    signature: text,
    userHandle: text.optional(),
  }),
  clientExtensionResults: z.object({}).default({}),
});

/** The options of `navigator.credentials.create`, as JSON; null if this client has asked too often. */
export async function registrationOptions(
  context: PeopleContext,
  person: Person,
  browser: Browser,
): Promise<string | null> {
  const known = await context.passkeys.list(person.id);
  const options = await generateRegistrationOptions({
    rpName: 'Spool',
    rpID: passkeyDomain(context) ?? '',
    userID: Uint8Array.from(new TextEncoder().encode(person.id)),
    userName: person.email,
    attestationType: 'none',
    excludeCredentials: known.map(({ id }) => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  return asked(context, options, browser);
}

/**
 * The options of `navigator.credentials.get`, as JSON. They are the same for everybody.
 * @returns null if this client has asked too often
 */
export async function signInOptions(context: PeopleContext, browser: Browser): Promise<string | null> {
  const options = await generateAuthenticationOptions({
    rpID: passkeyDomain(context) ?? '',
    userVerification: 'required',
  });
  return asked(context, options, browser);
}

/** @returns false if the answer does not prove a new passkey of this browser's challenge, or there are too many */
export async function addPasskey(
  context: PeopleContext,
  person: Person,
  label: string,
  answer: string,
  browser: Browser,
): Promise<boolean> {
  const { data } = registration.safeParse(parsed(answer));
  if (!data) return false;
  const verified = await verifyRegistrationResponse({
    response: data,
    expectedChallenge: (challenge) => takeChallenge(context, challenge, browser),
    expectedOrigin: context.config.PUBLIC_URL,
    expectedRPID: passkeyDomain(context) ?? '',
    requireUserVerification: true,
  }).catch(refused);
  if (!verified?.verified || !verified.registrationInfo) return false;
  const { id, publicKey, counter } = verified.registrationInfo.credential;
  return context.passkeys.add(
    {
      ...{ id, personId: person.id, label, counter },
      publicKey: toBase64(publicKey),
      createdAt: Date.now(),
    },
    MAX_PASSKEYS,
  );
}

/** The person whose passkey signed this browser's challenge; null if none did. */
export async function takePasskey(
  context: PeopleContext,
  answer: string,
  browser: Browser,
): Promise<Person | null> {
  const { data } = assertion.safeParse(parsed(answer));
  if (!data) return null;
  const { userHandle, ...response } = data.response;
  const found = await context.passkeys.find(data.id);
  if (!found) return null;
  const verified = await verifyAuthenticationResponse({
    response: { ...data, response: userHandle === undefined ? response : { ...response, userHandle } },
    expectedChallenge: (challenge) => takeChallenge(context, challenge, browser),
    expectedOrigin: context.config.PUBLIC_URL,
    expectedRPID: passkeyDomain(context) ?? '',
    requireUserVerification: true,
    credential: {
      id: found.passkey.id,
      publicKey: fromBase64(found.passkey.publicKey),
      counter: found.passkey.counter,
    },
  }).catch(refused);
  if (!verified?.verified) return null;
  await context.passkeys.noteUse(found.passkey.id, verified.authenticationInfo.newCounter, Date.now());
  return found.person;
}

/** The library throws where an answer is not what was asked for. */
function refused(error: unknown): null {
  log('info', 'passkey_refused', { error: error instanceof Error ? error.message : 'unknown' });
  return null;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

/** The options as JSON, once their challenge is noted. */
async function asked(
  context: PeopleContext,
  options: { challenge: string },
  browser: Browser,
): Promise<string | null> {
  const now = Date.now();
  const noted = await noteChallenge(
    context,
    {
      id: newId('challenge', now),
      ...{ purpose: 'passkey', email: null, codeHash: null, next: '' },
      secretHash: await context.hash('passkey', options.challenge),
      ...{ createdAt: now, expiresAt: now + CODE_MINUTES * 60_000 },
    },
    browser,
  );
  return noted ? JSON.stringify(options) : null;
}

async function takeChallenge(context: PeopleContext, challenge: string, browser: Browser): Promise<boolean> {
  const taken = await context.challenges.take(
    await context.hash('passkey', challenge),
    'passkey',
    Date.now(),
  );
  return taken !== null && taken.browser === (await context.hash('browser', browser.token));
}

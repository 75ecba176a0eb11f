import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, startService } from '../../harness.ts';
import { makeCanary } from '../../log-canaries.ts';
import { Browser, signIn } from './browser.ts';
import { askOften, rows } from './rows.ts';

interface GitHubUser {
  id: number;
  login: string;
  emails: { email: string; primary: boolean; verified: boolean }[];
}

let service: Service;
let server: Server;
let gitHub: string;
/** Who consents at GitHub next. */
let user: GitHubUser;
const secret = makeCanary();
/** What GitHub was sent with its codes. */
const challenges = new Map<string, string>();
const refused: string[] = [];

/** As much of GitHub as signing in needs, with its checks of codes, secrets and PKCE. */
function startGitHub(): Promise<Server> {
  const tokens = new Map<string, GitHubUser>();
  const stand = createServer(async (request, response) => {
    const json = (body: unknown) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    let body = '';
    for await (const chunk of request) body += chunk;
    if (request.url === '/login/oauth/access_token') {
      const form = new URLSearchParams(body);
      const verifier = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url');
      const code = form.get('code') ?? '';
      const good = form.get('client_secret') === secret && challenges.get(code) === verifier;
      challenges.delete(code);
      if (!good) {
        refused.push(code);
        return json({ error: 'bad_verification_code' });
      }
      const token = crypto.randomUUID();
      tokens.set(token, user);
      return json({ access_token: token, token_type: 'bearer' });
    }
    const known = tokens.get(request.headers.authorization?.replace('Bearer ', '') ?? '');
    if (!known || !request.headers['user-agent']) return response.writeHead(401).end();
    return json(request.url === '/user' ? { id: known.id, login: known.login } : known.emails);
  });
  return new Promise((resolve) => stand.listen(0, '127.0.0.1', () => resolve(stand)));
}

beforeAll(async () => {
  server = await startGitHub();
  gitHub = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  service = await startService({
    ...{ TRANSCODER_URL: 'http://127.0.0.1:9', MAIL: 'outbox', SIGN_UP: 'inactive' },
    ...{
      GITHUB_CLIENT_ID: 'an-app',
      GITHUB_CLIENT_SECRET: secret,
      GITHUB_URL: gitHub,
      GITHUB_API_URL: gitHub,
    },
  });
});
afterAll(async () => {
  await service.close();
  await new Promise((resolve) => server.close(resolve));
});

/** Goes to GitHub and consents. @returns the path that GitHub sends the browser back to */
async function consent(browser: Browser, as: GitHubUser): Promise<string> {
  await browser.open('/app/sign-in');
  const response = await browser.post('/app/sign-in/github');
  const url = new URL(response.headers.get('location') ?? '');
  expect([response.status, url.origin, url.pathname]).toEqual([303, gitHub, '/login/oauth/authorize']);
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    ...{ client_id: 'an-app', redirect_uri: `${service.url.origin}/app/sign-in/github` },
    ...{ scope: 'user:email', code_challenge_method: 'S256' },
  });
  user = as;
  const code = crypto.randomUUID();
  challenges.set(code, url.searchParams.get('code_challenge') ?? '');
  return `/app/sign-in/github?code=${code}&state=${url.searchParams.get('state')}`;
}

/** Comes back from GitHub and presses the button. */
async function finish(browser: Browser, path: string) {
  await browser.open(path);
  const { searchParams } = new URL(path, service.url);
  return browser.submit('/app/sign-in/github/finish', Object.fromEntries(searchParams));
}

const octocat = (id: number, email: string, flags = {}): GitHubUser => ({
  id,
  login: `octocat-${id}`,
  emails: [{ email, primary: true, verified: true, ...flags }],
});
const peopleWith = (email: string) =>
  rows<{ id: string }>(service, 'select id from people where email = ?', email);

describe('GitHub', () => {
  it('signs a new person in, with an account whose subscription is inactive, and knows them by id afterwards', async () => {
    const browser = new Browser(service);
    expect((await finish(browser, await consent(browser, octocat(1, 'One@Example.com')))).path).toMatch(
      /home$/,
    );
    expect(browser.text).toContain('The subscription is inactive');
    const again = new Browser(service);
    await finish(again, await consent(again, octocat(1, 'another@example.com')));
    await again.open('/app/settings');
    expect(again.text).toContain('You sign in as one@example.com');
    expect(again.text).toContain('octocat-1 at GitHub signs you in');
    expect(await peopleWith('another@example.com')).toEqual([]);
  });

  it('asks a client to wait that has asked too often', async () => {
    const browser = new Browser(service);
    await consent(browser, octocat(9, 'nine@example.com'));
    const forget = await askOften(service);
    await browser.open('/app/sign-in');
    const response = await browser.post('/app/sign-in/github');
    expect([response.status, await response.text()]).toEqual([429, expect.stringContaining('Wait an hour')]);
    await forget();
  });

  it('may show its sends to the page of the form only', async () => {
    const { headers } = await new Browser(service).send('/app/sign-in');
    expect(headers.get('content-security-policy')).toContain(`form-action 'self' ${gitHub};`);
  });

  it('does not sign in when its address is opened without the button', async () => {
    const browser = new Browser(service);
    const path = await consent(browser, octocat(2, 'two@example.com'));
    for (const method of ['GET', 'HEAD']) expect((await browser.send(path, { method })).status).toBe(200);
    expect(await peopleWith('two@example.com')).toEqual([]);
    expect((await finish(browser, path)).status).toBe(200);
  });

  it('connects no address that it has not verified, and none that is not the primary one', async () => {
    await signIn(service, new Browser(service), 'victim@example.com');
    for (const flags of [{ verified: false }, { primary: false }]) {
      const attacker = new Browser(service);
      const at = await finish(attacker, await consent(attacker, octocat(3, 'victim@example.com', flags)));
      expect(at.status).toBe(403);
      expect((await attacker.open('/app/settings')).path).toMatch(/^\/app\/sign-in/);
    }
    expect(await rows(service, "select * from identities where subject = '3'")).toEqual([]);
  });

  it('connects a verified address to the person who proved it by mail', async () => {
    const mail = new Browser(service);
    await signIn(service, mail, 'both@example.com');
    const browser = new Browser(service);
    await finish(browser, await consent(browser, octocat(4, 'both@example.com')));
    await browser.open('/app/settings');
    expect(browser.text).toContain('You sign in as both@example.com');
    expect(await peopleWith('both@example.com')).toHaveLength(1);
  });

  it('finds no trace of somebody who had typed the address before', async () => {
    const early = new Browser(service);
    await early.open('/app/sign-in');
    await early.submit('/app/sign-in', { email: 'early@example.com' });
    const owner = new Browser(service);
    await finish(owner, await consent(owner, octocat(5, 'early@example.com')));
    expect((await owner.open('/app/settings')).path).toBe('/app/settings');
    expect((await early.open('/app/settings')).path).toMatch(/^\/app\/sign-in/);
    expect(
      await rows(
        service,
        "select id from sessions where person_id = (select id from people where email = 'early@example.com')",
      ),
    ).toHaveLength(1);
  });

  it('takes an answer once, in the browser that asked', async () => {
    const [attacker, victim] = [new Browser(service), new Browser(service)];
    const path = await consent(attacker, octocat(6, 'attacker@example.com'));
    expect((await finish(victim, path)).status, 'a victim who is sent the address of an attacker').toBe(403);
    expect((await victim.open('/app/settings')).path).toMatch(/^\/app\/sign-in/);
    const own = new Browser(service);
    const good = await consent(own, octocat(7, 'seven@example.com'));
    const token = own.formToken;
    const visitor = new Map(own.cookies);
    await finish(own, good);
    const replay = new Browser(service);
    for (const [name, value] of visitor) replay.cookies.set(name, value);
    const fields = Object.fromEntries(new URL(good, service.url).searchParams);
    expect((await replay.post('/app/sign-in/github/finish', { ...fields, form_token: token })).status).toBe(
      403,
    );
  });

  it('is refused where it does not accept the code, and without a state', async () => {
    const browser = new Browser(service);
    const path = await consent(browser, octocat(8, 'eight@example.com'));
    const state = new URL(path, service.url).searchParams.get('state') ?? '';
    expect((await finish(browser, `/app/sign-in/github?code=wrong&state=${state}`)).status).toBe(403);
    expect(refused).toContain('wrong');
    expect((await browser.open('/app/sign-in/github?error=access_denied')).status).toBe(403);
    expect((await finish(browser, '/app/sign-in/github?code=x&state=')).status).toBe(403);
  });

  it('signs in no longer once it is disconnected', async () => {
    const browser = new Browser(service);
    await finish(browser, await consent(browser, octocat(9, 'nine@example.com')));
    await browser.open('/app/settings');
    await browser.submit('/app/settings/github/disconnect');
    expect(browser.text).not.toContain('at GitHub');
    expect(await rows(service, "select * from identities where subject = '9'")).toEqual([]);
  });
});

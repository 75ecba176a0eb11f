import type { Context as HonoContext } from 'hono';
import type { JSX } from 'hono/jsx/jsx-runtime';
import { sameText } from '../../schema/api/signature.ts';
import type { AppEnv } from '../app-env.ts';
import type { Context } from '../context.ts';
import { callerAddress } from '../lib/caller-address.ts';
import { errorText, log } from '../lib/log.ts';
import { isOutage, unavailable } from '../lib/outage.ts';
import { Problem } from '../lib/problem.ts';
import { readText } from '../lib/read-text.ts';
import { makePeopleContext, type PeopleContext } from '../people-context.ts';
import type { Caller } from '../repos/keys.ts';
import type { Membership } from '../repos/people/members.ts';
import { membershipOf } from '../services/members/accounts.ts';
import { findSession, isFresh } from '../services/sign-in/find-session.ts';
import { hasGitHub } from '../services/sign-in/github.ts';
import { makeToken } from '../services/sign-in/secrets.ts';
import { browserName } from './browser-name.ts';
import { cookieToken, noCookie, sessionCookie, visitorCookie } from './cookie.ts';
import { pathBackTo, withNext } from './own-path.ts';
import { PageError } from './page-error.ts';
import { contentSecurityPolicy, pageText } from './shell.tsx';
import type { MemberVisit, PageOptions, PageRoute, PersonVisit, Visit } from './visit.ts';

type C = HonoContext<AppEnv>;

const MAX_FORM_BYTES = 64 * 1024;
const contexts = new WeakMap<Context, PeopleContext>();

/** Answers the request for a page: finds the session, decides whether it may, and shows errors as pages. */
export async function answerPage(c: C, route: PageRoute): Promise<Response> {
  const visit = await visitOf(c);
  try {
    if (visit.known) visit.signedIn = await findSession(visit.context, visit.browser.token);
    if (route.method === 'post') await readForm(c, visit, route.formBytes);
    return await handle(route, visit);
  } catch (error) {
    if (error instanceof PageError) return messagePage(visit, error);
    log('error', 'page_failed', {
      request_id: c.get('requestId'),
      path: c.req.path,
      error: errorText(error),
    });
    const requestId = `If it happens again, contact support with the id ${c.get('requestId')}.`;
    const away = isOutage(error);
    const what = away ? 'Temporarily unavailable' : 'Something went wrong';
    const advice = away ? 'Try again in a few seconds.' : 'Try again.';
    return messagePage(visit, new PageError(away ? 503 : 500, what, `${advice} ${requestId}`));
  }
}

interface OpenVisit extends Visit {
  /** Whether the browser already had a token. */
  known: boolean;
  form: URLSearchParams;
  caller: Caller | null;
}

async function handle(route: PageRoute, visit: OpenVisit): Promise<Response> {
  if (route.access === 'anyone') return (await route.load())(visit);
  if (!isSignedIn(visit)) {
    const next = route.method === 'get' ? pathBackTo(visit.url) : '/app';
    return visit.redirect(withNext('/app/sign-in', next));
  }
  if (route.access === 'person') {
    if (route.fresh && !isFresh(visit.signedIn.session, Date.now()))
      return askForProof(visit, '/app/settings');
    return (await route.load())(visit);
  }
  const { person } = visit.signedIn;
  visit.membership = await membershipOf(visit.context, visit.param('account'), person);
  visit.caller = visit.membership && callerOf(visit.membership);
  if (!isMember(visit))
    throw new PageError(404, 'Not found', 'This page does not exist, or it is not yours.');
  if (route.access === 'owner' && visit.membership.role !== 'owner') {
    throw new PageError(403, 'Only for owners', 'Ask an owner of this account.');
  }
  if (route.fresh && !isFresh(visit.signedIn.session, Date.now())) {
    return askForProof(visit, visit.url.pathname.split('/').slice(0, 4).join('/'));
  }
  return (await route.load())(visit);
}

const isSignedIn = <V extends Visit>(visit: V): visit is V & PersonVisit => visit.signedIn !== null;
const isMember = <V extends PersonVisit>(visit: V): visit is V & MemberVisit => visit.membership !== null;

const callerOf = ({ account: { id, plan, subscription } }: Membership): Caller => ({
  accountId: id,
  plan,
  subscription,
});

const askForProof = (visit: Visit, next: string) => visit.redirect(withNext('/app/prove', next));

/**
 * Reads the form of a POST. Its Origin has to be this service, and its token that of the cookie: other sites know neither.
 * @throws PageError
 */
async function readForm(c: C, visit: OpenVisit, maxBytes = MAX_FORM_BYTES): Promise<void> {
  const { PUBLIC_URL } = visit.context.config;
  if (c.req.header('origin') !== PUBLIC_URL) {
    throw new PageError(403, 'This form came from another site', `Open ${PUBLIC_URL}/app and try again.`);
  }
  const type = c.req.header('content-type') ?? '';
  if (!/^application\/x-www-form-urlencoded(?:;|$)/i.test(type)) {
    throw new PageError(415, 'This is not a form', 'Send application/x-www-form-urlencoded.');
  }
  visit.form = new URLSearchParams(await formText(c.req.raw, maxBytes));
  if (!sameText(visit.field('form_token'), visit.formToken)) {
    throw new PageError(403, 'This form is out of date', 'Go back, reload the page and try again.');
  }
}

async function formText(request: Request, maxBytes: number): Promise<string> {
  try {
    return await readText(request, maxBytes);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw new PageError(413, 'This form is too large', 'Shorten what you entered.');
  }
}

async function visitOf(c: C): Promise<OpenVisit> {
  const core = c.get('context');
  const context = contexts.get(core) ?? makePeopleContext(c.env, core);
  contexts.set(core, context);
  const { PUBLIC_URL, GITHUB_URL } = context.config;
  const known = cookieToken(PUBLIC_URL, c.req.header('cookie'));
  const token = known ?? makeToken();
  const { city, country } = (c.req.raw.cf ?? {}) as { city?: string; country?: string };
  const redirect = (path: string, cookie?: string) =>
    new Response(null, {
      status: 303,
      headers: {
        location: path,
        'cache-control': 'no-store',
        ...(cookie === undefined ? {} : { 'set-cookie': cookie }),
      },
    });
  const visit: OpenVisit = {
    context,
    core,
    url: new URL(c.req.url),
    requestId: c.get('requestId'),
    form: new URLSearchParams(),
    browser: {
      token,
      address: callerAddress((name) => c.req.header(name)),
      agent: browserName(c.req.header('user-agent') ?? ''),
      place: [city, country].filter((name) => name !== undefined).join(', '),
    },
    known: known !== null,
    signedIn: null,
    membership: null,
    caller: null,
    formToken: await context.hash('form', token),
    param: (name) => c.req.param(name) ?? '',
    header: (name) => c.req.header(name),
    field: (name) => visit.form.get(name) ?? '',
    fields: (name) => visit.form.getAll(name),
    page(title: string, body: JSX.Element, options: PageOptions = {}) {
      const { status = 200, scripts = [], formTargets = [], connectTargets = [] } = options;
      const gitHub = hasGitHub(context) ? [GITHUB_URL] : [];
      return new Response(pageText(visit, title, body, scripts), {
        status,
        headers: {
          'content-type': 'text/html; charset=utf-8',
          'cache-control': 'no-store',
          'content-security-policy': contentSecurityPolicy([...gitHub, ...formTargets], connectTargets),
          // Without it, browsers send `Origin: null` with the forms.
          'referrer-policy': 'same-origin',
          ...(known === null ? { 'set-cookie': visitorCookie(PUBLIC_URL, token) } : {}),
        },
      });
    },
    redirect: (path) => redirect(path),
    leave: (url) => redirect(url),
    enter: (session, path) => redirect(path, sessionCookie(PUBLIC_URL, session)),
    exit: (path) => redirect(path, noCookie(PUBLIC_URL)),
  };
  return visit;
}

function messagePage(visit: Visit, { status, title, message }: PageError): Response {
  const body = (
    <>
      <h1>{title}</h1>
      <p class="lead">{message}</p>
      <p>
        <a href="/app">Go to the dashboard</a>
      </p>
    </>
  );
  const page = visit.page(title, body, { status });
  if (status === 503)
    for (const [name, value] of Object.entries(unavailable().headers)) page.headers.set(name, value);
  return page;
}

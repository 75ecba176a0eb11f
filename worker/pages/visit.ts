import type { JSX } from 'hono/jsx/jsx-runtime';
import type { Context } from '../context.ts';
import type { PeopleContext } from '../people-context.ts';
import type { Caller } from '../repos/keys.ts';
import type { Membership } from '../repos/people/members.ts';
import type { Browser } from '../services/sign-in/browser.ts';
import type { SignedIn } from '../services/sign-in/find-session.ts';

/** Scripts in `web/assets/static/` that a page may need. */
export type ScriptName =
  | 'passkey'
  | 'playground'
  | 'refresh'
  | 'send-once'
  | 'shown-once'
  | 'task'
  | 'waveform';

export interface PageOptions {
  status?: 200 | 400 | 402 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 500 | 503;
  scripts?: readonly ScriptName[];
  /** Origins, in addition to this service, to which the forms of the page may lead. */
  formTargets?: readonly string[];
  /** Origins, in addition to this service, to which the scripts of the page may send requests. */
  connectTargets?: readonly string[];
}

/** One request of a browser for a page. */
export interface Visit {
  context: PeopleContext;
  /** What requests with a key work with, for pages about tasks. */
  core: Context;
  url: URL;
  requestId: string;
  browser: Browser;
  signedIn: SignedIn | null;
  membership: Membership | null;
  /** Goes into every form; a POST without it is refused. */
  formToken: string;
  /** A part of the path. */
  param(name: string): string;
  /** A header of the request. */
  header(name: string): string | undefined;
  /** A field of the form; empty if it is missing. */
  field(name: string): string;
  /** All values of a field that may be given several times. */
  fields(name: string): string[];
  page(title: string, body: JSX.Element, options?: PageOptions): Response;
  /** To another page of the dashboard, by GET. */
  redirect(path: string): Response;
  /** To a page of another site that the operator has set. */
  leave(url: string): Response;
  /** Puts the token of a new session into the cookie and goes on to a page. */
  enter(token: string, path: string): Response;
  /** Takes the cookie away and goes on to a page. */
  exit(path: string): Response;
}

export interface PersonVisit extends Visit {
  signedIn: SignedIn;
}

export interface MemberVisit extends PersonVisit {
  membership: Membership;
  /** The account of the page, as the services of tasks know it. */
  caller: Caller;
}

type Handler<V> = (visit: V) => Promise<Response> | Response;
type Load<V> = () => Promise<Handler<V>>;

interface Address {
  method: 'get' | 'post';
  path: string;
  /** Maximum size of its form, unless that of all is enough. */
  formBytes?: number;
}

/**
 * Who may open a page: anyone, a person who is signed in, or a member or owner of the account in the path. With `fresh`, the person
 * must have proven their identity in the last 15 minutes.
 */
export type PageRoute = Address &
  (
    | { access: 'anyone'; load: Load<Visit> }
    | { access: 'person'; fresh?: true; load: Load<PersonVisit> }
    | { access: 'member' | 'owner'; fresh?: true; load: Load<MemberVisit> }
  );

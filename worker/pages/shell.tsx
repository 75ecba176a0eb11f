import type { JSX } from 'hono/jsx/jsx-runtime';
import { Notice, Time } from './elements.tsx';
import { menu } from './menu.ts';
import type { ScriptName, Visit } from './visit.ts';

/** Pages may load and run only what this service serves, and send forms and requests only here and to the given origins. */
export function contentSecurityPolicy(
  formTargets: readonly string[],
  connectTargets: readonly string[],
): string {
  return [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "img-src 'self'",
    "media-src 'self'",
    `connect-src ${["'self'", ...connectTargets].join(' ')}`,
    "base-uri 'none'",
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "frame-ancestors 'none'",
  ].join('; ');
}

type About = Pick<Visit, 'signedIn' | 'membership' | 'formToken' | 'url'>;

/** A whole page. */
export function pageText(
  about: About,
  title: string,
  body: JSX.Element,
  scripts: readonly ScriptName[],
): string {
  const document = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} · Spool`}</title>
        <link rel="icon" href="/static/favicon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/static/docs.css" />
        <link rel="stylesheet" href="/static/app.css" />
        <script src="/static/docs.js" defer />
        {scripts.map((name) => (
          <script type="module" src={`/static/${name}.js`} />
        ))}
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to the content
        </a>
        <Bar {...about} />
        <div class="single">
          <main id="main">
            <PaymentNotice {...about} />
            {body}
          </main>
        </div>
      </body>
    </html>
  );
  return `<!doctype html>${document}`;
}

/** On every page of an account whose last payment failed. */
function PaymentNotice({ membership }: About) {
  if (!membership || membership.account.payBy === null) return null;
  const { id, payBy, subscription } = membership.account;
  return (
    <Notice kind="error">
      The last payment failed. <a href={`/app/${id}/billing`}>Change the card or pay the invoice</a>
      {subscription === 'active' ? (
        <>
          {' '}
          by <Time ms={payBy} />; until then, nothing changes.
        </>
      ) : (
        ' to make the subscription active again.'
      )}
    </Notice>
  );
}

function Bar({ signedIn, membership, formToken, url }: About) {
  const base = membership && `/app/${membership.account.id}`;
  const links = [
    ...menu
      .filter(({ only }) => membership && (only === undefined || only === membership.role))
      .map(({ path, text }) => ({ href: `${base}/${path}`, text })),
    ...(signedIn ? [{ href: '/app/accounts', text: 'Accounts' }] : []),
    ...(signedIn ? [{ href: '/app/settings', text: 'Settings' }] : []),
    { href: '/docs', text: 'Docs' },
  ];
  return (
    <header class="bar">
      <a class="brand" href={signedIn ? '/app' : '/'}>
        Spool
      </a>
      <nav aria-label="Pages">
        {links.map(({ href, text }) => (
          <a href={href} aria-current={href === url.pathname ? 'page' : undefined}>
            {text}
          </a>
        ))}
      </nav>
      {signedIn ? (
        <form class="leave" method="post" action="/app/sign-out">
          <input type="hidden" name="form_token" value={formToken} />
          <span class="who">{signedIn.person.email}</span>
          <button class="plain" type="submit">
            Sign out
          </button>
        </form>
      ) : null}
    </header>
  );
}

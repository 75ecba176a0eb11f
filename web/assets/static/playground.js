import { h } from './elements.js';
import { keepDraft, takeDraft } from './playground-draft.js';
import { requestFields } from './playground-groups.js';
import { follow, isSignIn, pageOf } from './playground-run.js';
import { acceptUploads } from './upload.js';

const form = document.querySelector('form[data-schema]');
const { request } = form.elements;
const news = document.getElementById('run-news');
const fault = document.getElementById('request-fault');
const data = (name) => JSON.parse(form.dataset[name]);
if (form.dataset.uploads) acceptUploads(form.dataset.uploads, form.elements.form_token.value);
const fields = requestFields(data('schema'), data('layout'), data('samples'));
form.querySelector('.fields').replaceChildren(fields.element);

/** Shows the request that was written in the fields; it is not valid JSON while it is being typed. */
function readRequest() {
  let value;
  try {
    value = JSON.parse(request.value);
  } catch {
    fault.textContent = 'This is not valid JSON yet. The fields show the last request that was.';
  }
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (value !== undefined && !isObject) fault.textContent = 'A request is an object: {…}';
  fault.hidden = isObject;
  if (isObject) fields.set(value);
  showCurl();
}

function writeRequest() {
  request.value = JSON.stringify(fields.get(), null, 2);
  fault.hidden = true;
  showCurl();
}

const curl = form.querySelector('.curl');
curl.hidden = false;
function showCurl() {
  const { url, keyHeader } = form.dataset;
  const lines = [
    `curl '${url}'`,
    `-H "X-API-Key: $SPOOL_API_KEY"`,
    ...(keyHeader && form.elements.provider_key.value !== '' ? [`-H "${keyHeader}: $PROVIDER_KEY"`] : []),
    `-H 'Content-Type: application/json'`,
    `-d '${request.value.replaceAll("'", `'\\''`)}'`,
  ];
  curl.querySelector('code').textContent = lines.join(' \\\n  ');
}

/** The text of an element, with backticks around its names. */
const textOf = ({ childNodes }) =>
  [...childNodes]
    .map(({ nodeName, textContent }) => (nodeName === 'CODE' ? `\`${textContent}\`` : textContent))
    .join('');

/** Shows each error, of the run or of the request, at its field, with a link to it. */
function showProblems() {
  const shown = new Set();
  const items = (part) => document.querySelectorAll(`#${part} [data-pointer]`);
  for (const item of [...items('run'), ...items('problem')]) {
    // A field with several errors shows the first.
    if (shown.has(item.dataset.pointer)) continue;
    shown.add(item.dataset.pointer);
    const parts = item.dataset.pointer
      .split('/')
      .slice(1)
      .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
    const id = fields.fail(parts, textOf(item));
    if (!id) continue;
    const go = (event) => {
      event.preventDefault();
      document.getElementById(id)?.focus();
    };
    item.replaceChildren(h('a', { href: `#${id}`, click: go }, ...item.childNodes));
  }
}

function clearProblems() {
  const problem = document.getElementById('problem');
  problem.hidden = true;
  problem.replaceChildren();
  news.textContent = '';
  fields.clear();
}

/** Puts a part of another page in the place of its own. */
function take(page, id) {
  document.getElementById(id).replaceWith(document.importNode(page.getElementById(id), true));
}

const UNEXPECTED = 'The service gave an unexpected answer. Try again.';

/** Says why nothing runs, or why it is no longer followed. */
function refuse(...says) {
  const problem = document.getElementById('problem');
  problem.className = 'notice error';
  problem.role = 'alert';
  problem.tabIndex = -1;
  problem.replaceChildren(h('p', {}, ...says));
  problem.hidden = false;
  return problem;
}

function refuseSignedOut() {
  keepDraft(() => request.value);
  const href = `/app/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`;
  return refuse(
    'Your session has ended. ',
    h('a', { href }, 'Sign in again'),
    ': the request stays as it is.',
  );
}

/** Why the request cannot be sent as it is; null if it can. */
function unfinished() {
  const { elements } = form;
  if (form.querySelector('.sending:not([hidden]) progress:not([hidden])'))
    return 'A file is still being sent. Run again once it is stored, or cancel it.';
  const unread = [...elements].find(({ validity }) => validity?.badInput);
  return unread ? `${unread.labels?.[0]?.textContent ?? 'A field'}: this is not a number.` : null;
}

async function send(submitter) {
  const response = await fetch(form.action, {
    method: 'POST',
    body: new URLSearchParams(new FormData(form, submitter)),
  });
  if (isSignIn(response)) return refuseSignedOut().focus();
  const page = await pageOf(response);
  const once = page.querySelector('input[name=once]');
  // The page has to be loaded again.
  if (response.status === 403) keepDraft(() => request.value);
  if (!once && response.redirected) return location.assign(response.url);
  if (!once) throw new Error(page.querySelector('main .lead')?.textContent || UNEXPECTED);
  keepDraft(null);
  form.elements.once.value = once.value;
  if (!response.ok) {
    take(page, 'problem');
    showProblems();
    return document.getElementById('problem').focus();
  }
  // A reload shows the task again. Until then, the fields keep what was typed.
  history.replaceState(null, '', response.url);
  take(page, 'run');
  document.getElementById('run-title').focus();
  followRun();
}

const followRun = () =>
  follow({
    onShown: showProblems,
    onSignedOut: refuseSignedOut,
    onGone: () => refuse('This run was deleted, or it is no longer yours.'),
  });

form.querySelector('.fields').addEventListener('input', writeRequest);
request.addEventListener('input', readRequest);
form.elements.provider_key?.addEventListener('input', showCurl);
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  if (form.ariaBusy === 'true') return;
  form.ariaBusy = 'true';
  clearProblems();
  try {
    const wrong = unfinished();
    if (wrong) refuse(wrong).focus();
    else await send(event.submitter);
  } catch (error) {
    refuse(error instanceof TypeError ? 'The service did not answer. Try again.' : error.message).focus();
  } finally {
    form.ariaBusy = 'false';
  }
});

request.value = takeDraft() ?? request.value;
readRequest();
showProblems();
followRun();

import { h, report } from './elements.js';
import { acceptsUploads, upload } from './upload.js';

let running = 0;
// A page that is left ends its uploads.
window.addEventListener('beforeunload', (event) => {
  if (running > 0) event.preventDefault();
});

/**
 * What a field of a source needs to take a file: a button, which also takes what is dropped on `element`, and the progress.
 * @returns null where the service accepts no uploads
 */
export function fileFor(input, name, fail) {
  if (!acceptsUploads()) return null;
  const chosen = h('input', {
    type: 'file',
    class: 'unseen',
    tabindex: '-1',
    'aria-label': `File for ${name}`,
  });
  const button = h(
    'button',
    {
      type: 'button',
      class: 'second',
      'aria-label': `Choose a file for ${name}`,
      click: () => chosen.click(),
    },
    'File…',
  );
  const bar = h('progress', { max: 1, 'aria-label': `Progress of ${name}` });
  const says = h('span', { role: 'status' });
  const cancel = h('button', { type: 'button', class: 'plain', click: () => stop?.abort() }, 'Cancel');
  const state = h('p', { class: 'sending', hidden: true }, bar, says, cancel);
  let stop = null;
  /** The source that the last file became. */
  let sent = null;

  /** Text about a file that the field no longer names is taken away. */
  function forget() {
    if (bar.hidden && input.value !== sent) state.hidden = true;
  }
  input.addEventListener('input', forget);
  input.addEventListener('shown', forget);

  async function take(file) {
    stop?.abort();
    const own = new AbortController();
    stop = own;
    bar.hidden = cancel.hidden = state.hidden = false;
    bar.value = 0;
    says.textContent = `Sending ${file.name}`;
    running++;
    try {
      const source = await upload(file, {
        signal: own.signal,
        onFraction: (fraction) => {
          bar.value = fraction;
        },
      });
      input.value = sent = source;
      report(input);
      says.textContent = `${file.name} is stored.`;
      bar.hidden = cancel.hidden = true;
    } catch (error) {
      if (stop !== own) return;
      state.hidden = true;
      if (!own.signal.aborted) fail(error.message);
    } finally {
      running--;
    }
  }
  chosen.addEventListener('change', () => {
    const [file] = chosen.files;
    chosen.value = '';
    if (file) take(file);
  });
  /** Takes a file that is dropped anywhere on the field. */
  function watch(element) {
    const holdsFile = ({ dataTransfer }) => dataTransfer?.types.includes('Files');
    element.addEventListener('dragover', (event) => {
      if (!holdsFile(event)) return;
      event.preventDefault();
      element.classList.add('drop');
    });
    element.addEventListener('dragleave', () => element.classList.remove('drop'));
    element.addEventListener('drop', (event) => {
      element.classList.remove('drop');
      const file = event.dataTransfer?.files[0];
      if (!file) return;
      event.preventDefault();
      take(file);
    });
  }
  return { tools: [button, chosen], state, watch };
}

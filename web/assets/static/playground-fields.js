import { h, report } from './elements.js';
import { boundsText, COLOR, fitness, isNumeric, kindOf, optionsOf } from './playground-schema.js';
import { fileFor } from './playground-upload.js';

// Form fields for values of a JSON Schema. A control has
//   element   what is shown
//   get()     its value; undefined if it is not set. What was set and not edited since is returned as it was
//   set(v)    shows a value, whatever it is; undefined clears it
//   fail(parts, text)  shows an error at the field that a JSON pointer leads to, and returns the id to go to

const NUMBER = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;

let ids = 0;

/** Text with names in backticks. */
const words = (text) => text.split('`').map((part, index) => (index % 2 === 0 ? part : h('code', {}, part)));

/** The label, description and error of one field. `body` holds `target`, which they belong to. */
export function frame({ name, schema, required, isPart }, target, ...body) {
  const id = `field-${++ids}`;
  const isGroup = target === null;
  const wrong = h('p', { class: 'wrong', id: `${id}-wrong`, hidden: true });
  const { description = '' } = schema;
  const fallback = schema.default === undefined ? '' : `default: \`${JSON.stringify(schema.default)}\``;
  const facts = [boundsText(schema), fallback].filter(Boolean).join(', ');
  const hint = h(
    'p',
    { class: 'hint', id: `${id}-hint` },
    ...words([description, facts && `(${facts})`].filter(Boolean).join(' ')),
  );
  const title = [h('code', {}, name), required && !isPart ? h('span', { class: 'mark' }, ' required') : ''];
  const head = isGroup ? h('legend', {}, ...title) : h('label', { for: id }, ...title);
  const element = isGroup
    ? h('fieldset', { class: 'field' }, head, hint, ...body, wrong)
    : h('div', { class: 'field' }, head, ...body, hint, wrong);
  const focused = target ?? element;
  focused.id = id;
  focused.setAttribute('aria-describedby', `${id}-hint ${id}-wrong`);
  if (isGroup) element.tabIndex = -1;
  else if (required) target.setAttribute('aria-required', 'true');
  const say = (text) => {
    wrong.replaceChildren(...words(text));
    wrong.hidden = text === '';
    if (!isGroup && text !== '') target.setAttribute('aria-invalid', 'true');
    else focused.removeAttribute('aria-invalid');
  };
  element.addEventListener('input', () => say(''));
  const fail = (text) => {
    say(text);
    return id;
  };
  return { element, fail };
}

/** Text, numbers, and values that are written as one or the other, such as times. */
export function text(about) {
  const { schema, required, isPart, samples = null } = about;
  const branches = schema.anyOf ?? [schema];
  const numeric = branches.find(isNumeric);
  const isNumber = branches.every(isNumeric);
  const isUrl = schema.format === 'uri';
  const isLong = !numeric && !isUrl && schema.maxLength > 500;
  const mayBeEmpty = !numeric && !isUrl && !schema.minLength && !schema.pattern;
  const type = isNumber ? 'number' : isUrl ? 'url' : 'text';
  let kept = true;
  let raw;

  const input = h(isLong ? 'textarea' : 'input', {
    ...(isLong ? { rows: 4 } : { type }),
    ...(isNumber
      ? { min: schema.minimum, max: schema.maximum, step: schema.type === 'integer' ? 1 : 'any' }
      : { autocomplete: 'off', spellcheck: isLong ? undefined : 'false' }),
    placeholder: typeof schema.default === 'object' ? undefined : schema.default,
    input: () => {
      kept = false;
    },
    change: () => {
      if (isNumber && !input.validity.valid) shown.fail(input.validationMessage);
    },
  });
  const tools = [];
  // A text that may be left out differs from an empty one, which takes something away.
  const emptied = mayBeEmpty && !required && !isPart ? emptyBox(about.name, input) : null;
  if (emptied) tools.push(emptied.label);
  if (schema.pattern === COLOR) tools.push(swatchOf(input, about.name));
  if (isUrl && samples?.length > 0) tools.push(samplesFor(input, about.name, samples));
  const file = isUrl && samples ? fileFor(input, about.name, (message) => shown.fail(message)) : null;
  if (file) tools.push(...file.tools);
  const constants = branches.filter((branch) => 'const' in branch);
  if (constants.length > 0) {
    const list = h(
      'datalist',
      { id: `list-${++ids}` },
      ...constants.map((one) => h('option', { value: one.const })),
    );
    input.setAttribute('list', list.id);
    tools.push(list);
  }
  const shown = frame(
    about,
    input,
    tools.length > 0 ? h('div', { class: 'with-tools' }, input, ...tools) : input,
    ...(file ? [file.state] : []),
  );
  file?.watch(shown.element);

  const written = () => {
    if (input.value === '') {
      const isText = mayBeEmpty && (required || emptied?.box.checked);
      return isText && !input.validity.badInput ? '' : undefined;
    }
    return numeric && NUMBER.test(input.value) ? Number(input.value) : input.value;
  };
  return {
    element: shown.element,
    get: () => (kept ? raw : written()),
    set(value) {
      [kept, raw] = [true, value];
      // A field for numbers shows nothing else.
      if (isNumber) input.type = value === undefined || typeof value === 'number' ? 'number' : 'text';
      input.value = value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
      if (emptied) emptied.box.checked = value === '';
      input.dispatchEvent(new Event('shown'));
    },
    fail: (_, message) => shown.fail(message),
  };
}

/** Whether an optional text is given, and empty. */
function emptyBox(name, input) {
  const box = h('input', {
    type: 'checkbox',
    'aria-label': `Empty ${name}`,
    input: () => {
      if (box.checked) input.value = '';
      report(input);
    },
  });
  input.addEventListener('input', () => {
    if (input.value !== '') box.checked = false;
  });
  return { box, label: h('label', { class: 'set' }, box, ' Empty') };
}

/** A picker of colors beside a field; the field has the value. */
function swatchOf(input, name) {
  const swatch = h('input', { type: 'color', 'aria-label': `Pick ${name}` });
  const show = () => {
    const color = input.value || input.placeholder;
    if (new RegExp(COLOR).test(color)) swatch.value = color;
  };
  input.addEventListener('input', show);
  input.addEventListener('shown', show);
  swatch.addEventListener('input', () => {
    input.value = swatch.value;
    report(input);
  });
  return swatch;
}

function samplesFor(input, name, samples) {
  const options = samples.map(({ title, url }) => h('option', { value: url }, title));
  const select = h(
    'select',
    { class: 'samples', 'aria-label': `Sample for ${name}` },
    h('option', { value: '' }, 'Sample…'),
    ...options,
  );
  select.addEventListener('change', () => {
    if (select.value === '') return;
    input.value = select.value;
    select.value = '';
    report(input);
  });
  return select;
}

/** One of several values or shapes. */
export function choice(about, control) {
  const { schema, required, samples } = about;
  const options = optionsOf(schema);
  let inner = null;
  /** A value that no option has. */
  let odd = null;
  const place = h('div', { class: 'inner' });
  const oddOption = h('option', { value: 'odd', hidden: true });
  const none = required ? 'Choose…' : 'default' in schema ? `Default (${schema.default})` : 'Not set';
  const select = h(
    'select',
    { input: () => show(options[select.value], undefined) },
    h('option', { value: '' }, none),
    ...options.map(({ label }, index) => h('option', { value: String(index) }, label)),
    oddOption,
  );
  const shown = frame(about, select, select, place);

  function show(option, value) {
    place.replaceChildren();
    inner = null;
    if (!option?.schema) return;
    // Items of a list are numbered with the name of the field.
    const name = kindOf(option.schema) === 'array' ? about.name : option.label;
    inner = control({ name, schema: option.schema, required: true, isPart: true, samples });
    inner.set(value);
    place.append(inner.element);
  }
  function indexOf(value) {
    const same = options.findIndex((option) => !option.schema && option.value === value);
    if (same !== -1) return same;
    const fits = options.map((option) => (option.schema ? fitness(value, option.schema) : 0));
    const best = Math.max(...fits);
    return best === 0 ? -1 : fits.indexOf(best);
  }
  return {
    element: shown.element,
    get() {
      if (select.value === '') return undefined;
      if (select.value === 'odd') return odd;
      const option = options[select.value];
      return option.schema ? inner.get() : option.value;
    },
    set(value) {
      const index = value === undefined ? -1 : indexOf(value);
      odd = value;
      oddOption.textContent = value === undefined ? '' : JSON.stringify(value).slice(0, 60);
      oddOption.hidden = value === undefined || index !== -1;
      select.value = value === undefined ? '' : index === -1 ? 'odd' : String(index);
      show(options[index], value);
    },
    fail: (parts, message) => (inner ? inner.fail(parts, message) : shown.fail(message)),
  };
}

/** Any value, as JSON. */
export function json(about) {
  let kept = true;
  let raw;
  const input = h('textarea', {
    rows: 4,
    spellcheck: 'false',
    input: () => {
      kept = false;
    },
  });
  const shown = frame(about, input, input);
  return {
    element: shown.element,
    get() {
      if (kept) return raw;
      if (input.value.trim() === '') return undefined;
      try {
        return JSON.parse(input.value);
      } catch {
        return input.value;
      }
    },
    set(value) {
      [kept, raw] = [true, value];
      input.value = value === undefined ? '' : JSON.stringify(value, null, 2);
    },
    fail: (_, message) => shown.fail(message),
  };
}

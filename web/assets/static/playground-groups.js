import { h, report } from './elements.js';
import { choice, frame, json, text } from './playground-fields.js';
import { isObject, kindOf } from './playground-schema.js';

const MOST_ITEMS = 200;
const makers = { text, choice, array, object, record, json };

/** Takes all errors in an element away. */
function clearErrors(element) {
  for (const wrong of element.querySelectorAll('.wrong')) wrong.hidden = true;
  for (const field of element.querySelectorAll('[aria-invalid]')) field.removeAttribute('aria-invalid');
}

/** `about`: name, schema, whether the value is required, and `samples`, sources to choose from; null if it where it is none. */
const control = (about) => makers[kindOf(about.schema)](about, control);

/**
 * A value of several fields, which are in `body`. An optional one is set by a box. A value that does not fit is shown as JSON.
 */
function group(about, body, { fits, read, write, failIn }) {
  const { required, isPart } = about;
  const other = json({
    name: 'JSON',
    schema: { description: 'Too long or too unusual for fields.' },
    required: true,
    isPart: true,
  });
  const box = h('input', {
    type: 'checkbox',
    'aria-label': `Set ${about.name}`,
    input: () => show(box.checked ? 'fields' : 'unset', undefined),
  });
  const shown = frame(
    about,
    null,
    required ? '' : h('label', { class: 'set' }, box, ' Set'),
    body,
    other.element,
  );
  let state = 'unset';
  /** A required value that is missing stays so until its fields are used. */
  let missing = false;
  shown.element.addEventListener('input', () => {
    missing = false;
  });

  function show(next, value) {
    state = next;
    box.checked = state !== 'unset';
    body.hidden = state !== 'fields';
    other.element.hidden = state !== 'json';
    if (state === 'json') other.set(value);
    else write(value, state === 'fields');
  }
  return {
    element: shown.element,
    get: () => (state === 'unset' || missing ? undefined : state === 'json' ? other.get() : read()),
    set(value) {
      missing = value === undefined && required && !isPart;
      if (value === undefined) show(required ? 'fields' : 'unset', undefined);
      else show(fits(value) ? 'fields' : 'json', value);
    },
    fail: ([part, ...rest], message) =>
      (part !== undefined && state === 'fields' && failIn(part, rest, message)) || shown.fail(message),
  };
}

function array(about) {
  const { name, schema, samples } = about;
  const list = h('ol', { class: 'items' });
  const add = h(
    'button',
    { type: 'button', class: 'second', click: () => change([...read(), undefined], read().length) },
    `Add to ${name}`,
  );
  const hint = h('p', { role: 'status' });
  let items = [];

  const read = () => items.map((item) => item.get());
  const isSame = (item, value) => JSON.stringify(item.get()) === JSON.stringify(value);
  /** Items that have their value already stay as they are, because a file may be on its way into one. */
  function write(values) {
    items = values.map((value, index) => {
      const before = items[index];
      const item =
        before ??
        control({
          name: `${name} ${index + 1}`,
          schema: schema.items,
          required: true,
          isPart: true,
          samples,
        });
      if (!before || !isSame(item, value)) item.set(value);
      return item;
    });
    const shown = items.map(
      (item, index) =>
        list.children[index] ?? h('li', {}, item.element, h('p', { class: 'tools' }, ...tools(index))),
    );
    list.replaceChildren(...shown);
    hint.textContent = '';
  }
  const isSending = () => list.querySelector('.sending:not([hidden]) progress:not([hidden])') !== null;
  function tools(index) {
    const tool = (label, values, focused, ...changed) =>
      h(
        'button',
        {
          type: 'button',
          class: 'plain',
          'aria-label': `${label} ${name} ${index + 1}`,
          click: () => {
            if (isSending()) hint.textContent = 'Wait until the file is sent, or cancel it.';
            else {
              change(values(), focused);
              // Values have moved between items; errors would stay with others.
              for (const item of items.slice(...changed)) clearErrors(item.element);
            }
          },
        },
        label,
      );
    const moved = () =>
      read()
        .toSpliced(index, 1)
        .toSpliced(index - 1, 0, read()[index]);
    return [
      ...(index === 0 ? [] : [tool('Move up', moved, index - 1, index - 1, index + 1)]),
      tool('Remove', () => read().toSpliced(index, 1), Math.max(0, index - 1), index),
    ];
  }
  function change(values, focused) {
    write(values);
    const place = list.children[focused];
    (place?.querySelector('input, select, textarea, button') ?? add).focus();
    report(list);
  }
  return group(about, h('div', {}, list, hint, add), {
    fits: (value) => Array.isArray(value) && value.length <= MOST_ITEMS,
    read: () => read().map((value) => (value === undefined ? null : value)),
    write: (value, isSet) => write(value ?? (isSet ? Array(schema.minItems || 1).fill(undefined) : [])),
    failIn: (part, rest, message) => items[Number(part)]?.fail(rest, message),
  });
}

/** The fields of an object, by name. */
function properties({ schema, samples, isSource = () => true }) {
  const required = new Set(schema.required);
  const fields = new Map(
    Object.entries(schema.properties).map(([name, property]) => [
      name,
      control({
        name,
        schema: property,
        required: required.has(name),
        samples: isSource(name) ? samples : null,
      }),
    ]),
  );
  /** What the schema does not know stays as it is. */
  let others = [];
  return {
    fields,
    read() {
      const values = [...fields].map(([name, field]) => [name, field.get()]);
      return Object.fromEntries([...values.filter(([, value]) => value !== undefined), ...others]);
    },
    write(value = {}) {
      others = Object.entries(value).filter(([name]) => !fields.has(name));
      for (const [name, field] of fields) field.set(Object.hasOwn(value, name) ? value[name] : undefined);
    },
    failIn: (part, rest, message) => fields.get(part)?.fail(rest, message),
  };
}

function object(about) {
  const { fields, read, write, failIn } = properties(about);
  const body = h('div', { class: 'fields' }, ...[...fields.values()].map(({ element }) => element));
  return group(about, body, { fits: isObject, read, write, failIn });
}

/** Values by names of the caller's own. */
function record(about) {
  const { name, schema } = about;
  const list = h('ol', { class: 'items' });
  const add = h(
    'button',
    { type: 'button', class: 'second', click: () => change([...read(), ['', undefined]], rows.length) },
    `Add to ${name}`,
  );
  let rows = [];

  const read = () => rows.map(({ key, item }) => [key.value, item.get()]);
  function write(entries) {
    rows = entries.map(([key, value], index) => {
      const item = control({
        name: `value ${index + 1}`,
        schema: schema.additionalProperties,
        required: true,
        isPart: true,
      });
      item.set(value);
      return {
        key: h('input', { value: key, 'aria-label': `Name ${index + 1} of ${name}`, autocomplete: 'off' }),
        item,
      };
    });
    list.replaceChildren(
      ...rows.map(({ key, item }, index) => {
        const remove = () => change(read().toSpliced(index, 1), Math.max(0, index - 1));
        const label = `Remove ${name} ${index + 1}`;
        return h(
          'li',
          {},
          key,
          item.element,
          h('button', { type: 'button', class: 'plain', 'aria-label': label, click: remove }, 'Remove'),
        );
      }),
    );
  }
  function change(entries, focused) {
    write(entries);
    (rows[focused]?.key ?? add).focus();
    report(list);
  }
  return group(about, h('div', {}, list, add), {
    // A field for a line of text cannot hold every name.
    fits: (value) =>
      isObject(value) &&
      Object.keys(value).length <= MOST_ITEMS &&
      !/[\n\r]/.test(Object.keys(value).join('')),
    read: () => Object.fromEntries(read().map(([key, value]) => [key, value === undefined ? '' : value])),
    write: (value = {}) => write(Object.entries(value)),
    failIn: (part, rest, message) => rows.find(({ key }) => key.value === part)?.item.fail(rest, message),
  });
}

/** All fields of a request. Those of `first` come first; the others are folded, and opened if they have a value. */
export function requestFields(schema, { first, last }, samples) {
  const { fields, read, write, failIn } = properties({
    schema,
    samples,
    isSource: (name) => !last.includes(name),
  });
  const names = [...fields.keys()];
  const elements = (some) => some.map((name) => fields.get(name).element);
  const folds = [
    ['More fields', names.filter((name) => !first.includes(name) && !last.includes(name))],
    ['Fields of every operation', names.filter((name) => !first.includes(name) && last.includes(name))],
  ]
    .filter(([, some]) => some.length > 0)
    .map(([title, some]) => ({
      some,
      element: h(
        'details',
        {},
        h('summary', {}, `${title} (${some.length})`),
        h('div', { class: 'fields' }, ...elements(some)),
      ),
    }));
  const open = () => {
    for (const { some, element: fold } of folds)
      fold.open ||= some.some((name) => fields.get(name).get() !== undefined);
  };
  const shown = elements(names.filter((name) => first.includes(name)));
  const element = h('div', { class: 'fields' }, ...shown, ...folds.map((fold) => fold.element));
  return {
    element,
    get: read,
    set(value) {
      write(value);
      open();
    },
    clear: () => clearErrors(element),
    fail([part, ...rest], message) {
      const id = failIn(part, rest, message);
      const fold = id && document.getElementById(id)?.closest('details');
      if (fold) fold.open = true;
      return id;
    },
  };
}

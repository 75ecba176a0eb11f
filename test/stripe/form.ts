import { Refused } from './refused.ts';

/** A parsed parameter: `a=x`, `a[b]=x` or `a[0][b]=x`, and `a[]=x` in the order of their appearance. */
export type FormValue = string | FormFields;
export interface FormFields {
  [name: string]: FormValue;
}

const KEY = /^([^[\]]+)((?:\[[^[\]]*\])*)$/;

/** Parses a form-encoded body or query into nested fields. */
export function parseForm(text: string): FormFields {
  const fields = emptyFields();
  for (const [key, value] of new URLSearchParams(text)) {
    const [, head = '', tail = ''] = KEY.exec(key) ?? [];
    if (head === '') throw new Refused(`Invalid request: the parameter name ${key} is malformed`);
    const path = [head, ...[...tail.matchAll(/\[([^[\]]*)\]/g)].map(([, name = '']) => name)];
    put(fields, path, value, key);
  }
  return fields;
}

const emptyFields = (): FormFields => Object.create(null) as FormFields;

function put(fields: FormFields, path: readonly string[], value: string, key: string): void {
  const [given = '', ...rest] = path;
  const name = given === '' ? String(Object.keys(fields).length) : given;
  const known = fields[name];
  if (rest.length === 0) {
    if (known !== undefined) throw new Refused(`Invalid request: ${key} is given twice`, { param: key });
    fields[name] = value;
    return;
  }
  if (typeof known === 'string') {
    throw new Refused(`Invalid request: ${key} is both a value and an object`, { param: key });
  }
  const inner = known ?? emptyFields();
  fields[name] = inner;
  put(inner, rest, value, key);
}

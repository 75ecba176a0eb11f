import type { FormFields, FormValue } from './form.ts';
import { Refused } from './refused.ts';

/** Reads a parameter. `name` is its full name, such as `line_items[0][price]`. Throws Refused. */
type Reader<T> = (value: FormValue, name: string) => T;
type Fields = Record<string, Reader<unknown>>;
type Read<F extends Fields> = { [K in keyof F]?: ReturnType<F[K]> };

const invalid = (kind: string, value: FormValue, name: string, code?: string) =>
  new Refused(`Invalid ${kind}: ${typeof value === 'string' ? value : JSON.stringify(value)}`, {
    ...(code === undefined ? {} : { code }),
    param: name,
  });

export const text: Reader<string> = (value, name) => {
  if (typeof value !== 'string') throw invalid('string', value, name);
  if (value === '') {
    const detail = `You passed an empty string for '${name}'. We assume empty values are an attempt to unset a parameter; however '${name}' cannot be unset. You should remove '${name}' from your request or supply a non-empty value.`;
    throw new Refused(detail, { code: 'parameter_invalid_empty', param: name });
  }
  return value;
};

export const integer: Reader<number> = (value, name) => {
  if (typeof value !== 'string' || !/^-?\d+$/.test(value)) {
    throw invalid('integer', value, name, 'parameter_invalid_integer');
  }
  return Number(value);
};

export const boolean: Reader<boolean> = (value, name) => {
  if (value !== 'true' && value !== 'false') throw invalid('boolean', value, name);
  return value === 'true';
};

export const url: Reader<string> = (value, name) => {
  const given = text(value, name);
  if (!/^https?:$/.test(URL.canParse(given) ? new URL(given).protocol : '')) {
    throw new Refused('Not a valid URL', { code: 'url_invalid', param: name });
  }
  return given;
};

export const oneOf =
  <T extends string>(...allowed: readonly T[]): Reader<T> =>
  (value, name) => {
    const found = allowed.find((one) => one === value);
    if (found === undefined) {
      throw new Refused(`Invalid ${name}: must be one of ${allowed.join(', ')}`, { param: name });
    }
    return found;
  };

export const list =
  <T>(of: Reader<T>): Reader<T[]> =>
  (value, name) => {
    if (typeof value === 'string' || Object.keys(value).some((key) => !/^\d+$/.test(key))) {
      throw invalid('array', value, name);
    }
    const keys = Object.keys(value).sort((a, b) => Number(a) - Number(b));
    return keys.map((key) => of(value[key] ?? '', `${name}[${key}]`));
  };

/** Up to 50 pairs; keys of 40 characters, values of 500. */
export const metadata: Reader<Record<string, string>> = (value, name) => {
  if (typeof value === 'string') throw invalid('object', value, name);
  const pairs = Object.entries(value);
  if (pairs.length > 50) throw new Refused(`${name} can have 50 keys at most`, { param: name });
  for (const [key, given] of pairs) {
    if (typeof given !== 'string') throw invalid('string', given, `${name}[${key}]`);
    if (key.length > 40) throw new Refused(`The key ${key} is longer than 40 characters`, { param: name });
    if (given.length > 500) {
      throw new Refused('Metadata values can have up to 500 characters', { param: `${name}[${key}]` });
    }
  }
  return Object.fromEntries(pairs) as Record<string, string>;
};

export const object =
  <F extends Fields>(fields: F, required: readonly (keyof F & string)[] = []): Reader<Read<F>> =>
  (value, name) => {
    if (typeof value === 'string') throw invalid('object', value, name);
    return readFields(value, fields, required, (key) => `${name}[${key}]`);
  };

/** Reads the parameters of a request. Unknown and ill-typed ones, and missing required ones, are refused. */
export function parameters<F extends Fields, R extends keyof F & string>(
  given: FormFields,
  fields: F,
  required: readonly R[],
): Read<F> & { [K in R]: ReturnType<F[K]> } {
  return readFields(given, fields, required, (key) => key) as Read<F> & { [K in R]: ReturnType<F[K]> };
}

function readFields<F extends Fields>(
  given: FormFields,
  fields: F,
  required: readonly string[],
  nameOf: (key: string) => string,
): Read<F> {
  for (const key of Object.keys(given)) {
    if (!Object.hasOwn(fields, key)) {
      const param = nameOf(key);
      throw new Refused(`Received unknown parameter: ${param}`, { code: 'parameter_unknown', param });
    }
  }
  for (const key of required) {
    if (given[key] !== undefined) continue;
    const param = nameOf(key);
    throw new Refused(`Missing required param: ${param}.`, { code: 'parameter_missing', param });
  }
  const read = Object.entries(given).map(([key, value]) => [key, fields[key]?.(value, nameOf(key))]);
  return Object.fromEntries(read) as Read<F>;
}

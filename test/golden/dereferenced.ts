interface Ref {
  $ref: string;
}

interface Operation {
  parameters?: object[];
  responses: Record<string, object>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
}

/** An OpenAPI document whose operations have their parameters and responses in place of references; schemas keep theirs. */
export function dereferenced<D extends Document>(document: D): D {
  const target = <T extends object>(value: T | Ref): T => {
    if (!('$ref' in value)) return value;
    const keys = value.$ref.split('/').slice(1);
    return keys.reduce<unknown>((at, key) => Reflect.get(Object(at), key), document) as T;
  };
  const operationOf = (operation: Operation): Operation => ({
    ...operation,
    ...(operation.parameters ? { parameters: operation.parameters.map(target) } : {}),
    responses: mapValues(operation.responses, target),
  });
  return { ...document, paths: mapValues(document.paths, (methods) => mapValues(methods, operationOf)) };
}

function mapValues<A, B>(record: Record<string, A>, change: (value: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}

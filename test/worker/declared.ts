import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { dereferenced } from '../golden/dereferenced.ts';

interface Answer {
  content?: Record<string, { schema?: object }>;
}

interface Document {
  paths: Record<string, Record<string, { parameters?: object[]; responses: Record<string, Answer> }>>;
}

/** Judges answers of the service by its OpenAPI document. */
export class DeclaredAnswers {
  /** How often each route has answered with each status, as `get /task/{id} 404`. */
  readonly seen = new Map<string, number>();
  readonly violations: string[] = [];
  readonly #paths: Document['paths'];
  readonly #validators = new Map<string, ValidateFunction>();
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });

  constructor(document: Document) {
    formats.default(this.#ajv);
    this.#ajv.addSchema(document, 'document');
    this.#paths = dereferenced(document).paths;
  }

  get count(): number {
    return [...this.seen.values()].reduce((sum, times) => sum + times, 0);
  }

  /** Every status that the document declares, as `get /task/{id} 404`. */
  get declared(): string[] {
    return Object.entries(this.#paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { responses }]) =>
        Object.keys(responses).map((status) => `${method} ${path} ${status}`),
      ),
    );
  }

  /** @param path of the document, such as `/task/{id}` */
  async judge(method: string, path: string, response: Response): Promise<Response> {
    const name = `${method.toLowerCase()} ${path} ${response.status}`;
    this.seen.set(name, (this.seen.get(name) ?? 0) + 1);
    const answer = this.#paths[path]?.[method.toLowerCase()]?.responses[response.status];
    if (!answer) {
      this.violations.push(`${name} is not declared: ${(await response.clone().text()).slice(0, 200)}`);
      return response;
    }
    const type = response.headers.get('content-type')?.split(';')[0];
    const isEmpty = response.body === null || response.headers.get('content-length') === '0';
    if (type === undefined || isEmpty) {
      const wanted = Object.keys(answer.content ?? {});
      if (wanted.length > 0 && !isEmpty)
        this.violations.push(`${name} has no content type; declared: ${wanted}`);
      return response;
    }
    const content = answer.content?.[type];
    if (!content) this.violations.push(`${name} has the undeclared content type ${type}`);
    else if (type.endsWith('json') && content.schema) await this.#judgeBody(name, content.schema, response);
    return response;
  }

  async #judgeBody(name: string, schema: object, response: Response): Promise<void> {
    const text = JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/');
    const validate = this.#validators.get(text) ?? this.#ajv.compile(JSON.parse(text));
    this.#validators.set(text, validate);
    if (!validate(await response.clone().json()))
      this.violations.push(`${name}: ${this.#ajv.errorsText(validate.errors)}`);
  }
}

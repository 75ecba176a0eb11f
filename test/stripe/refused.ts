/** A request that Stripe refuses, as it says it: https://docs.stripe.com/api/errors */
export class Refused extends Error {
  readonly status: number;
  readonly type: string;
  readonly code: string | undefined;
  readonly param: string | undefined;

  constructor(
    message: string,
    about: { status?: number; type?: string; code?: string; param?: string | undefined } = {},
  ) {
    super(message);
    this.status = about.status ?? 400;
    this.type = about.type ?? 'invalid_request_error';
    this.code = about.code;
    this.param = about.param;
  }
}

export function missing(kind: string, id: string, param = 'id'): Refused {
  const status = param === 'id' ? 404 : 400;
  return new Refused(`No such ${kind}: '${id}'`, { status, code: 'resource_missing', param });
}

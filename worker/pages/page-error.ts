import type { PageOptions } from './visit.ts';

/** Ends a request with a page that says what is wrong and what to do. */
export class PageError extends Error {
  override name = 'PageError';
  readonly status: NonNullable<PageOptions['status']>;
  readonly title: string;

  constructor(status: NonNullable<PageOptions['status']>, title: string, message: string) {
    super(message);
    this.status = status;
    this.title = title;
  }
}

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

/** At the hourly limit of a client. */
export const askedTooOften = () =>
  new PageError(
    429,
    'Too many tries',
    'Your network has tried to sign in very often. Wait an hour, then try again.',
  );

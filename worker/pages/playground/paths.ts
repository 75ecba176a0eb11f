import { type OperationName, operationNames } from '../../../schema/operations/index.ts';
import { PageError } from '../page-error.ts';
import type { MemberVisit } from '../visit.ts';

type Visit = Pick<MemberVisit, 'membership' | 'param'>;

export const playgroundPath = ({ membership }: Visit, name?: OperationName) =>
  `/app/${membership.account.id}/playground${name === undefined ? '' : `/${name}`}`;

/** The operation in the path of a page. @throws PageError */
export function operationOf(visit: Pick<Visit, 'param'>): OperationName {
  const name = operationNames.find((known) => known === visit.param('operation'));
  if (!name) throw new PageError(404, 'Not found', 'There is no such operation.');
  return name;
}

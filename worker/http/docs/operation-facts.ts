import { planNames, planOf } from '../../../schema/api/plans.ts';
import { type OperationName, operations } from '../../../schema/operations/index.ts';
import { commonFields } from '../../../schema/operations/operation.ts';
import { inputName, type JsonSchema } from './component-schemas.ts';
import { fieldRows } from './field-rows.ts';

/** The plans that include an operation, by title. */
export function plansWith(name: OperationName): string[] {
  const { feature } = operations[name];
  return planNames
    .map(planOf)
    .filter(({ features }) => features.includes(feature))
    .map(({ title }) => title);
}

/** The fields of an operation, without those that all operations share. */
export function ownRows(name: OperationName, schemas: Record<string, JsonSchema>) {
  return fieldRows(schemas[inputName(name)] ?? {}).filter((row) => !(row.name in commonFields));
}

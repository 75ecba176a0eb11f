import { expect, test } from 'vitest';
import { otherOperationNames } from '../../../schema/api/other-operation-names.ts';
import { operationNames, operations } from '../../../schema/operations/index.ts';

test('every operation has other names, and no name stands for two or is the name of another one', () => {
  expect(new Set(otherOperationNames.values())).toEqual(new Set(operationNames));
  for (const [name, operation] of otherOperationNames) {
    expect(name).toMatch(/^[a-z]+(?:_[a-z]+)*$/);
    const own = operationNames.filter((each) => [each, operations[each].tool.name].includes(name));
    expect([name, own]).toEqual([name, []]);
    expect(operations[operation]).toBeDefined();
  }
});

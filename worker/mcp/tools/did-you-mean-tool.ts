import { didYouMean } from '../../../schema/api/nearest-name.ts';
import { otherOperationNames } from '../../../schema/api/other-operation-names.ts';
import { operations } from '../../../schema/operations/index.ts';

/** ` Did you mean …?` with the tool that an unknown name stands for: another name for the same thing, or a misspelt one. */
export function didYouMeanTool(asked: string, names: readonly string[]): string {
  const operation = otherOperationNames.get(asked.toLowerCase().replaceAll('-', '_').replaceAll(' ', '_'));
  return operation === undefined
    ? didYouMean(asked, names)
    : ` Did you mean \`${operations[operation].tool.name}\`?`;
}

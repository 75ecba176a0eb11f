import { type ErrorCode, errorEntry } from '../../../../schema/api/errors.ts';
import { errorPath } from '../paths.ts';
import { type Block, table } from '../print/block.ts';

/** Error codes with their meaning and what to do, each linked to its page. */
export function errorTable(codes: readonly ErrorCode[]): Block {
  return table(
    ['Code', 'Meaning', 'What to do'],
    codes.map((code) => {
      const { title, hint } = errorEntry(code);
      return [`[\`${code}\`](${errorPath(code)})`, `${title}.`, hint];
    }),
  );
}

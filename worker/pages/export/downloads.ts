import { placeOfCursor } from '../../lib/text/cursor.ts';
import { exportedAccount } from '../../services/export/export-account.ts';
import { exportedPerson } from '../../services/export/export-person.ts';
import { jsonStream } from '../../services/export/json-stream.ts';
import { noteChange } from '../../services/members/members.ts';
import { download } from '../download.ts';
import { PageError } from '../page-error.ts';
import type { MemberVisit, PersonVisit } from '../visit.ts';

const TYPE = 'application/json; charset=utf-8';

export async function downloadAccount(visit: MemberVisit): Promise<Response> {
  const { context, core, membership, signedIn, url } = visit;
  const { account } = membership;
  const cursor = url.searchParams.get('cursor') ?? undefined;
  if (cursor !== undefined && !placeOfCursor(cursor)) {
    throw new PageError(400, 'This address is not valid', 'Start the export again.');
  }
  await noteChange(context, { accountId: account.id, person: signedIn.person }, 'data.exported');
  return download(`${account.id}.json`, TYPE, jsonStream(exportedAccount(context, core, account, cursor)));
}

export function downloadPerson({ context, signedIn }: PersonVisit): Response {
  return download('my-data.json', TYPE, jsonStream(exportedPerson(context, signedIn)));
}

import type { Context } from '../../context.ts';
import { errorText, log } from '../../lib/log.ts';
import { unavailable } from '../../lib/outage.ts';
import type { UploadRow } from '../../repos/uploads.ts';

/** How long a claim lasts, and how often it is renewed: a request that died keeps the others waiting no longer. */
const CLAIM_MS = 60_000;
const RENEW_MS = 20_000;
/** What is left of it once the file is read: the outcome only has to be written. */
const WRITE_MS = 5000;
/** How often a request looks for the outcome of the check that another one makes, and how often in all. */
const LOOK_MS = 1000;
const LOOKS = 300;

type Waiting = Pick<UploadRow, 'id' | 'accountId'>;

/**
 * The SHA-256 of the whole file, which may have gigabytes: of the requests that complete the same upload, only one reads it.
 * @returns null if another request has settled the upload meanwhile
 * @throws Problem unavailable (another request still reads it)
 */
export async function digestOnce(
  context: Context,
  upload: Waiting,
): Promise<{ sha256: string | null } | null> {
  const { accountId, id } = upload;
  for (let looks = 0; looks < LOOKS; looks++) {
    const now = Date.now();
    const until = now + CLAIM_MS;
    if (await context.uploads.claimCheck(accountId, id, { now, until, mine: null }))
      return digestUnder(context, upload, until);
    await scheduler.wait(LOOK_MS);
    const row = await context.uploads.read(accountId, id);
    if (row?.status !== 'waiting') return null;
  }
  throw unavailable();
}

/** Reads the file under a claim, which is kept for as long as that takes. */
async function digestUnder(
  { uploads, uploadFiles }: Context,
  { accountId, id }: Waiting,
  claimed: number,
): Promise<{ sha256: string | null }> {
  let mine = claimed;
  const tryTo = async (work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      log('warn', 'upload_claim_failed', { upload_id: id, error: errorText(error) });
    }
  };
  const renew = async (ms: number) => {
    const now = Date.now();
    const until = now + ms;
    if (await uploads.claimCheck(accountId, id, { now, until, mine })) mine = until;
  };
  const timer = setInterval(() => void tryTo(() => renew(CLAIM_MS)), RENEW_MS);
  try {
    const sha256 = await uploadFiles.digest(id);
    await tryTo(() => renew(WRITE_MS));
    return { sha256 };
  } catch (error) {
    await tryTo(() => uploads.releaseCheck(accountId, id, mine));
    throw error;
  } finally {
    clearInterval(timer);
  }
}

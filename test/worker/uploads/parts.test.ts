import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  PART_BYTES,
  SINGLE_PUT_BYTES,
  type Upload,
  upload as uploadSchema,
} from '../../../schema/api/upload.ts';
import {
  account,
  closeStand,
  complete,
  create,
  mp4,
  objectsOf,
  problemOf,
  put,
  service,
  startStand,
} from './stand.ts';

beforeAll(() => startStand());
afterAll(closeStand);

const SIZE = SINGLE_PUT_BYTES + 1;
const file = mp4(SIZE);

/** The bytes of each part, one after another. */
function slices({ parts }: Upload): Buffer[] {
  let at = 0;
  return parts.map(({ size_bytes }) => {
    at += size_bytes;
    return file.subarray(at - size_bytes, at);
  });
}

async function sendParts(made: Upload): Promise<{ number: number; etag: string }[]> {
  const bytes = slices(made);
  const sent = [];
  for (const { number, url } of made.parts) {
    const response = await put(url, bytes[number - 1] ?? '', made.headers);
    expect(response.status).toBe(200);
    sent.push({ number, etag: response.headers.get('etag') ?? '' });
  }
  return sent;
}

/** Whether the storage takes it. It may close the connection of a request that it refuses before all of it was sent. */
const stores = (url: string, bytes: Uint8Array | string) =>
  put(url, bytes).then(
    ({ status }) => status === 200,
    () => false,
  );

describe('a file over 100 MB', () => {
  it('goes in parts of equal size, whose URLs are signed for exactly that', async () => {
    const made = await create({ size_bytes: SIZE });
    expect(made).toMatchObject({ url: null, headers: {} });
    const sizes = made.parts.map(({ size_bytes }) => size_bytes);
    expect(sizes.reduce((sum, size) => sum + size)).toBe(SIZE);
    expect(new Set(sizes.slice(0, -1)).size).toBe(1);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(PART_BYTES);
    expect(made.parts.map(({ number }) => number)).toEqual([1, 2, 3]);
    const url = made.parts[0]?.url ?? '';
    const part = slices(made)[0] ?? '';
    const changed = [
      url.replace('partNumber=1', 'partNumber=2'),
      url.replace(/uploadId=[^&]+/, 'uploadId=x'),
    ];
    expect(await stores(url, file.subarray(0, 10))).toBe(false);
    for (const other of changed) expect(await stores(other, part)).toBe(false);
    expect(await stores(url, part)).toBe(true);
  });

  it('can be sent on from where it was interrupted, with fresh URLs, and is complete with all of its parts, in any order, and not before', async () => {
    const made = await create({ size_bytes: SIZE });
    const bytes = slices(made);
    const [interrupted] = await sendParts({ ...made, parts: made.parts.slice(0, 1) });
    const again = uploadSchema.parse(
      await (await service.request(`/uploads/${made.id}`, { key: account.key })).json(),
    );
    const parts = [interrupted];
    for (const { number, url } of again.parts.slice(1)) {
      const response = await put(url, bytes[number - 1] ?? '');
      parts.push({ number, etag: response.headers.get('etag') ?? '' });
    }
    const first = parts.slice(0, 1);
    const refusals: [body: unknown, status: number, code: string, says: string][] = [
      [{}, 409, 'upload_incomplete', 'Missing: 1, 2, 3.'],
      [{ parts: parts.slice(1) }, 409, 'upload_incomplete', 'Missing: 1.'],
      [{ parts: [...first, ...first] }, 422, 'validation_failed', 'listed twice'],
      [{ parts: [...parts, { number: 4, etag: 'x' }] }, 422, 'validation_failed', 'There is no part 4.'],
      [{ parts: parts.map((part) => ({ ...part, etag: 'x' })) }, 409, 'upload_incomplete', 'ETag'],
      [{ parts: [{ number: 1 }] }, 422, 'validation_failed', 'etag'],
    ];
    for (const [body, status, code, says] of refusals) {
      const refused = await problemOf(await complete(made.id, body));
      expect([refused.status, refused.code]).toEqual([status, code]);
      expect(refused.detail).toContain(says);
    }
    const response = await complete(made.id, { parts: parts.toReversed() });
    expect(response.status).toBe(200);
    const done = uploadSchema.parse(await response.json());
    expect(done).toMatchObject({ status: 'ready', media_type: 'video/mp4', parts: [] });
    expect(await objectsOf(made.id)).toEqual([SIZE]);
    // The ETags are not needed again.
    for (const body of [{ parts }, {}]) {
      const again = await complete(made.id, body);
      expect([again.status, await again.json()]).toEqual([200, done]);
    }
    expect(await stores(made.parts[0]?.url ?? '', slices(made)[0] ?? '')).toBe(false);
  });

  it('whose checksum differs is refused', async () => {
    const made = await create({ size_bytes: SIZE, sha256: '0'.repeat(64) });
    expect(made.headers).toEqual({});
    const refused = await problemOf(await complete(made.id, { parts: await sendParts(made) }));
    expect(refused).toMatchObject({ status: 422, code: 'upload_checksum_mismatch' });
    expect(await objectsOf(made.id)).toEqual([]);
  });
});

it('parts are not for a file that is sent whole', async () => {
  const { id } = await create({ size_bytes: 1000 });
  const refused = await problemOf(await complete(id, { parts: [{ number: 1, etag: 'x' }] }));
  expect(refused).toMatchObject({ code: 'validation_failed', pointers: ['/parts'] });
});

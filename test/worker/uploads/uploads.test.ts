import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plans } from '../../../schema/api/plans.ts';
import { upload as uploadSchema } from '../../../schema/api/upload.ts';
import {
  account,
  closeStand,
  complete,
  create,
  mp4,
  objectsOf,
  ready,
  send,
  service,
  sha256Of,
  startStand,
  transcoder,
} from './stand.ts';

beforeAll(() => startStand());
afterAll(closeStand);

describe('an upload', () => {
  it('takes a file at its URL, checks it and becomes a source', async () => {
    const bytes = mp4();
    const made = await create({ size_bytes: bytes.length, sha256: sha256Of(bytes), media_type: 'video/mp4' });
    expect(made).toMatchObject({
      status: 'waiting',
      method: 'PUT',
      url: expect.stringContaining(`/u/${made.id}/file?`),
      headers: { 'If-None-Match': '*', 'x-amz-checksum-sha256': expect.any(String) },
      parts: [],
      error: null,
      completed_at: null,
    });
    await send(made, bytes);
    const response = await complete(made.id);
    expect(response.status).toBe(200);
    const done = uploadSchema.parse(await response.json());
    expect(done).toMatchObject({
      id: made.id,
      status: 'ready',
      url: null,
      headers: {},
      media_type: 'video/mp4',
    });
    const kept = Date.parse(done.expires_at) - Date.parse(done.completed_at ?? '');
    expect(kept).toBe(plans.elite.retention_seconds * 1000);
    const { id } = await service.submit('/cut', { video_url: `upload:${made.id}`, duration: 1 }, account.key);
    const job = await transcoder.jobOf(id);
    expect(job.stored_sources).toEqual({ [`upload:${made.id}`]: `u/${made.id}/file` });
  });

  it('takes the media type of a recording in a browser, without its codecs', async () => {
    const made = await create({ size_bytes: 10, media_type: 'video/webm;codecs=vp8,opus' });
    expect(made).toMatchObject({ status: 'waiting', media_type: 'video/webm' });
  });

  it('is gone after DELETE, with its file', async () => {
    const { id } = await ready();
    expect(await objectsOf(id)).toEqual([1000]);
    const response = await service.request(`/uploads/${id}`, { method: 'DELETE', key: account.key });
    expect([response.status, await response.json()]).toEqual([200, { object: 'upload', id, deleted: true }]);
    expect(await objectsOf(id)).toEqual([]);
    expect((await service.request(`/uploads/${id}`, { key: account.key })).status).toBe(404);
  });
});

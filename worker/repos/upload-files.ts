import { toHex } from '../../schema/bytes.ts';

/** Marks errors of R2: https://developers.cloudflare.com/r2/api/error-codes/ */
const NO_SUCH_UPLOAD = '(10024)';
const INVALID_PART = '(10025)';
const UNEQUAL_PARTS = '(10048)';
const TOO_SMALL_PART = '(10011)';

export const UPLOADS_PREFIX = 'u/';

/** Key of the one object of an upload. */
export const uploadKey = (id: string) => `${UPLOADS_PREFIX}${id}/file`;

/** The upload that an object belongs to; null if the key was not written by this service. */
export const uploadOfKey = (key: string) => /^u\/([^/]+)\/file$/.exec(key)?.[1] ?? null;

/** The files of uploads in R2. */
export function uploadFilesRepo(bucket: R2Bucket) {
  async function abort(id: string, multipartId: string): Promise<void> {
    try {
      await bucket.resumeMultipartUpload(uploadKey(id), multipartId).abort();
    } catch (error) {
      if (!String(error).includes(NO_SUCH_UPLOAD)) throw error;
    }
  }

  return {
    /** Begins an upload in parts. @returns its id in R2 */
    async begin(id: string): Promise<string> {
      return (await bucket.createMultipartUpload(uploadKey(id))).uploadId;
    },

    /** Joins the parts. @returns false if one of them is missing or differs; true also if they were joined before */
    async join(id: string, multipartId: string, parts: readonly R2UploadedPart[]): Promise<boolean> {
      try {
        await bucket.resumeMultipartUpload(uploadKey(id), multipartId).complete([...parts]);
        return true;
      } catch (error) {
        const text = String(error);
        if (text.includes(NO_SUCH_UPLOAD)) return true;
        if ([INVALID_PART, UNEQUAL_PARTS, TOO_SMALL_PART].some((code) => text.includes(code))) return false;
        throw error;
      }
    },

    /** Size, and the SHA-256 in hexadecimal if the storage has checked it. */
    async find(id: string): Promise<{ size: number; sha256: string | null } | null> {
      const object = await bucket.head(uploadKey(id));
      if (!object) return null;
      return { size: object.size, sha256: object.checksums.toJSON().sha256 ?? null };
    },

    async bytes(id: string, offset: number, length: number): Promise<Uint8Array> {
      const object = await bucket.get(uploadKey(id), { range: { offset, length } });
      return object ? new Uint8Array(await object.arrayBuffer()) : new Uint8Array();
    },

    /** Reads the whole file to compute its SHA-256; null if it is gone. */
    async digest(id: string): Promise<string | null> {
      const object = await bucket.get(uploadKey(id));
      if (!object) return null;
      const digest = new crypto.DigestStream('SHA-256');
      await object.body.pipeTo(digest);
      return toHex(new Uint8Array(await digest.digest));
    },

    /** Deletes the files, and the parts of those that were never joined. Up to 1000. */
    async remove(uploads: readonly { id: string; multipartId: string | null }[]): Promise<void> {
      await Promise.all(
        uploads.map(async ({ id, multipartId }) => multipartId && (await abort(id, multipartId))),
      );
      if (uploads.length > 0) await bucket.delete(uploads.map(({ id }) => uploadKey(id)));
    },
  };
}

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  type CreateMultipartUploadCommandInput,
  type CreateMultipartUploadCommandOutput,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  NoSuchKey,
  NoSuchUpload,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { uploadNoteSuffix } from '../../schema/task/wire.ts';
import type { Config } from '../env.ts';
import type { Log } from '../log.ts';
import { TaskFailure } from '../model/task-failure.ts';
import { rangeHeader } from './content-range.ts';
import type { Origin } from './origin.ts';
import { outlast } from './retry.ts';

interface StoreObject {
  key: string;
  /** Absolute path of the local file. */
  path: string;
  mediaType: string;
  /** File name for downloads. */
  fileName: string;
}

interface PutOptions {
  signal: AbortSignal;
  /** Receives the fraction 0–1 of this object that has been sent. */
  onFraction: (fraction: number) => void;
}

/** Storage for results and uploads, which tasks can use as sources. Failures are TaskFailure `storage_failed`. */
export interface ObjectStore {
  put(object: StoreObject, options: PutOptions): Promise<{ file_size: number; sha256: string }>;
  /** An object as a source. Reading a deleted one fails with `source_gone`. */
  origin(key: string): Origin;
  /** Deletes objects. Missing keys are ignored. Throws if one cannot be deleted. */
  remove(keys: readonly string[]): Promise<void>;
  /** Loads code and opens a connection ahead of the first put. */
  warm(log: Log): Promise<void>;
}

const MIB = 1024 * 1024;
const PART_BYTES = 8 * MIB;
/**
 * How long to wait for the response to an aborted put: if it is cut off, the object may be stored after its key was
 * deleted.
 */
const SETTLE_MS = 8000;

export function s3Store(config: Config): ObjectStore {
  const bucket = config.s3Bucket;
  const client = new S3Client({
    endpoint: config.s3Endpoint,
    region: config.s3Region,
    credentials: { accessKeyId: config.s3AccessKeyId, secretAccessKey: config.s3SecretAccessKey },
    forcePathStyle: true,
    // R2 does not support the default CRC trailers: https://developers.cloudflare.com/r2/examples/aws/aws-sdk-js-v3/
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: 5000, socketTimeout: 30_000 },
  });

  const noteOf = (key: string) => ({ Bucket: bucket, Key: `${key}${uploadNoteSuffix}` });
  /** Requests in progress that create or complete a multipart upload, by object key. */
  const underWay = new Map<string, Set<Promise<unknown>>>();
  const uploadIds = new Map<string, string>();
  client.middlewareStack.add(
    (next, { commandName }) =>
      (args) => {
        if (commandName === 'CreateMultipartUploadCommand')
          return during(args.input, () => created(next(args)));
        if (commandName === 'CompleteMultipartUploadCommand') return during(args.input, () => next(args));
        return next(args);
      },
    { step: 'initialize', name: 'uploadsInParts' },
  );

  /** Stores the upload id before the first part is sent: an upload whose id is unknown cannot be aborted. */
  async function created<Answered extends { output: object }>(answer: Promise<Answered>): Promise<Answered> {
    const answered = await answer;
    const { Key: key = '', UploadId: id = '' } = answered.output as CreateMultipartUploadCommandOutput;
    uploadIds.set(key, id);
    await client.send(new PutObjectCommand({ ...noteOf(key), Body: id }));
    return answered;
  }

  async function during<Value>(input: object, send: () => Promise<Value>): Promise<Value> {
    const { Key: key = '' } = input as CreateMultipartUploadCommandInput;
    const sent = send();
    const all = underWay.get(key) ?? new Set();
    underWay.set(key, all.add(sent));
    try {
      return await sent;
    } finally {
      all.delete(sent);
      if (all.size === 0) underWay.delete(key);
    }
  }

  async function putWhole(object: StoreObject, { signal, onFraction }: PutOptions) {
    const body = await readFile(object.path);
    await client.send(
      new PutObjectCommand({ Bucket: bucket, ...parameters(object), Body: body, ContentLength: body.length }),
      { abortSignal: later(signal, SETTLE_MS) },
    );
    signal.throwIfAborted();
    onFraction(1);
    return { file_size: body.length, sha256: createHash('sha256').update(body).digest('hex') };
  }

  async function putParts(object: StoreObject, { signal, onFraction }: PutOptions, size: number) {
    // A multipart upload left over from a failed try would stay forever once its stored id is overwritten.
    await endUpload(object.key);
    signal.throwIfAborted();
    const hash = createHash('sha256');
    let bytes = 0;
    const hashed = async function* () {
      // Of smaller chunks the client would make each part once more.
      for await (const chunk of createReadStream(object.path, { highWaterMark: PART_BYTES })) {
        hash.update(chunk);
        bytes += chunk.length;
        yield chunk;
      }
    };
    const upload = new Upload({
      client,
      params: { Bucket: bucket, ...parameters(object), Body: Readable.from(hashed()) },
      partSize: PART_BYTES,
      queueSize: 4,
    });
    upload.on('httpUploadProgress', ({ loaded = 0 }) => onFraction(loaded / size));
    const abort = () => void upload.abort();
    signal.addEventListener('abort', abort, { once: true });
    try {
      await upload.done();
    } catch (error) {
      await endUpload(object.key).catch(() => undefined);
      throw error;
    } finally {
      signal.removeEventListener('abort', abort);
    }
    await client.send(new DeleteObjectCommand(noteOf(object.key)));
    return { file_size: bytes, sha256: hash.digest('hex') };
  }

  /** Aborts a multipart upload. If this throws, the stored id remains and the sweeper aborts it later. */
  async function endUpload(key: string): Promise<void> {
    // On abort `done` rejects while requests that create or complete the upload may still be in progress.
    await Promise.allSettled(underWay.get(key) ?? []);
    const id = uploadIds.get(key);
    if (id === undefined) return;
    try {
      await client.send(new AbortMultipartUploadCommand({ Bucket: bucket, Key: key, UploadId: id }));
    } catch (error) {
      if (!(error instanceof NoSuchUpload)) throw error;
    }
    uploadIds.delete(key);
    await client.send(new DeleteObjectCommand(noteOf(key)));
  }

  return {
    async put(object, options) {
      options.signal.throwIfAborted();
      const { size } = await stat(object.path);
      const { signal } = options;
      try {
        return await outlast({ seconds: config.storePatience, mayPass, signal }, () =>
          (size <= PART_BYTES ? putWhole : putParts)(object, options, size),
        );
      } catch (cause) {
        signal.throwIfAborted();
        throw new TaskFailure('storage_failed', 'The output could not be stored.', { cause });
      } finally {
        uploadIds.delete(object.key);
      }
    },
    origin: (key) => ({
      async answer(range, signal) {
        const asked = { Bucket: bucket, Key: key, ...(range ? { Range: rangeHeader(range) } : {}) };
        try {
          const { Body: body } = await outlast({ seconds: config.storePatience, mayPass, signal }, () =>
            client.send(new GetObjectCommand(asked), { abortSignal: signal }),
          );
          if (body instanceof IncomingMessage) return body;
          throw new Error('the object store returned a body that is not an HTTP message');
        } catch (cause) {
          signal.throwIfAborted();
          if (cause instanceof NoSuchKey)
            throw new TaskFailure(
              'source_gone',
              'The task or upload that is the source was deleted or has expired.',
              { cause },
            );
          throw new TaskFailure('storage_failed', 'The source could not be read from storage.', { cause });
        }
      },
      // Its connections belong to the store, which outlives it.
      close() {},
    }),
    async remove(keys) {
      await Promise.all(
        keys.map((key) => client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }))),
      );
    },
    async warm(log) {
      try {
        await client.send(new HeadBucketCommand({ Bucket: bucket }), {
          abortSignal: AbortSignal.timeout(5000),
        });
      } catch (error) {
        log.warn('the object store did not respond at start', { error });
      }
    },
  };
}

/** Whether the same request may succeed later, because the store is unreachable or overloaded. */
function mayPass(error: unknown): boolean {
  // Also the error if the response to completing an upload was lost.
  if (error instanceof NoSuchUpload) return true;
  // File system errors have a path; they are not temporary.
  if (!(error instanceof S3ServiceException)) return !(error instanceof Error && 'path' in error);
  const status = error.$metadata.httpStatusCode ?? 500;
  return status >= 500 || status === 408 || status === 429;
}

/** A signal that aborts `ms` after the given one. */
function later(signal: AbortSignal, ms: number): AbortSignal {
  const controller = new AbortController();
  const wait = () => setTimeout(() => controller.abort(signal.reason), ms).unref();
  if (signal.aborted) wait();
  else signal.addEventListener('abort', wait, { once: true });
  return controller.signal;
}

function parameters({ key, mediaType, fileName }: StoreObject) {
  return { Key: key, ContentType: mediaType, ContentDisposition: contentDisposition(fileName) };
}

/** RFC 6266: an ASCII file name as fallback, the actual one in RFC 8187 encoding. */
function contentDisposition(fileName: string): string {
  const ascii = asciiName(fileName);
  if (ascii === fileName) return `attachment; filename="${ascii}"`;
  const encoded = encodeURIComponent(fileName).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

/** Replaces everything but ASCII letters, digits, dot, hyphen and underscore, for use in keys and headers. */
export function asciiName(fileName: string): string {
  return fileName.replace(/[^A-Za-z0-9._-]/g, '_');
}

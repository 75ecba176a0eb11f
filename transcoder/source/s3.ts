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

export interface StoreObject {
  key: string;
  /** Absolute path of the local file. */
  path: string;
  mediaType: string;
  /** Name of the download. */
  fileName: string;
}

export interface PutOptions {
  signal: AbortSignal;
  /** Called with the fraction 0–1 of this object that has been sent. */
  onFraction: (fraction: number) => void;
}

/** Where results go, and come from where one is the source of another task. Failures are TaskFailure `storage_failed`. */
export interface ObjectStore {
  put(object: StoreObject, options: PutOptions): Promise<{ file_size: number; sha256: string }>;
  /** An object as a source. Reading one that is not there any more fails with `source_gone`. */
  origin(key: string): Origin;
  /** Deletes what is there; a key that does not exist is no failure. Throws where one could not be deleted. */
  remove(keys: readonly string[]): Promise<void>;
  /** Loads and connects what the first put needs, so that no task waits for it. */
  warm(log: Log): Promise<void>;
}

const MIB = 1024 * 1024;
const PART_BYTES = 8 * MIB;
/** So long an aborted put may still be answered: one that is cut off may be stored after its key was deleted. */
const SETTLE_MS = 8000;

export function s3Store(config: Config): ObjectStore {
  const bucket = config.s3Bucket;
  const client = new S3Client({
    endpoint: config.s3Endpoint,
    region: config.s3Region,
    credentials: { accessKeyId: config.s3AccessKeyId, secretAccessKey: config.s3SecretAccessKey },
    forcePathStyle: true,
    // R2 knows no default CRC trailers: https://developers.cloudflare.com/r2/examples/aws/aws-sdk-js-v3/
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: 5000, socketTimeout: 30_000 },
  });

  const noteOf = (key: string) => ({ Bucket: bucket, Key: `${key}${uploadNoteSuffix}` });
  /** What of an upload in parts is under way, by the key of its object. */
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

  /** Notes the upload before its first part: one that nobody knows of could not be ended. */
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
    // One that a failure has left behind would stay for good: its note is overwritten.
    await endUpload(object.key);
    const hash = createHash('sha256');
    let bytes = 0;
    const hashed = async function* () {
      for await (const chunk of createReadStream(object.path, { highWaterMark: MIB })) {
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

  /** Gives up what has arrived of an upload. Where this throws the note stays, by which the sweeper does it. */
  async function endUpload(key: string): Promise<void> {
    // `done` rejects at an abort and leaves under way what may yet create or complete the upload.
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
          throw new Error('the answer of the object store is no HTTP message');
        } catch (cause) {
          signal.throwIfAborted();
          if (cause instanceof NoSuchKey)
            throw new TaskFailure(
              'source_gone',
              'The output of the source task was deleted or has expired.',
              { cause },
            );
          throw new TaskFailure('storage_failed', 'The source could not be read from storage.', { cause });
        }
      },
      // The connections are those of the store, which lives on.
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
        log.warn('the object store did not answer at start', { error });
      }
    },
  };
}

/** Whether a store that could not be reached, or is in trouble itself, may take the same request later. */
function mayPass(error: unknown): boolean {
  // A lost answer to the end of an upload looks like this.
  if (error instanceof NoSuchUpload) return true;
  // Errors of files have paths.
  if (!(error instanceof S3ServiceException)) return !(error instanceof Error && 'path' in error);
  const status = error.$metadata.httpStatusCode ?? 500;
  return status >= 500 || status === 408 || status === 429;
}

/** Aborted this long after the other one. */
function later(signal: AbortSignal, ms: number): AbortSignal {
  const controller = new AbortController();
  const wait = () => setTimeout(() => controller.abort(signal.reason), ms).unref();
  signal.addEventListener('abort', wait, { once: true });
  return controller.signal;
}

function parameters({ key, mediaType, fileName }: StoreObject) {
  return { Key: key, ContentType: mediaType, ContentDisposition: contentDisposition(fileName) };
}

/** RFC 6266: an ASCII name for everyone, the true one in RFC 8187 form. */
function contentDisposition(fileName: string): string {
  const ascii = asciiName(fileName);
  if (ascii === fileName) return `attachment; filename="${ascii}"`;
  const encoded = encodeURIComponent(fileName).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

/** The name with everything but letters, digits, dot, hyphen and underscore replaced: good as a key and in a header. */
export function asciiName(fileName: string): string {
  return fileName.replace(/[^A-Za-z0-9._-]/g, '_');
}

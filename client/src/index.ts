export type { DownloadOptions, DownloadTarget, NodeWritable } from './download.ts';
export {
  ApiError,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  DownloadError,
  InvalidKeyError,
  NoFilesError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  RequestError,
  ServiceError,
  SpoolError,
  TaskFailedError,
  WebhookVerificationError,
} from './errors.ts';
export type { PlannedTask, StartOptions, StartTask } from './operations.ts';
export type { Listing, Page } from './pages.ts';
export { PendingTask, type Progress, TaskResult, type WaitOptions } from './pending-task.ts';
export type { OperationMethods } from './printed/operations.ts';
export type * from './printed/schemas.ts';
export { LocalFile, localFile, type Source } from './source.ts';
export { type DeliveryFilter, Spool, type TaskFilter } from './spool.ts';
export type { SpoolOptions } from './transport.ts';
export type { UploadOptions } from './upload.ts';
export { type SignedRequest, signWebhook, verifyWebhook } from './webhook.ts';

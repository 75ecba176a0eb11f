import type { ConsistentRequest } from '../../protocol.ts';
import { countedChunks } from './avi-sound.ts';
import { onceInOneTable } from './transport-stream.ts';

/** Answers the request of this name. */
export const consistent = (request: ConsistentRequest): Promise<boolean> =>
  request.source.format === 'avi' ? countedChunks(request) : onceInOneTable(request);

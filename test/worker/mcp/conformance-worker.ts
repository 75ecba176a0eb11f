import worker from '../../../worker/index.ts';
import { withKey } from './keyed-worker.ts';

export { Account, Fleet, Transcoder } from '../../../worker/index.ts';

export default withKey(worker.fetch);

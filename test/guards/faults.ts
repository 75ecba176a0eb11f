import type { Fault } from './fault.ts';
import { addresses } from './faults/addresses.ts';
import { billing } from './faults/billing.ts';
import { deletionAndExport } from './faults/deletion.ts';
import { fetchingSources } from './faults/fetching.ts';
import { keys } from './faults/keys.ts';
import { media } from './faults/media.ts';
import { people } from './faults/people.ts';
import { playground } from './faults/playground.ts';
import { requests } from './faults/requests.ts';
import { tenantsApart } from './faults/tenants.ts';
import { texts } from './faults/texts.ts';
import { tracks } from './faults/tracks.ts';
import { uploads } from './faults/uploads.ts';
import { webhookReceivers } from './faults/webhooks.ts';

/** A fault for each guard that SECURITY.md names. A guard that moves takes its fault along. */
export const faults: readonly Fault[] = [
  ...addresses,
  ...fetchingSources,
  ...webhookReceivers,
  ...media,
  ...keys,
  ...people,
  ...playground,
  ...billing,
  ...deletionAndExport,
  ...tenantsApart,
  ...requests,
  ...texts,
  ...uploads,
  ...tracks,
];

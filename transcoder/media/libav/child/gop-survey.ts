import { type Coded, pictureIn } from '../../../bitstream/codec.ts';
import { codecs } from '../../../bitstream/codecs.ts';
import { type Picture, quantiserOf } from '../../../bitstream/quantiser.ts';
import { PacketListing, type SurveyedPackets } from '../../../model/source/surveyed-packets.ts';
import type { SurveySent, Unfit } from '../../../model/splice.ts';
import type { SurveyRequest } from '../protocol.ts';
import { configurationOf } from './av.ts';
import { sourceTrack } from './mp4/movie.ts';
import { type PacketWalk, walk } from './read/packet-walk.ts';
import { Reader } from './read/reader.ts';
import { Recovery } from './recovery-points.ts';

/** Largest distance in packets between a keyframe's decoding time and its presentation time. */
const REORDER = 16;

/** Lists the packets around the ranges, and checks whether re-encoded frames can be spliced between them. */
export async function survey({ source, codec, stream, ranges }: SurveyRequest): Promise<SurveySent> {
  const reader = await Reader.open({ source, stream });
  const index = source.present === null ? await sourceTrack(source, reader.stream.id) : null;
  try {
    const described = configurationOf(reader.stream);
    const coded = codecs[codec].coded(described);
    if ('unfit' in coded) return nothing(coded.unfit);
    const parts: SurveySent['parts'] = [];
    const keys: Picture[] = [];
    const extradata = Buffer.from(described.extradata);
    for (const [from, to] of ranges) {
      await reader.seek(from);
      const packets = walk(reader, index);
      const found = await listed({ packets, recovery: new Recovery(reader.stream) }, to, {
        ...{ coded, extradata, keys },
      });
      if (typeof found === 'string') return nothing(found);
      parts.push(found);
    }
    const configuration = extradata.toString('base64');
    const quantiser = coded.scale && quantiserOf(keys, coded.scale);
    return { parts, configuration, fitting: coded.fitting, quantiser, unfit: null };
  } finally {
    index?.bytes.close();
    await reader.close();
  }
}

const nothing = (unfit: Unfit): SurveySent => ({
  ...{ parts: [], configuration: '', fitting: null, quantiser: null, unfit },
});

/** @param keys Receives the keyframes' pictures. */
async function listed(
  { packets, recovery }: { packets: PacketWalk; recovery: Recovery },
  to: number,
  { coded, extradata, keys }: { coded: Coded; extradata: Buffer; keys: Picture[] },
): Promise<SurveyedPackets | Unfit> {
  const found = new PacketListing();
  for (let beyond = 0; beyond <= REORDER; ) {
    const next = packets.next();
    const packet = next instanceof Promise ? await next : next;
    if (!packet) break;
    const { pts, dts, duration, key, hidden, configuration } = packet;
    if (configuration && !extradata.equals(configuration)) return 'parameter_sets_change';
    const data = key || recovery.isGoingOn ? await packet.data() : new Uint8Array();
    const unfit = key ? coded.misfit(data) : null;
    if (unfit) return unfit;
    const picture = key ? pictureIn(data, coded) : null;
    if (picture) keys.push(picture);
    if (!Number.isSafeInteger(pts) || !Number.isSafeInteger(dts)) return 'timestamps_missing';
    const entry = key ? coded.entry(data) : null;
    const right = recovery.follow({ isKeyframe: key, data }, pts)?.right === pts;
    found.add({ pts, dts, duration, key: right, entry, hidden });
    if (dts >= to && !hidden) beyond += 1;
  }
  return found.packets;
}

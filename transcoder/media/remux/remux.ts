import type { Demuxer } from '../../../schema/media/demuxers.ts';
import { JoinedClocks } from '../../model/joined-clocks.ts';
import type { Read, RemuxedFor } from '../../model/plan.ts';
import type { MediaProbe } from '../../model/source/media-probe.ts';
import type { Arrived, MediaSource, ProbedSource } from '../../model/source/media-source.ts';
import {
  hasPaletteAside,
  holdsPresentationTimes,
  isUnindexed,
  mayBeJoined,
} from '../../model/source/video-stream.ts';
import { isSpliced, splicedCodecs } from '../../model/splice.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import { UnevenSound } from '../../model/uneven-sound.ts';
import type { MediaContext } from '../execute/media-context.ts';
import { containerName } from '../probe/streams.ts';
import { asBefore, type Containing, consistent, remuxed, remuxedPart } from './contain.ts';
import { isReadInPart, readPart } from './part.ts';

/** Formats without a keyframe index whose packets have no timestamps, or ticks as coarse as a frame. */
const untimed: readonly Demuxer[] = ['h264', 'hevc', 'mpegvideo', 'm4v', 'obu', 'mpeg', 'asf', 'dv'];

/** Audio codecs of 3GP files, whose packets hold up to 50 frames. */
const bundled: readonly string[] = ['amr_nb', 'amr_wb'];

/** Video codecs of recordings without a keyframe index. */
const sought: readonly string[] = [...splicedCodecs, 'mpeg2video'];

/** Formats whose H.264 has an avcC. Others are decoded from their beginning anyway. */
const lengthPrefixed: readonly Demuxer[] = ['mov', 'matroska'];

/** Further formats from which packets are not copied as they are. */
const foreign: readonly Demuxer[] = ['avi', 'mxf', 'ivf'];

/** Formats that state presentation times in an index alone. Without it, the muxer of a copy would make them up. */
const timedByIndex: readonly Demuxer[] = ['mxf'];

/** Formats of whose headers libav believes what is not so. */
const corrected: readonly Demuxer[] = ['avi', 'wav', 'aiff', 'ogg'];

/**
 * Returns the source or, if its packets are untimed, the same video and audio remuxed into a container with timestamps and
 * a keyframe index, which every operation then reads. A source is rewritten if libav would read it wrongly as it is, but not yet if a
 * part of it may do. Throws
 * `source_not_media`, or TaskFailure if the source cannot be read.
 */
export async function contained(
  media: Pick<MediaContext, 'libav' | 'log'>,
  source: MediaSource,
  { remuxedFor = 'copying', read = null, ...containing }: Containing & Pick<Reading, 'remuxedFor' | 'read'>,
): Promise<MediaSource> {
  const { format } = source;
  const whole = remuxedFor === 'nothing' || (remuxedFor === 'copying' && !isReadInPart(source, read));
  if (corrected.includes(format) || (format === 'mpegts' && whole))
    return consistent(media, source, containing);
  if (!untimed.includes(format)) return source;
  const making = (decoded: 'none' | 'changing') =>
    remuxed(media, source, { ...containing, stated: false, fromKey: null, decoded });
  const copied = remuxedFor === 'nothing' ? await making('none') : null;
  if (copied && !('failure' in copied)) return copied;
  const made = await making('changing');
  if ('failure' in made) throw new TaskFailure('source_not_media', unread(format), { cause: made.failure });
  if (copied) throw new TaskFailure('codec_unsupported', uncopied(format), { cause: copied.failure });
  return made;
}

interface Reading {
  probe: (source: MediaSource) => Promise<MediaProbe>;
  /** By default for copying. */
  remuxedFor?: RemuxedFor | undefined;
  /** What an operation reads of it, as far as that is known. */
  read?: Read | null;
}

/** The source as operations read it, with its probe: remuxed where that makes it decode rightly, or lets its packets be copied; a part of it, if that is enough. */
export async function readable(
  media: Pick<MediaContext, 'libav' | 'log'>,
  source: MediaSource,
  { probe, remuxedFor = 'copying', read = null }: Reading,
  containing: Containing,
): Promise<ProbedSource> {
  if (isReadInPart(source, read)) {
    const part = await partOf(media, source, { ...containing, probe, read });
    if (part) return part;
    const name = `${containing.name}-consistent`;
    const whole = await consistent(media, source, { ...containing, name });
    return readable(media, whole, { probe, remuxedFor }, containing);
  }
  const before = await probe(source);
  const made = await repacked(media, source, before, { ...containing, remuxedFor });
  if (made === source) return { ...source, probe: before };
  try {
    return { ...made, probe: asBefore(await probe(made), before) };
  } catch (error) {
    if (!(error instanceof TaskFailure && error.code === 'source_not_media')) throw error;
    // Of a damaged source nothing may be left, and what is wrong with it is found later.
    media.log.warn('a remuxed source cannot be opened', { error });
    return { ...source, probe: before };
  }
}

/** The part of a source that is read, if that is like the rest of it; null if all of it has to be read. */
async function partOf(
  media: Pick<MediaContext, 'libav' | 'log'>,
  source: MediaSource,
  reading: Containing & Pick<Reading, 'probe'> & { read: Read },
): Promise<ProbedSource | null> {
  try {
    const before = await reading.probe(source);
    const { joined, wrong, unsteady, uncopied } = needsOf(source, before, 'copying');
    return uncopied && !joined && !wrong && !unsteady ? await readPart(media, source, before, reading) : null;
  } catch (error) {
    // All of it may be read without this failure.
    if (!(error instanceof TaskFailure)) throw error;
    return null;
  }
}

/**
 * Returns the source or, if its packets decode wrongly as they are, the same video and audio remuxed:
 * - with one frame per packet, for older versions of ffmpeg decode only the first frame of an AMR packet;
 * - with the encoder's version at each keyframe where decoders have to know it;
 * - with both fields of a frame in one packet, and with a frame of VP9 that is not shown in the packet of the next one;
 * - with the times of audio packets that state none, or those at which they arrived;
 * - with uncompressed sound as QuickTime describes it, where older versions of ffmpeg take it for another format;
 * - with the recordings of several files that were joined, one after another, where that is seen before all of it is read;
 * - with the samples of sound whose sample rate or channels change, and of chained Ogg;
 * - with presentation times where a muxer wrote decoding times in their place, or times that its container cannot state;
 * - with the flags of keyframes where a muxer flagged every packet, or none;
 * - with a keyframe index and a codec configuration, without which packets can be neither sought nor copied;
 * - with the parameter sets of each of several descriptions in its keyframes, as a copy has one description;
 * - with the palette of each picture in its packet, as programs lose it when they seek;
 * - from the first packet on that can be decoded.
 */
export async function repacked(
  media: Pick<MediaContext, 'libav' | 'log'>,
  source: MediaSource,
  probe: Pick<MediaProbe, 'audio' | 'video'>,
  { remuxedFor, ...containing }: Containing & { remuxedFor: RemuxedFor },
): Promise<MediaSource> {
  if (source.arrived) return source;
  const { video } = probe;
  const { joined, chained, within, wrong, unstated, ...needs } = needsOf(source, probe, remuxedFor);
  if (joined && source.format !== 'mpegts') return oneAfterAnother(media, source, containing);
  if (remuxedFor === 'nothing' && !unstated) return source;
  // Other operations read all of a transport stream, and see where its clock begins again.
  const unseen = joined && (remuxedFor === 'listing' || remuxedFor === 'decoding');
  // Decoders that begin within a later clip of HEVC take the description of the first one.
  const redescribed = needs.redescribed && remuxedFor !== 'listing';
  const uncopied = (remuxedFor === 'copying' && (needs.uncopied || within)) || redescribed;
  if (!wrong && !needs.unsteady && !needs.unpainted && !unseen && !uncopied) return source;
  const fromKey = within ? (video?.index ?? null) : null;
  const stated = !wrong && holdsPresentationTimes(source.format);
  const copied = remuxedFor === 'nothing' ? 'none' : 'changing';
  const decoded = chained ? 'links' : copied;
  const made = await remuxed(media, source, { ...containing, stated, fromKey, decoded });
  if ('failure' in made) {
    // Of one clock that begins again, programs show the last recording alone.
    if (joined) throw new JoinedClocks(null, made.failure);
    return source;
  }
  // libav does not see it in packets with both fields.
  return { ...made, arrived: { ...made.arrived, interlaced: video?.interlaced === true } };
}

interface Needs {
  joined: boolean;
  chained: boolean;
  /** Whether the video begins within a group of pictures. */
  within: boolean;
  /** Whether times are not what packets state. */
  unstated: boolean;
  /** Whether packets decode wrongly as they are. */
  wrong: boolean;
  unsteady: boolean;
  unpainted: boolean;
  /** Whether the container describes them in several ways. */
  redescribed: boolean;
  /** Whether packets can be neither sought nor copied as they are. */
  uncopied: boolean;
}

function needsOf(
  { format }: MediaSource,
  { audio, video }: Pick<MediaProbe, 'audio' | 'video'>,
  remuxedFor: RemuxedFor,
): Needs {
  const unshown = video?.timedByDecoding === true && timedByIndex.includes(format);
  const bundles = format === 'mov' && bundled.includes(audio?.codec ?? '');
  const unnamed = lengthPrefixed.includes(format) && video?.needsVersion === true;
  const misstated =
    video?.singleFields === true || video?.timedByDecoding === true || video?.beginsEarly === true;
  const misflagged = video?.misflagged === true || video?.unseenPackets === true;
  const chained = audio?.chained === true;
  const unheard = bundles || chained || audio?.misread === true || audio?.untimed === true;
  const unsought = isUnindexed(format) && (video === null || sought.includes(video.codec));
  const unspliced = video !== null && foreign.includes(format) && isSpliced(video.codec);
  const redescribed = video?.redescribed === true;
  return {
    joined: video?.joined === true || audio?.joined === true,
    ...{ chained, within: video?.withinGroup === true },
    unstated: unshown || video?.beginsEarly === true || audio?.untimed === true,
    wrong: unheard || unnamed || misstated || misflagged,
    unsteady: audio?.unsteady === true,
    unpainted: remuxedFor !== 'listing' && video?.pixelFormat === 'pal8' && hasPaletteAside(video.codec),
    ...{ redescribed, uncopied: unsought || unspliced },
  };
}

/** The recordings of several files that were joined byte by byte. Throws JoinedClocks if one does not go on as the one before it. */
async function oneAfterAnother(
  media: Pick<MediaContext, 'libav' | 'log'>,
  source: MediaSource,
  containing: Containing,
): Promise<MediaSource> {
  const how = { ...containing, stated: true, fromKey: null, decoded: 'changing' } as const;
  const made = await remuxed(media, source, how);
  if ('failure' in made) throw new JoinedClocks(null, made.failure);
  return made;
}

/**
 * Works with sources, and again if they turn out not to be what they were read as: with the samples of sound in place of its packets, all
 * at one sample rate and in one layout, if the sound changes either; and with one clock, if a source consists of several recordings.
 * @param naming What to name the remuxed file of a source, and how to probe it.
 */
export async function withSteadySources<T>(
  media: Pick<MediaContext, 'libav' | 'log'>,
  sources: ProbedSource[],
  naming: (index: number) => Containing & Pick<Reading, 'probe'>,
  work: (sources: ProbedSource[]) => Promise<T>,
): Promise<T> {
  try {
    return await work(sources);
  } catch (error) {
    const steadied =
      error instanceof UnevenSound ? decodingSound : error instanceof JoinedClocks ? rejoined : null;
    if (!steadied) throw error;
    media.log.warn('a source is not what it was read as, and is remuxed', { error });
    const steady: ProbedSource[] = [];
    for (const [index, source] of sources.entries())
      steady.push(await steadied(media, source, naming(index)));
    return work(steady);
  }
}

/** The source itself if it has no sound, or if that fails. */
async function decodingSound(
  media: Pick<MediaContext, 'libav' | 'log'>,
  source: ProbedSource,
  { probe, ...containing }: Containing & Pick<Reading, 'probe'>,
): Promise<ProbedSource> {
  if (!source.probe.audio) return source;
  for (const stated of [true, false]) {
    const how = { ...containing, stated, fromKey: null, decoded: 'all', span: null } as const;
    const made = await remuxedPart(media, source, how);
    if ('failure' in made) continue;
    const even = {
      ...made.source,
      ...(source.arrived ? { arrived: later(source.arrived, made.start) } : {}),
    };
    return { ...even, probe: asBefore(await probe(even), source.probe) };
  }
  return source;
}

/** @param start Second of a remuxed source that became 0 when it was remuxed again. */
const later = ({ clock, ...arrived }: Arrived, start: number): Arrived =>
  clock ? { ...arrived, clock: { ...clock, origin: clock.origin - start } } : arrived;

/** A source whose clock may begin again with one clock; the source itself if that fails. */
async function rejoined(
  media: Pick<MediaContext, 'libav' | 'log'>,
  source: ProbedSource,
  { probe, ...containing }: Containing & Pick<Reading, 'probe'>,
): Promise<ProbedSource> {
  if (source.arrived || !mayBeJoined(source.format)) return source;
  // Where another recording begins may be seen only now.
  await source.whole();
  const made = await remuxed(media, source, {
    ...containing,
    stated: true,
    fromKey: null,
    decoded: 'changing',
  });
  return 'failure' in made ? source : { ...made, probe: asBefore(await probe(made), source.probe) };
}

const uncopied = (format: Demuxer) =>
  `The source starts like ${containerName(format)}, and the packets of one of its tracks can only be decoded, not copied into another container. Re-encode it with /transcode.`;

const unread = (format: Demuxer) =>
  `The source starts like ${containerName(format)}, but nothing in it can be decoded. Convert it to MP4.`;

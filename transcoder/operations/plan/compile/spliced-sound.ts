import type { VideoContainer } from '../../../../schema/operations/fields/fields.ts';
import type { AudioCodec } from '../../../../schema/operations/transcode.ts';
import type { AudioStream, MediaProbe } from '../../../model/source/media-probe.ts';
import { mixedByLibav, type SplicedSound, soundFile, soundTarget } from '../audio-file.ts';
import type { AskedSound } from '../audio-target.ts';
import { copiedSound } from '../copy-audio.ts';
import { lengthOf } from '../require-streams.ts';
import { rangeSteps } from './range-sound.ts';
import { audibleIn, rangesOf } from './ranges.ts';
import { samplesOfAll, soundSteps, soundWork } from './sound-parts.ts';
import { UNCHANGED, type Work } from './work.ts';

/** What libav encodes. */
const mixed: readonly AudioCodec[] = ['aac', 'opus'];

/** Clips of a sound track. */
interface Sounding extends Omit<Work, 'request' | 'grid' | 'turn'> {
  format: VideoContainer;
  /** Whether its packets are not copied, even if they could be. */
  encoded?: boolean;
  /** Absent if the request leaves codec and bitrate open. */
  asked?: AskedSound | undefined;
}

/**
 * The sound of the clips, of this or another track: its packets if all of it is played as it is in a container whose edit list can
 * trim them, otherwise a file. Null if they have none.
 */
export function splicedSound(sounding: Sounding): SplicedSound | null {
  const { probe, clips, open, format, asked } = sounding;
  const stream = open ? audibleIn(probe, clips) : probe.audio;
  if (!stream) return null;
  const trim = sounding.encoded ? null : trimmed(sounding, stream);
  if (trim) {
    const made = splicedSound({ ...sounding, encoded: true });
    return {
      ...{ steps: [], codec: stream.codec, input: { source: 0, stream: stream.index }, audio: trim },
      ...(made ? { byFfmpeg: made.byFfmpeg ?? made } : {}),
    };
  }
  const sound = soundWork({ ...sounding, stream }, (heard) => soundTarget(heard, format, asked));
  if (!sound) return null;
  // Ranges come in any order, so each is an input of its own; clips at rates are read in runs of ffmpeg.
  const { steps, inputs, chains } = samplesOfAll(sound, sounding.fades, open ? rangeSteps : soundSteps);
  const file = soundFile(sound.target, steps, { inputs, chains, seconds: sound.total });
  return open && mixed.includes(sound.target.codec) ? mixedByLibav(file) : file;
}

function trimmed({ probe, clips, fades, reversed, format, asked }: Sounding, stream: AudioStream) {
  if (asked && (asked.codec !== 'auto' || asked.kbps !== null)) return null;
  const [clip, ...others] = clips;
  if (!clip || others.length > 0 || clip.rate !== 1 || clip.muted || reversed) return null;
  const edited = format === 'mp4' || format === 'mov';
  return edited && fades.in === 0 && fades.out === 0 ? copiedSound(probe, stream, clip) : null;
}

/** The sound of another track of the source, made of the same clips. */
export const soundOfClips = (work: Work, probe: MediaProbe = work.probe): SplicedSound | null =>
  splicedSound({ ...work, probe, format: work.request.input.format });

/** The same sound in a file, which needs no packets of the source. */
export const encodedSoundOf = (work: Work): SplicedSound | null =>
  splicedSound({ ...work, format: work.request.input.format, encoded: true });

/** All of a source's sound. */
export function wholeSound(
  probe: MediaProbe,
  format: VideoContainer,
  asked?: AskedSound,
): SplicedSound | null {
  const clips = rangesOf([{ start: 0, end: lengthOf(probe) }]);
  return splicedSound({ ...UNCHANGED, probe, stream: probe.audio, clips, open: true, format, asked });
}

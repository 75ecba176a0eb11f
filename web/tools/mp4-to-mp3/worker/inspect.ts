import type { InputAudioTrack } from 'mediabunny';
import { codecName } from '../failures.ts';
import type { Inspection, TrackInfo } from '../messages.ts';
import { endOf, openSource, trackFailure } from './source.ts';

const layouts: Record<number, string> = { 1: 'mono', 2: 'stereo', 6: '5.1', 8: '7.1' };

/** What the page shows of a file, and offers to choose. */
export async function inspect(file: File): Promise<Inspection> {
  const source = await openSource(file);
  const { input, tracks } = source;
  try {
    const tags = await input.getMetadataTags().catch(() => null);
    const video = await input.getPrimaryVideoTrack();
    return {
      duration: (await endOf(source, tracks)) - source.origin,
      tracks: await Promise.all(tracks.map(trackInfo)),
      title: tags?.title ?? '',
      artist: tags?.artist ?? '',
      hasPicture: (await video?.canDecode()) ?? false,
      hasCover: (tags?.images?.length ?? 0) > 0,
    };
  } finally {
    input.dispose();
  }
}

async function trackInfo(track: InputAudioTrack): Promise<TrackInfo> {
  const [codec, inFile] = [await track.getCodec(), await track.getInternalCodecId()];
  const [sampleRate, channels] = [await track.getSampleRate(), await track.getNumberOfChannels()];
  const [language, name] = [await track.getLanguageCode(), await track.getName()];
  const failure = await trackFailure(track);
  const kind = `${codecName(codec, inFile)}, ${layouts[channels] ?? `${channels} channels`}, ${sampleRate / 1000} kHz`;
  return {
    number: track.number,
    label: [language === 'und' ? null : language, name, kind].filter(Boolean).join(' · '),
    isDecodable: failure === null,
    failure,
    sampleRate,
    channels,
    codec,
  };
}

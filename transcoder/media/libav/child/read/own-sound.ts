import { AV_DISPOSITION_DEFAULT, AVMEDIA_TYPE_AUDIO, AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import type { FormatContext } from 'node-av/lib';

/** Of several programs, as broadcasters send them together, marks a sound of the one whose picture comes first as the default. */
export function preferOwnSound(input: FormatContext): void {
  if (input.nbPrograms < 2) return;
  const { streams } = input;
  const picture = streams.find(
    ({ codecpar: { codecType, width } }) => codecType === AVMEDIA_TYPE_VIDEO && width > 0,
  );
  if (!picture || streams.some(isDefaultSound)) return;
  const sound = streams[input.findBestStream(AVMEDIA_TYPE_AUDIO, ANY, picture.index)];
  if (sound) sound.disposition = AV_DISPOSITION_DEFAULT;
}

const ANY = -1;

const isDefaultSound = ({ codecpar, disposition }: FormatContext['streams'][number]): boolean =>
  codecpar.codecType === AVMEDIA_TYPE_AUDIO && ((disposition as number) & AV_DISPOSITION_DEFAULT) !== 0;

import { Code } from '../elements.tsx';

interface ShownFile {
  role: string;
  url: string;
  media_type: string;
  file_size: number;
  name: string;
}

/** A browser decodes the whole file to draw its waveform. */
const MAX_WAVEFORM_BYTES = 20_000_000;

/** The signed link as an address of this page's origin, which the policy of the page allows. */
export const ownAddress = (url: string) => {
  const { pathname, search } = new URL(url);
  return pathname + search;
};

/** A player, a picture, or the beginning of a text. `captions`: address of a WebVTT file of the same task. */
export function FilePreview({
  file,
  text = null,
  captions = null,
}: {
  file: ShownFile;
  text?: { text: string; isWhole: boolean } | null;
  captions?: string | null;
}) {
  const { role, url, media_type, file_size, name } = file;
  const source = ownAddress(url);
  if (text) {
    return <Code title={text.isWhole ? name : `The beginning of ${name}`} text={text.text} />;
  }
  if (media_type.startsWith('image/')) {
    return (
      <figure class="shown-file">
        <img src={source} alt={`The file ${name}`} loading="lazy" />
        <figcaption>{role}</figcaption>
      </figure>
    );
  }
  const isSound = media_type.startsWith('audio/');
  const Player = isSound ? 'audio' : 'video';
  return (
    <figure
      class="shown-file"
      data-waveform={isSound && file_size <= MAX_WAVEFORM_BYTES ? source : undefined}
    >
      <Player
        controls
        playsinline={isSound ? undefined : true}
        preload="metadata"
        src={source}
        aria-label={name}
      >
        {captions ? <track kind="captions" src={captions} label="Captions" /> : null}
      </Player>
      <figcaption>{role}</figcaption>
    </figure>
  );
}

import { downloadZip } from 'client-zip';
import { BlobUrl } from './elements.ts';

/** Missing in the types of the DOM: not every browser has them. */
interface Pickers {
  showDirectoryPicker?(options: { mode: 'readwrite' }): Promise<FileSystemDirectoryHandle>;
  showSaveFilePicker?(options: { suggestedName: string }): Promise<FileSystemFileHandle>;
}

const pickers = window as Pickers;

export interface Saved {
  name: string;
  blob: Blob;
}

const link = new BlobUrl();
const saved = new WeakSet<Blob>();

export const isSaved = (blob: Blob): boolean => saved.has(blob);

export function saveOne({ name, blob }: Saved): void {
  const anchor = document.createElement('a');
  anchor.href = link.of(blob);
  anchor.download = name;
  anchor.click();
  saved.add(blob);
}

/** Writes a ZIP straight to disk where the browser can, and otherwise offers it as a download. Nothing is compressed twice. */
export async function saveZip(files: readonly Saved[], suggestedName: string): Promise<void> {
  const zip = downloadZip(files.map(({ name, blob }) => ({ name, input: blob })));
  if (pickers.showSaveFilePicker) {
    const handle = await pickers.showSaveFilePicker({ suggestedName });
    await zip.body?.pipeTo(await handle.createWritable());
  } else saveOne({ name: suggestedName, blob: await zip.blob() });
  for (const { blob } of files) saved.add(blob);
}

export const canWriteFolders = pickers.showDirectoryPicker !== undefined;

/** @returns null if the person chose none */
export async function chooseFolder(): Promise<FileSystemDirectoryHandle | null> {
  return (await pickers.showDirectoryPicker?.({ mode: 'readwrite' }).catch(whenDismissed)) ?? null;
}

/** @returns null for the error of a dialog that the person closed */
export function whenDismissed(error: unknown): null {
  if (error instanceof DOMException && error.name === 'AbortError') return null;
  throw error;
}

/** Makes a file with that name in the folder, or with a number if there is one already. */
export async function newFile(
  folder: FileSystemDirectoryHandle,
  name: string,
): Promise<FileSystemFileHandle> {
  const stem = name.slice(0, -'.mp3'.length);
  for (let number = 1; ; number++) {
    const free = number === 1 ? name : `${stem} (${number}).mp3`;
    const exists = await folder.getFileHandle(free).then(
      () => true,
      () => false,
    );
    if (!exists) return folder.getFileHandle(free, { create: true });
  }
}

import { randomUUID } from 'node:crypto';
import { AV_LOG_ERROR, AV_LOG_INFO } from 'node-av/constants';
import { type FormatContext, Log } from 'node-av/lib';
import { MOST_CHAPTERS } from '../../../../model/contents.ts';
import { chaptersIn, isChapter, type PrintedChapter } from './chapter-messages.ts';

/**
 * The chapters of a file, at most one more than are kept. node-av exposes none, but libav prints them when it describes a file, which
 * takes 0.1 ms.
 */
export async function printedChapters(input: FormatContext): Promise<PrintedChapter[]> {
  const end = randomUUID();
  const messages: string[] = [];
  let chapters = 0;
  const described = new Promise<void>((resolve) => {
    Log.setCallback(
      (_, message) => {
        if (message === end) return resolve();
        if (isChapter(message)) chapters += 1;
        if (chapters > 0 && chapters <= MOST_CHAPTERS + 1) messages.push(message);
      },
      { maxLevel: AV_LOG_INFO },
    );
  });
  Log.setLevel(AV_LOG_INFO);
  input.dumpFormat(0, '', false);
  Log.log(AV_LOG_INFO, end);
  Log.setLevel(AV_LOG_ERROR);
  await described;
  Log.resetCallback();
  return chaptersIn(messages);
}

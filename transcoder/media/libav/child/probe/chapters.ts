import { AV_LOG_INFO } from 'node-av/constants';
import type { FormatContext } from 'node-av/lib';
import { MOST_CHAPTERS } from '../../../../model/source/contents.ts';
import { withMessages } from '../read/log-messages.ts';
import { chaptersIn, isChapter, type PrintedChapter } from './chapter-messages.ts';

/**
 * The chapters of a file, at most one more than are kept. node-av exposes none, but libav prints them when it describes a file, which
 * takes 0.1 ms.
 */
export async function printedChapters(input: FormatContext): Promise<PrintedChapter[]> {
  const messages: string[] = [];
  let chapters = 0;
  const take = (message: string) => {
    if (isChapter(message)) chapters += 1;
    if (chapters > 0 && chapters <= MOST_CHAPTERS + 1) messages.push(message);
  };
  await withMessages(AV_LOG_INFO, take, () => input.dumpFormat(0, '', false));
  return chaptersIn(messages);
}

import { access } from 'node:fs/promises';
import { join } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import { type Example, examples, posterOf, socialPicture } from '../../schema/api/examples.ts';
import { TaskFailure } from '../../transcoder/model/task-failure.ts';
import { folderOf, makeMissing, type Outcome, recipeOf } from '../assets/missing.ts';
import type { Machine } from './machine.ts';

const HOST = 'https://media.example.com';
const QUALITY = 80;

/** What the social picture is a frame of. */
const titled = {
  audio_url: `${HOST}/music.m4a`,
  image_url: `${HOST}/photo.jpg`,
  ...{ style: 'mirror', colors: ['#5fd0b9', '#e4f5ef'], width: 1200, height: 630, fps: 10 },
  ...{ title: 'Spool', subtitle: packageJson.description.split(':')[0] },
};
const SOCIAL_AT = 1.5;

/** Creates the posters of the examples and the social picture, after the examples: frames, taken as a task would take them. */
export async function makePictures(
  machine: Machine,
  drawn: string,
  recipeOfExample: (example: Example) => Promise<string>,
): Promise<Outcome> {
  const frameOf = (path: string, second: number, directory: string) => {
    const request = { video_url: `${HOST}/clip.mp4`, timestamps: [second], quality: QUALITY };
    return machine.operate('frame', request, [path], directory);
  };
  const frames = (...others: string[]) => recipeOf(['scripts/examples/pictures.ts'], ...others);
  const posters = examples.flatMap((example) => {
    const { posterAt } = example;
    return posterAt === null ? [] : [{ example, posterAt }];
  });
  const wanted = posters.map(async ({ example, posterAt }) => ({
    file: posterOf(example),
    recipe: await frames(await recipeOfExample(example), String(posterAt)),
    make: async (directory: string) => frameOf(await madeExample(example.file), posterAt, directory),
  }));
  const social = {
    file: socialPicture,
    recipe: await frames(
      drawn,
      await recipeOf(['transcoder/operations/visualize/*.ts']),
      JSON.stringify(titled),
    ),
    make: async (directory: string) => {
      const sources = ['music.m4a', 'photo.jpg'].map((file) => join(folderOf('example-sources'), file));
      const clip = await machine.operate('visualize', titled, sources, directory);
      return frameOf(clip, SOCIAL_AT, directory);
    },
  };
  return makeMissing(folderOf('example-pictures'), [...(await Promise.all(wanted)), social]);
}

async function madeExample(file: string): Promise<string> {
  const path = join(folderOf('examples'), file);
  await access(path).catch(() => {
    throw new TaskFailure('engine_unavailable', `${file} was not created`);
  });
  return path;
}

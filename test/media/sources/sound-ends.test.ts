import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { programs } from '../../fixtures/make.ts';
import { operate } from '../operate.ts';
import { scratch } from '../scratch.ts';

const SECONDS = 1.3;

/** Codecs of which Matroska states no length of a packet; of TTA, the length of a whole one. */
test.each(['alac', 'wavpack', 'tta', 'libspeex'])('%s in Matroska is read to its end', async (codec) => {
  const file = join(scratch(), `${codec}.mka`);
  await run(programs, 'ffmpeg', [
    ...['-v', 'error', '-nostdin', '-y', '-f', 'lavfi', '-i', `sine=440:r=48000:d=${SECONDS}`],
    ...['-af', 'volume=3', ...(codec === 'libspeex' ? ['-ar', '16000'] : []), '-c:a', codec, file],
  ]);
  const probed = await operate('probe', file, {});
  expect(probed.data).toMatchObject({ duration: expect.closeTo(SECONDS, 2) });

  const asked = { audio_url: 'https://media.example.com/tone', start: 0.1, end: SECONDS };
  const { path } = await operate('cut', file, asked);
  const { stdout } = await run(programs, 'ffprobe', [
    ...['-v', 'error', '-show_entries', 'format=duration', '-of', 'csv=p=0', path],
  ]);
  expect(Number(stdout)).toBeCloseTo(SECONDS - 0.1, 1);
});

test('Ogg in which large pictures surround long pages of sound is as long as its last page says', async () => {
  const file = join(scratch(), 'pages.ogv');
  const sweep = "aevalsrc='0.5*sin(2000*t*t)+0.4*sin(9000*t)*lt(mod(t,0.37),0.01)':s=44100:d=5.76";
  await run(programs, 'ffmpeg', [
    ...['-v', 'error', '-nostdin', '-y', '-f', 'lavfi', '-i', 'testsrc2=s=160x90:d=5.5:r=30'],
    ...['-f', 'lavfi', '-i', sweep, '-c:v', 'libtheora', '-q:v', '10', '-g', '8'],
    ...['-c:a', 'libvorbis', '-q:a', '5', '-page_duration', '2000000', file],
  ]);
  const probed = await operate('probe', file, {});
  expect(probed.data).toMatchObject({ duration: expect.closeTo(5.76, 2) });
});

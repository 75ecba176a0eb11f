import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { OperationData } from '../../../schema/operations/index.ts';
import { waveBytes } from '../../../transcoder/engines/speech/wave.ts';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { programs } from '../../fixtures/make.ts';
import { instrumental, RATE, rooms, writeRoom } from '../../fixtures/rooms.ts';
import { silenceFound } from '../../fixtures/silence-found.ts';
import { failureOf, operateOn } from '../operate.ts';
import { scratch } from '../scratch.ts';

const detect = async (file: string, request: Record<string, unknown> = {}) => {
  const always = { audio_url: 'https://media.example.com/room.wav', mode: 'detect' };
  const input = { ...always, ...request };
  const { data, warnings } = await operateOn('silence_process', [file], input);
  return { data: data as OperationData<'silence_process'>, warnings };
};

describe('in rooms with chairs, keys, breaths, music, hum and noise', () => {
  test('three quarters of the pauses go, no word is cut, and levels alone find less of it', async () => {
    const sums = { speech: 0, energy: 0, pauses: 0 };
    for (const room of rooms) {
      const file = join(scratch(), `${room.name}.wav`);
      const { words, speech, samples } = await writeRoom(room, file);
      const { data, warnings } = await detect(file);
      expect(data).toMatchObject({ detector: 'speech', threshold_db: null });
      expect(warnings).toEqual([]);
      const cut = data.segments.filter(({ action }) => action === 'silent');
      const lost = words.filter(({ start, end }) =>
        cut.some((span) => span.start < end - 0.005 && span.end > start + 0.005),
      );
      expect(lost, room.name).toEqual([]);
      const found = (segments: typeof data.segments) => silenceFound(segments, speech, samples.length / RATE);
      const auto = found(data.segments);
      const energy = found((await detect(file, { detector: 'energy' })).data.segments);
      expect(auto.speechCut / auto.speech, room.name).toBeLessThanOrEqual(0.005);
      sums.speech += auto.removed;
      sums.energy += energy.removed;
      sums.pauses += auto.removable;
    }
    expect(sums.speech / sums.pauses).toBeGreaterThanOrEqual(0.76);
    expect(sums.energy).toBeLessThan(sums.speech * 0.8);
  });
});

describe('without speech', () => {
  const music = async () => {
    const file = join(scratch(), 'instrumental.wav');
    const silence = new Float32Array(2 * RATE);
    const samples = Float32Array.from([...instrumental(20), ...silence, ...instrumental(5)]);
    await writeFile(file, waveBytes({ samples, sampleRate: RATE }));
    return file;
  };

  test('music stays, and its pauses go', async () => {
    const file = await music();
    const { data, warnings } = await detect(file);
    expect(data).toEqual((await detect(file, { detector: 'energy' })).data);
    expect(data.detector).toBe('energy');
    expect(data.silence_seconds).toBeGreaterThan(1);
    expect(data.silence_seconds).toBeLessThan(2.2);
    expect(warnings).toEqual([]);
  });

  test('its pauses are found at their times in ten channels without places', async () => {
    const [file, one] = [join(scratch(), 'ten.wav'), await music()];
    const joined = ['-filter_complex', 'asplit=10,amerge=inputs=10'];
    await run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', '-i', one, ...joined, file]);
    const [wanted, found] = [
      await detect(one, { detector: 'energy' }),
      await detect(file, { detector: 'energy' }),
    ];
    expect(found.data.segments).toEqual(wanted.data.segments);
  });

  test('only speech wanted is an error that names the other detector', async () => {
    const { code, detail } = await failureOf(detect(await music(), { detector: 'speech' }));
    expect(code).toBe('all_silent');
    expect(detail).toContain('`detector: "energy"`');
  });

  test('music has no words', async () => {
    const file = join(scratch(), 'instrumental.mp4');
    const picture = ['-f', 'lavfi', '-i', 'color=c=gray:s=64x36:r=10'];
    const rest = ['-i', await music(), '-shortest', '-c:v', 'libx264', '-c:a', 'aac', file];
    await run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', ...picture, ...rest]);
    const captioned = operateOn('captions_auto', [file], {
      ...{ video_url: 'https://media.example.com/song.mp4', language: 'en', burn: false, outputs: ['srt'] },
    });
    const { code, detail } = await failureOf(captioned);
    expect(code).toBe('no_speech_found');
    expect(detail).toContain('no speech');
  });
});

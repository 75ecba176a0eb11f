import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clockText, durationText, readClock } from '../../../web/tools/mp4-to-mp3/clock.ts';
import { codecName, failures, failureText } from '../../../web/tools/mp4-to-mp3/failures.ts';
import { distinctNames, mp3Name } from '../../../web/tools/mp4-to-mp3/names.ts';
import {
  bitrates,
  canCopy,
  SAMPLE_RATES,
  targetChannels,
  targetRate,
  variable,
} from '../../../web/tools/mp4-to-mp3/settings.ts';
import { TimeLeft } from '../../../web/tools/mp4-to-mp3/time-left.ts';
import { settingsForm } from '../../../worker/http/tools/mp4-to-mp3-form.ts';

describe('names', () => {
  it('are kept, with another extension', () => {
    expect(['Talk 1.mp4', 'a.b.webm', 'no extension', '.mov', 'v1.2 final'].map(mp3Name)).toEqual([
      ...['Talk 1.mp3', 'a.b.mp3', 'no extension.mp3', '.mov.mp3', 'v1.2 final.mp3'],
    ]);
  });

  it('differ in a ZIP, also on systems that do not tell cases apart', () => {
    expect(distinctNames(['a.mp3', 'A.mp3', 'a.mp3', 'b.mp3', 'a (2).mp3'])).toEqual([
      ...['a.mp3', 'A (2).mp3', 'a (3).mp3', 'b.mp3', 'a (2) (2).mp3'],
    ]);
  });
});

describe('times', () => {
  it('are written as people write them, and read again', () => {
    expect([0, 5.25, 65, 59.96, 3725.5].map(clockText)).toEqual([
      '0:00',
      '0:05.3',
      '1:05',
      '1:00',
      '1:02:05.5',
    ]);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 500_000 }), (tenths) => {
        expect(readClock(clockText(tenths / 10))).toBeCloseTo(tenths / 10, 6);
      }),
    );
  });

  it.each([
    ['65', 65],
    [' 1:05.25 ', 65.25],
    ['1,5', 1.5],
    ['1:00:01', 3601],
    ['', null],
    ['1:2:3:4', null],
    ['-5', null],
    ['soon', null],
    ['1::2', null],
  ])('"%s" is %s', (text, seconds) => {
    expect(readClock(text)).toBe(seconds);
  });

  it('that are left are in a unit that fits', () => {
    expect([0.4, 12.1, 300, 9000].map(durationText)).toEqual([
      'less than a second',
      '13 s',
      '5 min',
      '2.5 h',
    ]);
  });

  it('that are left do not count a sleep', () => {
    const left = new TimeLeft(0);
    expect(left.after(0.01, 100)).toBeNull();
    expect(left.after(0.1, 1000)).toBeCloseTo(9);
    expect(left.after(0.2, 3_601_000)).toBeCloseTo(12);
  });
});

describe('settings', () => {
  it.each([
    [48000, 48000],
    [44100, 44100],
    [32000, 32000],
    [96000, 48000],
    [88200, 44100],
    [22050, 44100],
    [24000, 48000],
    [16000, 48000],
    [11025, 44100],
    [8000, 48000],
    [37800, 44100],
    [64000, 48000],
  ])('%i Hz become %i Hz', (source, target) => {
    expect(targetRate(source, 'source')).toBe(target);
    expect(targetRate(source, 32000)).toBe(32000);
  });

  it('mix to stereo, unless the source is mono or mono is wanted', () => {
    expect([1, 2, 6].map((channels) => targetChannels(channels, 'source'))).toEqual([1, 2, 2]);
    expect([targetChannels(6, 'mono'), targetChannels(1, 'stereo')]).toEqual([1, 2]);
  });

  it('copy MP3 that need not change', () => {
    const sound = { codec: 'mp3', sampleRate: 44100, channels: 2 };
    const settings = { quality: '192', channels: 'source', sampleRate: 'source' } as const;
    const whole = { from: null, to: null };
    expect(canCopy(sound, settings, whole)).toBe(true);
    expect(canCopy({ ...sound, codec: 'aac' }, settings, whole)).toBe(false);
    expect(canCopy(sound, settings, { ...whole, to: 5 })).toBe(false);
    expect(canCopy(sound, { ...settings, channels: 'mono' }, whole)).toBe(false);
    expect(canCopy(sound, { ...settings, channels: 'stereo', sampleRate: 44100 }, whole)).toBe(true);
    expect(canCopy(sound, { ...settings, sampleRate: 48000 }, whole)).toBe(false);
  });

  it('are those that the page offers', async () => {
    const form = String(await settingsForm());
    const values = (id: string) =>
      [...(form.split(`id="${id}"`)[1]?.split('</select>')[0] ?? '').matchAll(/value="(v?\d+)"/g)].map(
        ([, value]) => value,
      );
    expect(values('bitrate')).toEqual([...bitrates.map(String), ...Object.keys(variable)]);
    for (const { typical } of Object.values(variable)) expect(form).toContain(`about ${typical} kbit/s`);
    expect(values('rate')).toEqual(SAMPLE_RATES.map(String));
  });
});

describe('what is said of failures', () => {
  it('has what happened and what to do, with the codec or the place', () => {
    for (const code of Object.keys(failures) as (keyof typeof failures)[]) {
      const { what, next } = failureText({ code, codec: 'DTS', at: '1:05' });
      expect([code, /[{}]/.test(what), /\.$/.test(what), /\.$/.test(next)]).toEqual([
        code,
        false,
        true,
        true,
      ]);
    }
    expect(failureText({ code: 'broken', at: '1:05' }).what).toContain('1:05');
    expect(failureText({ code: 'undecodable', codec: 'DTS' }).what).toContain('(DTS)');
  });

  it('names codecs as people do, and shows no stray characters of a file', () => {
    expect(codecName('eac3', 'ec-3')).toBe('E-AC-3, Dolby Digital Plus');
    expect(codecName(null, 'wm\u0000\u202e2')).toBe('wm??2');
    expect(codecName(null, 353)).toBe('unknown');
  });
});

import { describe, expect, test } from 'vitest';
import type { OperationName } from '../../../schema/operations/index.ts';
import type { Facts } from '../../../transcoder/model/plan.ts';
import type { MediaProbe } from '../../../transcoder/model/source/media-probe.ts';
import { letters } from '../letters/letters.ts';
import { cutSound, linesOf, paddedSound, planOf, surveyOf } from './plan-lines.ts';
import { source } from './sources.ts';

const url = 'https://media.example.com/a';
const song: MediaProbe = { ...source, format: 'mp3', container: 'mp3', video: null };
const bt709 = (pixels: string) =>
  `scale=out_color_matrix=bt709:out_range=limited,format=pix_fmts=${pixels},setparams=range=tv:color_primaries=bt709:color_trc=bt709:colorspace=bt709`;
const hello = [{ start: 1, end: 1.5, text: 'hello' }] as const;

describe('a request and a probe become exactly these steps', () => {
  test.each<[string, OperationName, Record<string, unknown>, MediaProbe, Facts, string[]]>([
    [
      'captions are drawn into the frames that show them, and lie beside the video',
      'captions_auto',
      {
        captions:
          '1\n00:00:02,500 --> 00:00:03,500\nHello there.\n\n2\n00:00:03,700 --> 00:00:04,200\nAgain.\n',
        outputs: ['vtt'],
      },
      source,
      { survey: surveyOf(10), letters },
      [
        'text burnt.ass',
        'read 0 from the start',
        `[0:1]atrim=start=0.000000:end=10.000000,asetpts=expr=round(PTS-(0.000000)/TB),${cutSound}`,
        'write sound.m4a null aac',
        'splice source 0, sound.m4a',
        'render 0 copy 74 render 0 at 0',
        'render 53 copy 0 render 0 at 37888 through ass=filename=burnt.ass:original_size=1280x720',
        'render 23 copy 150 render 0 at 65024',
        'text captions-vtt.vtt',
      ],
    ],
    [
      'captions of a video that cannot be spliced are drawn in one run',
      'captions_auto',
      { captions: '1\n00:00:02,500 --> 00:00:03,500\nHello there.\n', outputs: [] },
      source,
      { survey: null, letters },
      [
        'text burnt.ass',
        'read 0 from the start',
        `[0:0]settb=expr=1/15360,trim=start_pts=-256,setpts=expr=max(0\\,PTS-(0)),ass=filename=burnt.ass:original_size=1280x720[v];[0:1]atrim=start=0.000000:end=10.000000,asetpts=expr=round(PTS-(0.000000)/TB),${paddedSound('10.000000')}`,
        'write out.mp4 libx264 aac',
      ],
    ],
    [
      'captions on a transparent background are drawn on black and on white, without the sound',
      'captions_auto',
      { captions: hello, background: 'transparent', format: 'mov', outputs: [] },
      source,
      { letters },
      [
        'text burnt.ass',
        'read 0 from the start',
        [
          '[0:0]settb=expr=1/15360,trim=start_pts=-256,setpts=expr=max(0\\,PTS-(0)),format=pix_fmts=gbrp,split[black][white]',
          '[black]lutrgb=r=0:g=0:b=0,ass=filename=burnt.ass:original_size=1280x720,split[color][dark]',
          '[white]lutrgb=r=255:g=255:b=255,ass=filename=burnt.ass:original_size=1280x720[light]',
          '[light][dark]blend=all_mode=difference,negate,extractplanes=planes=g[alpha]',
          `[color][alpha]alphamerge,format=pix_fmts=gbrap,unpremultiply=inplace=1,${bt709('yuva444p10le')}[v]`,
        ].join(';'),
        'write out.mov prores_ks null',
      ],
    ],
    [
      'captions on green are drawn once',
      'captions_auto',
      { captions: hello, background: 'green', outputs: [] },
      source,
      { letters },
      [
        'text burnt.ass',
        'read 0 from the start',
        `[0:0]settb=expr=1/15360,trim=start_pts=-256,setpts=expr=max(0\\,PTS-(0)),format=pix_fmts=gbrp,lutrgb=r=0:g=255:b=0,ass=filename=burnt.ass:original_size=1280x720,${bt709('yuv420p')}[v]`,
        'write out.mp4 libx264 null',
      ],
    ],
    [
      'captions as files leave the video alone',
      'captions_auto',
      { captions: [{ start: 1, end: 1.5, text: 'Hello' }], burn: false, outputs: ['srt', 'words_json'] },
      source,
      { letters },
      ['text captions-srt.srt', 'text captions-words_json.json'],
    ],
    [
      'captions of sound alone are files, laid out as for a picture',
      'captions_auto',
      { video_url: undefined, audio_url: url, captions: hello, outputs: ['vtt', 'ass'] },
      song,
      { letters },
      ['text captions-vtt.vtt', 'text captions-ass.ass'],
    ],
    [
      'captions of a sound file in place of a video as well',
      'captions_auto',
      { captions: hello },
      song,
      { letters },
      ['text captions-srt.srt'],
    ],
    [
      'captions of the sound of a video leave its picture alone',
      'captions_auto',
      { video_url: undefined, audio_url: url, captions: hello },
      source,
      { letters },
      ['text captions-srt.srt'],
    ],
    [
      'a transcript is written as files alone',
      'transcribe',
      { video_url: undefined, audio_url: url, engine: 'pocketsphinx' },
      song,
      {
        words: { engine: 'pocketsphinx', words: [{ ...hello[0], glued: false, confidence: 0.9 }], missed: 0 },
      },
      [
        'text transcript-txt.txt',
        'text transcript-srt.srt',
        'text transcript-vtt.vtt',
        'text transcript-words_json.json',
      ],
    ],
  ])('%s', (_, name, request, probe, facts, expected) => {
    expect(linesOf(planOf(name, request, probe, facts).plan.steps)).toEqual(expected);
  });
});

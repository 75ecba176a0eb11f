import { describe, expect, test } from 'vitest';
import { type OperationName, operations } from '../../schema/operations/index.ts';
import { graphText } from '../../transcoder/model/filter-text.ts';
import type { MediaProbe } from '../../transcoder/model/media-probe.ts';
import type { Facts, Plan } from '../../transcoder/model/plan.ts';
import type { VideoStream } from '../../transcoder/model/video-stream.ts';
import { plannerOf } from '../../transcoder/operations/index.ts';
import { closed } from './plan-graph.ts';
import { like, means, source } from './sources.ts';

function planOf(
  name: OperationName,
  request: Record<string, unknown>,
  probe: MediaProbe = source,
  facts: Facts = {},
) {
  const url = 'https://media.example.com/a.mp4';
  const input: Record<string, unknown> = operations[name].input.parse(
    name === 'probe'
      ? { url, ...request }
      : 'audio_url' in request
        ? request
        : { video_url: url, ...request },
  );
  const planner = plannerOf(name);
  const analyses = planner.analyses(input, [probe], means);
  return {
    analyses,
    plan: closed(planner.plan({ input, probes: [probe], facts, ...means }), { facts, analyses }),
  };
}

/** The steps, one line for each part that differs from plan to plan. */
function linesOf(steps: Plan['steps']): string[] {
  return steps.flatMap((step) => {
    if (step.kind === 'splice') {
      const pieces = step.pieces.map((piece) => {
        if (piece.kind === 'file') return `file ${piece.frames}`;
        if (piece.kind === 'drawn') return `draw ${piece.pts.length}`;
        const count = (run: { frames: unknown[] } | null) => run?.frames.length ?? 0;
        const { head, copy, tail, filters } = piece;
        const through = filters ? ` through ${filters}` : '';
        return `render ${count(head)} copy ${count(copy)} render ${count(tail)} at ${piece.at}${through}`;
      });
      const inputs = step.inputs.map((input) => ('file' in input ? input.file : `source ${input.source}`));
      return [`splice ${inputs.join(', ')}`, ...pieces];
    }
    if (step.kind === 'list')
      return step.entries.map(({ file, seconds }) => `list ${file} ${seconds ?? 'end'}`);
    if (step.kind === 'append') return [`append ${step.parts.join(' ')}`];
    if (step.kind === 'document') return ['document'];
    if (step.kind === 'text') return [`text ${step.file}`];
    if (step.kind === 'map') return [`draw ${step.shape} ${step.width} × ${step.height}`];
    if (step.kind === 'depth') return [`depth of ${step.picture}`];
    if (step.kind === 'level') return [`level ${step.file} ${step.lufs}`];
    if (step.kind === 'stretch') return [`stretch ${step.from} to ${step.samples}`];
    if (step.kind === 'place') return step.parts.map(({ file, at }) => `place ${file} at ${at}`);
    if (step.kind === 'separate') return [`separate by ${step.engines} into ${step.vocals}, ${step.music}`];
    if (step.kind === 'convert')
      return [`convert by ${step.engines} ${step.shift.pitch} ${step.shift.formant}`];
    if (step.kind === 'headroom') return [`headroom ${step.files}`];
    if (step.kind === 'palette') return [`colours of ${step.style}`];
    if (step.kind === 'rounded') return [`rounded ${step.side} by ${step.radius}`];
    if (step.kind === 'trim') return [`trim ${step.start} to ${step.end}`];
    const inputs = step.inputs.map((input) =>
      'source' in input
        ? `read ${input.source} from ${input.seek === null ? 'the start' : Number(input.seek.toFixed(3))}`
        : 'read own',
    );
    const outputs = step.outputs.map((output) => {
      if (!('video' in output)) return `write ${output.file}`;
      const picture = output.video && ('copy' in output.video.encode ? 'copy' : output.video.encode.encoder);
      const sound = output.audio && (output.audio.encode === 'copy' ? 'copy' : output.audio.encode.encoder);
      return `write ${output.file} ${picture} ${sound}`;
    });
    return [...inputs, ...(step.chains.length > 0 ? [graphText(step.chains)] : []), ...outputs];
  });
}

const cutSound =
  'aresample=async=1:min_hard_comp=0.01:first_pts=0,aformat=sample_rates=48000:channel_layouts=stereo[a]';

/** A group of pictures every second, without B-frames. */
const surveyOf = (seconds: number): NonNullable<Facts['survey']> => ({
  parts: [
    Array.from({ length: seconds * 30 }, (_, frame) => ({
      ...{ pts: frame * 512, dts: frame * 512, duration: 512, hidden: false },
      ...{ key: frame % 30 === 0, entry: frame % 30 === 0 ? ('closed' as const) : null },
    })),
  ],
  configuration: 'avcC',
  fitting: { profile: 'high', params: 'bframes=0' },
  unfit: null,
});

describe('a request and a probe become exactly these steps', () => {
  test.each<[string, OperationName, Record<string, unknown>, MediaProbe, Facts, string[]]>([
    [
      'a cut reads from a second before and trims between frames',
      'cut',
      { start: 4, duration: 2 },
      source,
      {},
      [
        'read 0 from 2.983',
        `[0:0]settb=expr=1/15360,trim=start_pts=61184:end_pts=91904,setpts=expr=max(0\\,PTS-(61440))[v];[0:1]atrim=start=4.000000:end=6.000000,asetpts=expr=round(PTS-(4.000000)/TB),${cutSound}`,
        'write out.mp4 libx264 aac',
      ],
    ],
    [
      'a converted voice over its background, at the loudness of the source',
      'redub_vc',
      { consent: true, voice_id: 'bright', pitch_semitones: 1 },
      source,
      { loudness: { integrated: -20, range: 5, truePeak: -3, threshold: -30 }, survey: surveyOf(10) },
      [
        'read 0 from the start',
        '[0:1]asetpts=expr=round(PTS-(0.000000)/TB),aresample=async=1:min_hard_comp=0.01:first_pts=0,atrim=end=10.000000,aresample=osr=48000,apad=whole_len=480000,atrim=end_sample=480000,aformat=sample_fmts=flt:sample_rates=48000:channel_layouts=stereo[own]',
        'write own.raw',
        'separate by centre_mask into vocals.raw, music.raw',
        'read own',
        '[0:0]pan=args=mono|c0=0.5*c0+0.5*c1,aformat=sample_fmts=flt:sample_rates=48000:channel_layouts=mono[speech]',
        'write speech.raw',
        'convert by rubberband 4 1.5',
        'read own',
        'read own',
        '[0:0]pan=args=stereo|c0=c0|c1=c0,aformat=sample_fmts=flt:sample_rates=48000:channel_layouts=stereo,apad=whole_len=480000,atrim=end_sample=480000[voice];[1:0]aformat=sample_fmts=flt:sample_rates=48000:channel_layouts=stereo,apad=whole_len=480000,atrim=end_sample=480000[background];[voice][background]amix=inputs=2:duration=first:dropout_transition=0:normalize=0,aformat=sample_fmts=flt:sample_rates=48000:channel_layouts=stereo[mix]',
        'write mix.raw',
        'level dubbed.raw -20',
        'read own',
        '[0:0]aformat=sample_rates=48000:channel_layouts=stereo[a]',
        'write sound.m4a null aac',
        'splice source 0, sound.m4a',
        'render 0 copy 300 render 0 at 0',
      ],
    ],
    [
      'a separation decodes the sound once and encodes each stem',
      'separate',
      { format: 'wav', engine: 'centre_mask' },
      source,
      {},
      [
        'read 0 from the start',
        '[0:1]asetpts=expr=round(PTS-(0.000000)/TB),aresample=async=1:min_hard_comp=0.01:first_pts=0,atrim=end=10.000000,apad=whole_len=480000,atrim=end_sample=480000,aformat=sample_fmts=flt:sample_rates=48000:channel_layouts=stereo[own]',
        'write own.raw',
        'separate by centre_mask into vocals.raw, music.raw',
        'headroom vocals.raw,music.raw',
        'read own',
        '[0:0]aformat=sample_rates=48000:channel_layouts=stereo[a]',
        'write vocals.wav null pcm_s24le',
        'read own',
        '[0:0]aformat=sample_rates=48000:channel_layouts=stereo[a]',
        'write music.wav null pcm_s24le',
      ],
    ],
    [
      'a mute cut into webm takes the picture alone',
      'cut',
      { start: 0, duration: 1, audio: 'mute', format: 'webm' },
      source,
      {},
      [
        'read 0 from the start',
        '[0:0]settb=expr=1/15360,trim=start_pts=-256:end_pts=15104,setpts=expr=max(0\\,PTS-(0))[v]',
        'write out.webm libvpx-vp9 null',
      ],
    ],
    [
      'time 0 is the start of the container',
      'cut',
      { start: 0, duration: 1, audio: 'mute' },
      like({ startTime: 5.5 }, { origin: 5 }),
      {},
      [
        'read 0 from the start',
        '[0:0]settb=expr=1/15360,trim=start_pts=84224:end_pts=91904,setpts=expr=max(0\\,PTS-(76800))[v]',
        'write out.mp4 libx264 null',
      ],
    ],
    [
      'odd sides lose a row for h264',
      'cut',
      { start: 0, duration: 1, audio: 'mute' },
      like({ width: 1281, height: 721 }),
      {},
      [
        'read 0 from the start',
        '[0:0]settb=expr=1/15360,trim=start_pts=-256:end_pts=15104,setpts=expr=max(0\\,PTS-(0)),crop=w=1280:h=720:x=0:y=0:exact=1[v]',
        'write out.mp4 libx264 null',
      ],
    ],
    [
      'fades stand at the ends',
      'cut',
      { start: 0, duration: 3, fade_in: 1, fade_out: 0.5, audio: 'mute' },
      source,
      {},
      [
        'read 0 from the start',
        '[0:0]settb=expr=1/15360,trim=start_pts=-256:end_pts=45824,setpts=expr=max(0\\,PTS-(0)),fade=type=in:start_time=0:duration=1.000000,fade=type=out:start_time=2.500000:duration=0.500000[v]',
        'write out.mp4 libx264 null',
      ],
    ],
    [
      'ranges are rendered one by one and joined by copying',
      'cut',
      {
        segments: [
          { start: 4, end: 5 },
          { start: 0, end: 2 },
        ],
      },
      source,
      {},
      [
        'read 0 from 2.983',
        `[0:0]settb=expr=1/15360,trim=start_pts=61184:end_pts=76544,setpts=expr=max(0\\,PTS-(61440)),setpts=expr=PTS-STARTPTS[v];[0:1]atrim=start=4.000000:end=5.000042,asetpts=expr=round(PTS-(4.000000)/TB),aresample=async=1:min_hard_comp=0.01:first_pts=0,aformat=sample_rates=48000:channel_layouts=stereo,apad=whole_len=48000,atrim=end_sample=48000[a]`,
        'write part0.mp4 libx264 null',
        'write part0.raw',
        'read 0 from the start',
        `[0:0]settb=expr=1/15360,trim=start_pts=-256:end_pts=30464,setpts=expr=max(0\\,PTS-(0)),setpts=expr=PTS-STARTPTS[v];[0:1]atrim=start=0.000000:end=2.000000,asetpts=expr=round(PTS-(0.000000)/TB),${cutSound}`,
        'write part1.mp4 libx264 null',
        'write part1.raw',
        'list part0.mp4 1',
        'list part1.mp4 end',
        'append part0.raw part1.raw',
        'read own',
        'read own',
        '[1:0]aformat=sample_rates=48000:channel_layouts=stereo[a]',
        'write out.mp4 copy aac',
      ],
    ],
    [
      'a keyframe cut copies from the keyframe before',
      'cut',
      { start: 1.5, end: 1.9, mode: 'keyframe' },
      source,
      {
        packets: [0, 0.5, 1, 1.5, 2, 2.5].map((pts) => ({
          pts,
          dts: pts,
          duration: 0.5,
          key: pts % 1 === 0,
        })),
      },
      ['read 0 from 1', 'write out.mp4 copy copy'],
    ],
    [
      'silences: pieces are taken in one run and joined by copying',
      'silence_process',
      { segments: [{ start: 2, end: 3, action: 'silent' }], audio_fade_ms: 5 },
      source,
      {},
      [
        'read 0 from the start',
        [
          '[0:0]settb=expr=1/15360,trim=start_pts=-256:end_pts=153344,select=expr=between(pts\\,-256\\,30463)+between(pts\\,45824\\,153343),setpts=expr=round(between(PTS\\,-256\\,30463)*(0+(PTS-(0)))+between(PTS\\,45824\\,153343)*(30720+(PTS-(46080))))[v]',
          '[0:1]atrim=start=0.000000:end=11.000000,asplit=outputs=2[s0][s1]',
          '[s0]atrim=start=0.000000:end=2.000042,asetpts=expr=round(PTS-(0.000000)/TB),aresample=async=1:min_hard_comp=0.01:first_pts=0,aformat=sample_rates=48000:channel_layouts=stereo,apad=whole_len=96000,atrim=end_sample=96000,afade=type=out:start_sample=95760:nb_samples=240[p0]',
          '[s1]atrim=start=3.000000:end=10.000042,asetpts=expr=round(PTS-(3.000000)/TB),aresample=async=1:min_hard_comp=0.01:first_pts=0,aformat=sample_rates=48000:channel_layouts=stereo,apad=whole_len=336000,atrim=end_sample=336000,afade=type=in:start_sample=0:nb_samples=240[p1]',
          '[p0][p1]concat=n=2:v=0:a=1[a]',
        ].join(';'),
        'write part0.mp4 libx264 null',
        'write part0.raw',
        'list part0.mp4 end',
        'append part0.raw',
        'read own',
        'read own',
        '[1:0]aformat=sample_rates=48000:channel_layouts=stereo[a]',
        'write out.mp4 copy aac',
      ],
    ],
    [
      'silences: the picture of a source that is muted is copied',
      'silence_process',
      { segments: [{ start: 0, end: 3, action: 'silent' }], mode: 'mute', audio_fade_ms: 0 },
      source,
      { packets: [{ pts: 0, dts: 0, duration: 1, key: true }] },
      [
        'read 0 from the start',
        [
          '[0:1]atrim=start=0.000000:end=11.000000,asplit=outputs=2[s0][s1]',
          '[s0]atrim=start=0.000000:end=3.000042,asetpts=expr=round(PTS-(0.000000)/TB),aresample=async=1:min_hard_comp=0.01:first_pts=0,volume=volume=0,aformat=sample_rates=48000:channel_layouts=stereo,apad=whole_len=144000,atrim=end_sample=144000[p0]',
          '[s1]atrim=start=3.000000:end=10.000042,asetpts=expr=round(PTS-(3.000000)/TB),aresample=async=1:min_hard_comp=0.01:first_pts=0,aformat=sample_rates=48000:channel_layouts=stereo,apad=whole_len=336000,atrim=end_sample=336000[p1]',
          '[p0][p1]concat=n=2:v=0:a=1[a]',
        ].join(';'),
        'write part0.raw',
        'append part0.raw',
        'read 0 from the start',
        'read own',
        '[1:0]aformat=sample_rates=48000:channel_layouts=stereo[a]',
        'write out.mp4 copy aac',
      ],
    ],
    [
      'a crop by ratio',
      'crop',
      { aspect_ratio: '9:16', anchor: 'left' },
      like({ rotation: 0 }, { audio: null }),
      {},
      [
        'read 0 from the start',
        '[0:0]settb=expr=1/15360,setpts=expr=PTS-(0),setsar=sar=1,crop=w=406:h=720:x=0:y=0:exact=1[kept];[kept]null[v]',
        'write out.mp4 libx264 null',
      ],
    ],
    [
      'a pad of wide pixels',
      'crop',
      { aspect_ratio: '1:1', fill: 'pad', background: '#102030', output_width: 720 },
      like({ width: 960, sar: 4 / 3 }, { audio: null }),
      {},
      [
        'read 0 from the start',
        '[0:0]settb=expr=1/15360,setpts=expr=PTS-(0),scale=w=1280:h=720:flags=bicubic,setsar=sar=1[kept];[kept]scale=w=720:h=406:flags=bicubic,setsar=sar=1,pad=w=720:h=720:x=0:y=156:color=0x102030[v]',
        'write out.mp4 libx264 null',
      ],
    ],
    [
      'a transcode to a constant rate, boxed',
      'transcode',
      { fps: 29.97, width: 640, height: 640, codec: 'hevc' },
      like({}, { audio: null }),
      {},
      [
        'read 0 from the start',
        '[0:0]settb=expr=1/15360,setpts=expr=PTS-(0),fps=fps=30000/1001:start_time=0:eof_action=pass,setsar=sar=1,scale=w=640:h=360:flags=bicubic,setsar=sar=1,pad=w=640:h=640:x=0:y=140:color=0x000000[v]',
        'write out.mp4 libx265 null',
      ],
    ],
    [
      'the second pass of a loudness',
      'transcode',
      { audio_only: true, format: 'flac', normalize_lufs: -16 },
      source,
      { loudness: { integrated: -23, range: 4, truePeak: -3, threshold: -33 } },
      [
        'read 0 from the start',
        '[0:1]asetpts=expr=round(PTS-(0.000000)/TB),aresample=async=1:min_hard_comp=0.01:first_pts=0,atrim=end=10.000000,loudnorm=I=-16:TP=-1.5:LRA=11:measured_I=-23:measured_LRA=4:measured_TP=-3:measured_thresh=-33:linear=true,aformat=sample_fmts=s16:sample_rates=48000:channel_layouts=stereo[a]',
        'write out.flac null flac',
      ],
    ],
    [
      'the last frame as jpeg',
      'frame_last',
      { width: 640 },
      source,
      { pictures: [{ pts: 9.966667, seek: 8, drawn: false }] },
      [
        'read 0 from 8',
        '[0:0]settb=expr=1/15360,trim=start_pts=153057,trim=end_frame=1,setpts=expr=PTS-STARTPTS,scale=w=640:h=360:flags=bicubic,setsar=sar=1,scale=in_color_matrix=bt709:out_color_matrix=bt601:out_range=pc,format=pix_fmts=yuvj420p[p]',
        'write picture.jpg',
      ],
    ],
    [
      'frames of one group of pictures are taken in one run',
      'frame',
      { timestamps: [5, 1, 1.5], format: 'png' },
      source,
      {
        pictures: [
          { pts: 5, seek: 4, drawn: false },
          { pts: 1, seek: null, drawn: false },
          { pts: 1.5, seek: null, drawn: false },
        ],
      },
      [
        'read 0 from the start',
        '[0:0]split=outputs=2[s1][s2];[s1]settb=expr=1/15360,trim=start_pts=15329,trim=end_frame=1,setpts=expr=PTS-STARTPTS,scale=in_color_matrix=bt709,format=pix_fmts=rgb24[p1];[s2]settb=expr=1/15360,trim=start_pts=23009,trim=end_frame=1,setpts=expr=PTS-STARTPTS,scale=in_color_matrix=bt709,format=pix_fmts=rgb24[p2]',
        'write frame_002.png',
        'write frame_003.png',
        'read 0 from 4',
        '[0:0]split=outputs=1[s0];[s0]settb=expr=1/15360,trim=start_pts=76769,trim=end_frame=1,setpts=expr=PTS-STARTPTS,scale=in_color_matrix=bt709,format=pix_fmts=rgb24[p0]',
        'write frame_001.png',
      ],
    ],
    [
      'a picture that the engine has drawn needs no step',
      'frame_last',
      {},
      source,
      { pictures: [{ pts: 9.966667, seek: null, drawn: true }] },
      [],
    ],
    [
      'what the engine has drawn is made webp',
      'frame',
      { timestamps: [5, 1], format: 'webp' },
      source,
      {
        pictures: [
          { pts: 5, seek: null, drawn: true },
          { pts: 1, seek: null, drawn: true },
        ],
      },
      [
        ...['read own', 'read own', '[0:0]format=pix_fmts=bgra[p0];[1:0]format=pix_fmts=bgra[p1]'],
        ...['write frame_001.webp', 'write frame_002.webp'],
      ],
    ],
    [
      'ranges are spliced, and their sound is joined beside them',
      'cut',
      {
        segments: [
          { start: 4.5, end: 6 },
          { start: 1, end: 2.5 },
        ],
      },
      source,
      { survey: surveyOf(10) },
      [
        'read 0 from 3.5',
        'read 0 from the start',
        `[0:1]atrim=start=4.500000:end=6.000042,asetpts=expr=round(PTS-(4.500000)/TB),${cutSound.replace('[a]', '')},apad=whole_len=72000,atrim=end_sample=72000[s0];[1:1]atrim=start=1.000000:end=2.500000,asetpts=expr=round(PTS-(1.000000)/TB),${cutSound.replace('[a]', '')}[s1];[s0][s1]concat=n=2:v=0:a=1[a]`,
        'write ranges0.raw',
        'append ranges0.raw',
        'read own',
        '[0:0]aformat=sample_rates=48000:channel_layouts=stereo[a]',
        'write sound.m4a null aac',
        'splice source 0, sound.m4a',
        'render 15 copy 30 render 0 at 0',
        'render 0 copy 45 render 0 at 23040',
      ],
    ],
    [
      'what fades goes through the filter, a frame longer than the fade',
      'cut',
      { start: 1, end: 4, fade_in: 0.5, audio: 'mute' },
      source,
      { survey: surveyOf(10) },
      [
        'splice source 0',
        'render 16 copy 0 render 0 at 0 through fade=type=in:start_time=0:duration=0.500000',
        'render 14 copy 60 render 0 at 8192',
      ],
    ],
    ['a probe is a document', 'probe', {}, source, { packets: [] }, ['document']],
    [
      'captions are drawn into the frames that show them, and lie beside the video',
      'captions_auto',
      {
        captions:
          '1\n00:00:02,500 --> 00:00:03,500\nHello there.\n\n2\n00:00:03,700 --> 00:00:04,200\nAgain.\n',
        outputs: ['vtt'],
      },
      source,
      { survey: surveyOf(10) },
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
      { survey: null },
      [
        'text burnt.ass',
        'read 0 from the start',
        `[0:0]settb=expr=1/15360,trim=start_pts=-256,setpts=expr=max(0\\,PTS-(0)),ass=filename=burnt.ass:original_size=1280x720[v];[0:1]atrim=start=0.000000:end=10.000000,asetpts=expr=round(PTS-(0.000000)/TB),${cutSound}`,
        'write out.mp4 libx264 aac',
      ],
    ],
    [
      'captions as files leave the video alone',
      'captions_auto',
      { captions: [{ start: 1, end: 1.5, text: 'Hello' }], burn: false, outputs: ['srt', 'words_json'] },
      source,
      {},
      ['text captions-srt.srt', 'text captions-words_json.json'],
    ],
  ])('%s', (_, name, request, probe, facts, expected) => {
    expect(linesOf(planOf(name, request, probe, facts).plan.steps)).toEqual(expected);
  });
});

describe('what has to be found out first', () => {
  test.each<[string, OperationName, Record<string, unknown>, MediaProbe, unknown[]]>([
    ['nothing for a cut at another quality', 'cut', { start: 4, duration: 2, quality: 'low' }, source, []],
    [
      'the packets around ranges that may be copied, each once',
      'cut',
      {
        segments: [
          { start: 8, end: 9 },
          { start: 4, end: 5 },
          { start: 4.5, end: 6 },
        ],
      },
      source,
      [
        {
          ...{ kind: 'survey', source: 0 },
          ranges: [
            [53_248, 100_352],
            [114_688, 146_432],
          ],
        },
      ],
    ],
    [
      'the packets around a cut where the rate may vary',
      'cut',
      { start: 4, duration: 2, quality: 'low' },
      like({ pace: 'unknown' }),
      [{ kind: 'packets', source: 0, intervals: [[3, 7]] }],
    ],
    [
      'the packets of a keyframe cut',
      'cut',
      { start: 0.5, end: 10, mode: 'keyframe' },
      source,
      [
        { kind: 'survey', source: 0, ranges: [[-512, 161_792]] },
        { kind: 'packets', source: 0, intervals: [[null, null]] },
      ],
    ],
    [
      'the loudness where it is to be changed',
      'transcode',
      { normalize_lufs: -16 },
      source,
      [{ kind: 'loudness', source: 0, stream: 1 }],
    ],
    [
      'the moment of the last frame',
      'frame_last',
      { epsilon: 2 },
      source,
      [
        {
          ...{ kind: 'pictures', source: 0, moments: [{ beforeEnd: 2 }], skipBlack: false },
          drawing: {
            filters: [
              {
                name: 'scale',
                options: { in_color_matrix: 'bt709', out_color_matrix: 'bt601', out_range: 'pc' },
              },
              { name: 'format', options: { pix_fmts: 'yuvj420p' } },
            ],
            ...{ format: 'jpeg', quality: 90, files: ['picture.jpg'] },
          },
        },
      ],
    ],
    [
      'the middle of each share',
      'frame',
      { count: 2, skip_black: true, sheet: true },
      source,
      [
        {
          ...{ kind: 'pictures', source: 0, moments: [{ at: 2.5 }, { at: 7.5 }], skipBlack: true },
          drawing: {
            filters: [
              { name: 'scale', options: { in_color_matrix: 'bt709' } },
              { name: 'format', options: { pix_fmts: 'rgb24' } },
            ],
            ...{ format: 'pam', quality: 90, files: ['frame_001.pam', 'frame_002.pam'] },
          },
        },
      ],
    ],
  ])('%s', (_, name, request, probe, expected) => {
    const planner = plannerOf(name);
    const url = 'https://media.example.com/a.mp4';
    const input: Record<string, unknown> = operations[name].input.parse({ video_url: url, ...request });
    expect(planner.analyses(input, [probe], means)).toEqual(expected);
  });
});

describe('how the picture is encoded', () => {
  test.each<[string, Record<string, unknown>, Partial<VideoStream>, Record<string, unknown>]>([
    [
      'at the bitrate of the source',
      {},
      {},
      { encoder: 'libx264', rate: { kbps: 2000 }, pixelFormat: 'yuv420p', timeBase: '1/15360' },
    ],
    [
      'no less where the codec is better',
      { codec: 'hevc' },
      {},
      { encoder: 'libx265', rate: { kbps: 2000 } },
    ],
    [
      'at more where the codec needs more',
      { codec: 'h264' },
      { codec: 'vp9' },
      { encoder: 'libx264', rate: { kbps: 2667 } },
    ],
    ['in proportion to the pixels', { width: 640 }, {}, { rate: { kbps: 500 } }],
    ['at no more for more pixels', { width: 1920 }, {}, { rate: { kbps: 2000 } }],
    [
      'at no more than what a codec of studios spends',
      {},
      { codec: 'prores', kbps: 120_000 },
      { rate: { crf: 18, maxKbps: 120_000 } },
    ],
    ['by a named quality', { quality: 'low' }, {}, { rate: { crf: 29, maxKbps: null } }],
    [
      'by crf, within the scale of the codec',
      { quality: { crf: 60 } },
      {},
      { rate: { crf: 51, maxKbps: null } },
    ],
    ['by bitrate', { quality: { video_bitrate_kbps: 900 } }, {}, { rate: { kbps: 900 } }],
    [
      'as good as it gets where the bitrate is unknown',
      {},
      { kbps: null },
      { rate: { crf: 18, maxKbps: null } },
    ],
    ['with the codec of the source', {}, { codec: 'vp9' }, { encoder: 'libvpx-vp9' }],
    [
      'with h264 for what browsers do not play',
      {},
      { codec: 'prores', bitDepth: 10 },
      { encoder: 'libx264', pixelFormat: 'yuv420p' },
    ],
    [
      'with 10 bit where the source has them',
      {},
      { bitDepth: 10 },
      { encoder: 'libx264', pixelFormat: 'yuv420p10le' },
    ],
    [
      'in the colours of the source',
      {},
      {
        codec: 'hevc',
        bitDepth: 10,
        hdr: true,
        color: { space: 'bt2020nc', transfer: 'smpte2084', primaries: 'bt2020', range: 'tv' },
      },
      {
        encoder: 'libx265',
        color: { space: 'bt2020nc', transfer: 'smpte2084', primaries: 'bt2020', range: 'tv' },
      },
    ],
    [
      'in BT.709 where HDR does not fit',
      { codec: 'h264' },
      { codec: 'hevc', bitDepth: 10, hdr: true },
      { color: { space: 'bt709', transfer: 'bt709', primaries: 'bt709', range: 'tv' } },
    ],
  ])('%s', (_, request, changes, expected) => {
    const { plan } = planOf('transcode', request, like(changes));
    const [step] = plan.steps;
    const output = step?.kind === 'render' ? step.outputs[0] : undefined;
    expect(output && 'video' in output ? output.video?.encode : undefined).toMatchObject(expected);
  });
});

describe('what is promised', () => {
  test('frames, length and time map of a cut', () => {
    const { plan } = planOf('cut', { start: 4, end: 12 });
    expect(plan).toMatchObject({
      duration: 6,
      width: 1280,
      height: 720,
      fps: 30,
      data: { copied_seconds: 0, rendered_seconds: 6 },
      time_map: [{ source: 0, in: [4, 10], out: [0, 6] }],
      warnings: [{ code: 'range_clamped' }],
      expect: {
        media: [
          { video: { codec: 'h264', frames: 180 }, audio: { codec: 'aac' }, duration: 6, endsTogether: true },
        ],
      },
    });
  });

  test('a keyframe cut tells what it really keeps', () => {
    const packets = [0, 0.5, 1, 1.5, 2, 2.5].map((pts) => ({
      pts,
      dts: pts,
      duration: 0.5,
      key: pts % 1 === 0,
    }));
    const { plan } = planOf('cut', { start: 1.5, end: 1.9, mode: 'keyframe' }, like({ frameDuration: 0.5 }), {
      packets,
    });
    expect(plan.time_map).toEqual([{ source: 0, in: [1, 2], out: [0, 1] }]);
    expect(plan.data).toEqual({ copied_seconds: 1, rendered_seconds: 0 });
  });

  test('a keyframe whose followers are shown before it is none', () => {
    const packets = [0, 2, 1, 4, 3, 5].map((pts) => ({
      pts,
      dts: null,
      duration: 1,
      key: pts === 0 || pts === 4,
    }));
    const { plan } = planOf('cut', { start: 4.5, end: 5, mode: 'keyframe' }, like({ frameDuration: 1 }), {
      packets,
    });
    expect(plan.time_map[0]?.in[0]).toBe(0);
  });
});

test('planning is pure: the same request gives the same plan', () => {
  const [one, two] = [1, 2].map(() => planOf('crop', { aspect_ratio: '1:1', fill: 'blur' }).plan);
  expect(one).toEqual(two);
  expect(structuredClone(one)).toEqual(one);
});

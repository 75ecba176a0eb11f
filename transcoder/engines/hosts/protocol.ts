import { z } from 'zod';

const path = z.string().startsWith('/');

/** Sound as files hold it between us and a host: 32-bit floats, one channel. */
const sound = z.object({ file: path, sampleRate: z.number().int().positive() });

/** What the sherpa host does: speech to tokens, text to speech. */
export const sherpaRequest = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('recognize'),
    model: z.object({ encoder: path, decoder: path, joiner: path, tokens: path, vad: path }),
    sound,
  }),
  z.object({
    kind: z.literal('synthesize'),
    /** Of the form of Kokoro; `dataDir` is that of eSpeak NG, for words that the lexicon has not. */
    model: z.object({ model: path, voices: path, tokens: path, lexicon: path, dataDir: path }),
    text: z.string().min(1),
    speaker: z.number().int().min(0),
    speed: z.number().positive(),
    /** Is written: 32-bit floats, one channel. */
    file: path,
  }),
]);
export type SherpaRequest = z.output<typeof sherpaRequest>;
type AskedOf<K extends SherpaRequest['kind']> = Omit<Extract<SherpaRequest, { kind: K }>, 'kind'>;
export type RecognizeRequest = AskedOf<'recognize'>;
export type SynthesizeRequest = AskedOf<'synthesize'>;

/** Tokens of a transducer as it spells them (a leading space or "▁" starts a word), in seconds of the sound. */
export const recognized = z.object({
  tokens: z.array(
    z.object({
      text: z.string(),
      start: z.number(),
      end: z.number(),
      /** Of this token behind those before it; null where the library does not say it. */
      probability: z.number().min(0).max(1).nullable(),
    }),
  ),
});
export type Recognized = z.output<typeof recognized>;

export const synthesized = z.object({
  sampleRate: z.number().int().positive(),
  samples: z.number().int().min(0),
});
export type Synthesized = z.output<typeof synthesized>;

const dims = z.array(z.number().int().min(0)).max(8);
const tensorTypes = z.enum(['float32', 'int64']);

/** What the onnxruntime host does: one pass through a net, tensors in files (little-endian, row-major). */
export const tensorRequest = z.object({
  kind: z.literal('run'),
  model: path,
  inputs: z.array(
    z.object({
      name: z.string(),
      type: tensorTypes,
      dims,
      from: z.union([z.object({ file: path }), z.object({ values: z.array(z.number()).max(64) })]),
    }),
  ),
  /** 32-bit floats are written; null for the first that the net has. */
  outputs: z.array(z.object({ name: z.string().nullable(), file: path })).min(1),
});
export type TensorRequest = z.output<typeof tensorRequest>;

export const tensors = z.object({ outputs: z.array(z.object({ name: z.string(), dims })) });
export type Tensors = z.output<typeof tensors>;

/** What the signal host does: what stands in the middle of raw stereo sound apart from the rest; both add up to it. */
export const partRequest = z.object({
  kind: z.literal('part'),
  from: path,
  /** Are written; null for what is not wanted. */
  voice: path.nullable(),
  music: path.nullable(),
});
export type PartRequest = z.output<typeof partRequest>;

/** Where in raw stereo sound of 44.1 kHz a block of frames begins that Spleeter takes at a time. */
const block = { from: path, at: z.number().int() };

/** What the nets of Spleeter are given of a block, and what becomes of it by what they give back. */
export const magnitudesRequest = z.object({ kind: z.literal('magnitudes'), ...block, file: path });
export type MagnitudesRequest = z.output<typeof magnitudesRequest>;
export const maskedRequest = z.object({
  kind: z.literal('masked'),
  ...block,
  vocals: path,
  accompaniment: path,
  /** So many samples of the voices of the block are appended to it. */
  to: path,
  samples: z.number().int().min(0),
});
export type MaskedRequest = z.output<typeof maskedRequest>;

const passage = z.object({ at: z.number().int().min(0), samples: z.number().int().min(1) });

/** Where in a voice there is speech, and what it is like. */
const listenRequest = z.object({ kind: z.literal('listen'), ...sound.shape });
export const listened = z.object({
  passages: z.array(passage),
  /** Median of the fundamental frequency, in hertz; null where none was found. */
  pitch: z.number().nullable(),
  /** Slope of the mean spectrum, in dB an octave. */
  tilt: z.number(),
});
export type Listened = z.output<typeof listened>;

/** By how much one voice comes after another in these passages, and how loud the other is to it. */
const compareRequest = z.object({
  kind: z.literal('compare'),
  ...{ found: path, wanted: path, sampleRate: z.number().int().positive(), passages: z.array(passage) },
  /** Seconds by which it may come after the other, or before it. */
  reach: z.number().positive(),
});
export const compared = z.object({
  /** Seconds, passage by passage and in parts of each; none where they are too unlike for it to be said. */
  lags: z.array(z.array(z.number())),
  /** By what the found one has to be multiplied to be as loud. */
  gain: z.number().positive(),
});
export type Compared = z.output<typeof compared>;

/** Makes the spectrum of a voice steeper by so many dB an octave, in its file. */
const tiltRequest = z.object({ kind: z.literal('tilt'), ...sound.shape, slope: z.number() });

/** What the nets of OpenVoice are given of a sound of 22.05 kHz: by frames or by bins. */
const spectrumRequest = z.object({
  kind: z.literal('spectrum'),
  ...{ from: path, file: path, by: z.enum(['frames', 'bins']) },
});

export const voiceRequest = z.discriminatedUnion('kind', [
  listenRequest,
  compareRequest,
  tiltRequest,
  spectrumRequest,
]);
export type VoiceRequest = z.output<typeof voiceRequest>;
export type VoiceAsked<K extends VoiceRequest['kind']> = Omit<Extract<VoiceRequest, { kind: K }>, 'kind'>;

export const signalRequest = z.union([
  z.discriminatedUnion('kind', [partRequest, magnitudesRequest, maskedRequest]),
  voiceRequest,
]);

/** The share of the power in which the channels differ. */
export const parted = z.object({ apart: z.number() });
export type Parted = z.output<typeof parted>;

/** What a host says; a beat whenever its event loop turns, so that a process that has hung is known. */
export const hostReply = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('beat') }),
  z.object({ type: z.literal('loaded') }),
  z.object({ type: z.literal('progress'), fraction: z.number().min(0).max(1) }),
  z.object({ type: z.literal('done'), value: z.unknown() }),
  z.object({ type: z.literal('failed'), detail: z.string() }),
]);
export type HostReply = z.output<typeof hostReply>;

import { z } from 'zod';

const path = z.string().startsWith('/');

/** Sound exchanged in files: mono, 32-bit floats. */
const sound = z.object({ file: path, sampleRate: z.number().int().positive() });

const passage = z.object({ at: z.number().int().min(0), samples: z.number().int().min(1) });

/** Requests to the sherpa host: speech to tokens, text to speech, and who speaks when. */
export const sherpaRequest = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('recognize'),
    model: z.object({ encoder: path, decoder: path, joiner: path, tokens: path }),
    sound,
    /** Parts to recognize, in samples; at most about 30 s each. */
    pieces: z.array(passage),
  }),
  z.object({
    kind: z.literal('synthesize'),
    /**
     * Files of a Kokoro model. `dataDir` is the data of eSpeak NG, which reads texts with its voice `lang`; empty for the voice that
     * the model names. An unknown voice ends the process.
     */
    model: z.object({
      ...{ model: path, voices: path, tokens: path, lexicon: path, dataDir: path },
      lang: z.string().regex(/^[a-z-]{0,20}$/),
    }),
    text: z.string().min(1),
    speaker: z.number().int().min(0),
    speed: z.number().positive(),
    /** Output: 32-bit floats, mono. */
    file: path,
  }),
  z.object({
    kind: z.literal('diarize'),
    model: z.object({ segmentation: path, embedding: path }),
    sound,
    /** Parts to hear one after another, in samples. Memory grows with the longest. */
    pieces: z.array(passage).min(1),
    /** How many people speak at most; null if unknown. */
    count: z.number().int().min(1).nullable(),
  }),
]);
type SherpaRequest = z.output<typeof sherpaRequest>;
type AskedOf<K extends SherpaRequest['kind']> = Omit<Extract<SherpaRequest, { kind: K }>, 'kind'>;
export type RecognizeRequest = AskedOf<'recognize'>;
export type SynthesizeRequest = AskedOf<'synthesize'>;
export type DiarizeRequest = AskedOf<'diarize'>;

/** When each speaker speaks, in seconds of the whole sound, by start. Speakers are numbered from 0 and may overlap. */
export const diarized = z.object({
  turns: z.array(z.object({ start: z.number(), end: z.number(), speaker: z.number().int().min(0) })),
});
export type Diarized = z.output<typeof diarized>;

/** Tokens as the transducer spells them (a leading space or "▁" starts a word), with times in seconds. */
export const recognized = z.object({
  tokens: z.array(
    z.object({
      text: z.string(),
      start: z.number(),
      end: z.number(),
      /** Conditional on the preceding tokens; null if the library does not report it. */
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

/** Requests to the onnxruntime host: one run of a network, with tensors in files (little-endian, row-major). */
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
  /** Output files of 32-bit floats. A null name means the network's first output. */
  outputs: z.array(z.object({ name: z.string().nullable(), file: path })).min(1),
});
export type TensorRequest = z.output<typeof tensorRequest>;

/** Requests to the onnxruntime host: where there is a voice in 16 kHz mono sound of 16 bits. */
export const voiceActivityRequest = z.object({
  kind: z.literal('voice_activity'),
  model: path,
  sound: path,
  /** Output: the probability of a voice in each window, as 32-bit floats. */
  to: path,
});
export type VoiceActivityRequest = z.output<typeof voiceActivityRequest>;

export const onnxRequest = z.discriminatedUnion('kind', [tensorRequest, voiceActivityRequest]);

export const voiceActivity = z.object({ windows: z.number().int().min(0) });
export type VoiceActivity = z.output<typeof voiceActivity>;

export const tensors = z.object({ outputs: z.array(z.object({ name: z.string(), dims })) });
export type Tensors = z.output<typeof tensors>;

/** Requests to the signal host: split raw stereo sound into its center and the rest, which add up to the input. */
const partRequest = z.object({
  kind: z.literal('part'),
  from: path,
  /** Whether the voice is searched for where the center has none; it is moved to the center then. */
  search: z.boolean(),
  /** Output files; null for a stem that is not needed. */
  voice: path.nullable(),
  music: path.nullable(),
});
export type PartRequest = z.output<typeof partRequest>;

/** Raw 44.1 kHz stereo and the position in it of one block of Spleeter frames. */
const block = { from: path, at: z.number().int() };

/** The input of the Spleeter networks for a block, and the vocals of the block made from their output. */
const magnitudesRequest = z.object({ kind: z.literal('magnitudes'), ...block, file: path });
export type MagnitudesRequest = z.output<typeof magnitudesRequest>;
const maskedRequest = z.object({
  kind: z.literal('masked'),
  ...block,
  vocals: path,
  accompaniment: path,
  /** Output: this number of vocal samples is appended to it. */
  to: path,
  samples: z.number().int().min(0),
});
export type MaskedRequest = z.output<typeof maskedRequest>;

/** Finds the speech in a voice, and measures the voice. */
const listenRequest = z.object({ kind: z.literal('listen'), ...sound.shape });
export const listened = z.object({
  passages: z.array(passage),
  /** Median fundamental frequency in hertz; null if none was found. */
  pitch: z.number().nullable(),
  /** Slope of the mean spectrum, in dB per octave. */
  tilt: z.number(),
});
export type Listened = z.output<typeof listened>;

/** Compares two voices in these passages: the lag between them, and their relative loudness. */
const compareRequest = z.object({
  kind: z.literal('compare'),
  ...{ found: path, wanted: path, sampleRate: z.number().int().positive(), passages: z.array(passage) },
  /** Largest lag to consider in either direction, in seconds. */
  reach: z.number().positive(),
});
export const compared = z.object({
  /** Lags in seconds, per passage and part. Parts that are too different to compare are left out. */
  lags: z.array(z.array(z.number())),
  /** Factor that brings `found` to the loudness of `wanted`. */
  gain: z.number().positive(),
});
export type Compared = z.output<typeof compared>;

/** Tilts the spectrum of a voice by `slope` dB per octave, in place. */
const tiltRequest = z.object({ kind: z.literal('tilt'), ...sound.shape, slope: z.number() });

/** The input of the OpenVoice networks, from 22.05 kHz sound: frame-major or bin-major. */
const spectrumRequest = z.object({
  kind: z.literal('spectrum'),
  ...{ from: path, file: path, by: z.enum(['frames', 'bins']) },
});

const voiceRequest = z.discriminatedUnion('kind', [
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

/** Whether there was something to tell apart. If not, and the voice was searched for, all of the sound is in its file. */
export const parted = z.object({ apart: z.boolean() });
export type Parted = z.output<typeof parted>;

/** Messages from a host. It sends a beat whenever its event loop turns, which reveals a hung process. */
export const hostReply = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('beat') }),
  z.object({ type: z.literal('loaded') }),
  z.object({ type: z.literal('progress'), fraction: z.number().min(0).max(1) }),
  z.object({ type: z.literal('done'), value: z.unknown() }),
  z.object({ type: z.literal('failed'), detail: z.string() }),
]);
export type HostReply = z.output<typeof hostReply>;

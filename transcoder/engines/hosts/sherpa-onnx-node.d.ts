/** The part of sherpa-onnx-node 1.13 that the sherpa host uses; the package has no type declarations. */
declare module 'sherpa-onnx-node' {
  interface Waveform {
    samples: Float32Array;
    sampleRate: number;
  }

  interface OfflineRecognizerConfig {
    featConfig: { sampleRate: number; featureDim: number };
    modelConfig: {
      transducer: { encoder: string; decoder: string; joiner: string };
      tokens: string;
      modelType: 'nemo_transducer';
      numThreads: number;
      provider: 'cpu';
      debug: 0 | 1;
    };
    decodingMethod: 'greedy_search';
  }

  interface OfflineRecognizerResult {
    text: string;
    tokens: string[];
    /** Seconds from the start of the stream. */
    timestamps: number[];
    /** Seconds; only from TDT transducers. */
    durations?: number[];
    /** Natural logarithm of each token's probability; absent if the decoder does not report it. */
    ys_log_probs?: number[];
  }

  class OfflineStream {
    /** Blocking. */
    acceptWaveform(wave: Waveform): void;
  }

  interface NetworkConfig {
    numThreads: number;
    provider: 'cpu';
    debug: 0 | 1;
  }

  interface OfflineSpeakerDiarizationConfig {
    segmentation: NetworkConfig & {
      pyannote: {
        model: string;
        /** Distance of windows as a share of their length. */
        windowShiftRatio: number;
      };
    };
    embedding: NetworkConfig & { model: string };
    /** Most cosine distance of two windows of one speaker, if `numClusters` is −1. */
    clustering: { numClusters: number; threshold: number };
    /** Shorter speech is dropped, in seconds. */
    minDurationOn: number;
    /** Shorter pauses of a speaker are part of the speech, in seconds. */
    minDurationOff: number;
  }

  interface SpeakerDiarizationSegment {
    /** Seconds from the start of the samples. */
    start: number;
    end: number;
    /** From 0. */
    speaker: number;
  }

  /** Its method `process` blocks for as long as the networks run; `addon.js` has one that does not. */
  class OfflineSpeakerDiarization {
    /** Blocking. */
    constructor(config: OfflineSpeakerDiarizationConfig);
    readonly handle: object;
    readonly sampleRate: number;
  }

  class OnlineStream {
    /** Blocking. */
    acceptWaveform(wave: Waveform): void;
    inputFinished(): void;
  }

  class SpeakerEmbeddingExtractor {
    /** Blocking. */
    constructor(config: NetworkConfig & { model: string });
    createStream(): OnlineStream;
    /** Whether the stream has enough sound. */
    isReady(stream: OnlineStream): boolean;
    /** Blocking. */
    compute(stream: OnlineStream, enableExternalBuffer: boolean): Float32Array;
  }

  class OfflineRecognizer {
    static createAsync(config: OfflineRecognizerConfig): Promise<OfflineRecognizer>;
    createStream(): OfflineStream;
    decodeAsync(stream: OfflineStream): Promise<OfflineRecognizerResult>;
  }

  interface OfflineTtsConfig {
    model: {
      kokoro: {
        model: string;
        voices: string;
        tokens: string;
        lexicon: string;
        dataDir: string;
        /** Voice of eSpeak NG; empty for the one in the model's metadata. */
        lang: string;
      };
      numThreads: number;
      provider: 'cpu';
      debug: 0 | 1;
    };
    maxNumSentences: number;
  }

  class OfflineTts {
    static createAsync(config: OfflineTtsConfig): Promise<OfflineTts>;
    readonly numSpeakers: number;
    readonly sampleRate: number;
    generateAsync(request: {
      text: string;
      sid: number;
      speed: number;
      enableExternalBuffer: boolean;
      onProgress?: (info: { samples: Float32Array; progress: number }) => boolean;
    }): Promise<Waveform>;
  }

  const sherpa: {
    OfflineRecognizer: typeof OfflineRecognizer;
    OfflineTts: typeof OfflineTts;
    OfflineSpeakerDiarization: typeof OfflineSpeakerDiarization;
    SpeakerEmbeddingExtractor: typeof SpeakerEmbeddingExtractor;
  };
  export default sherpa;
  export type {
    OfflineRecognizer,
    OfflineRecognizerResult,
    OfflineSpeakerDiarization,
    OfflineTts,
    SpeakerDiarizationSegment,
    SpeakerEmbeddingExtractor,
  };
}

declare module 'sherpa-onnx-node/addon.js' {
  import type { SpeakerDiarizationSegment } from 'sherpa-onnx-node';

  const addon: {
    /** Works on a copy of the samples. The segments are in the order of their start. */
    offlineSpeakerDiarizationProcessAsync(
      handle: object,
      samples: Float32Array,
      onProgress: (windows: number, ofWindows: number) => void,
    ): Promise<SpeakerDiarizationSegment[]>;
  };
  export default addon;
}

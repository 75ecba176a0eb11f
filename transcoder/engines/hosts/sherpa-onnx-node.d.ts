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
  };
  export default sherpa;
  export type { OfflineRecognizer, OfflineRecognizerResult, OfflineTts };
}

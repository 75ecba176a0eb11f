/** Mono sound, 1 being full scale. */
export interface Sound {
  samples: Float32Array<ArrayBuffer>;
  sampleRate: number;
}

const PCM = 1;
const FLOAT = 3;
const EXTENSIBLE = 0xfffe;

interface Wave {
  kind: number;
  channels: number;
  rate: number;
  bits: number;
  /** Where the samples begin, and how many bytes they claim. */
  at: number;
  length: number;
}

/** Reads the beginning of a RIFF WAVE file, up to its samples. Throws if it is not such a file. */
export function waveOf(bytes: Buffer): Wave {
  if (bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WAVE') {
    throw new Error('not a WAVE file');
  }
  let format: Omit<Wave, 'at' | 'length'> | undefined;
  for (let at = 12; at + 8 <= bytes.length; ) {
    const name = bytes.toString('latin1', at, at + 4);
    const length = bytes.readUInt32LE(at + 4);
    const body = at + 8;
    if (name === 'fmt ') {
      const tag = bytes.readUInt16LE(body);
      format = {
        kind: tag === EXTENSIBLE ? bytes.readUInt16LE(body + 24) : tag,
        channels: bytes.readUInt16LE(body + 2),
        rate: bytes.readUInt32LE(body + 4),
        bits: bytes.readUInt16LE(body + 14),
      };
    }
    if (name === 'data' && format) return { ...format, at: body, length };
    at = body + length + (length % 2);
  }
  throw new Error('a WAVE file without audio data');
}

/** Reads the first channel of a RIFF WAVE file of 16-bit or 32-bit float samples. Throws if it is not such a file. */
export function parseWave(bytes: Buffer): Sound {
  const { kind, channels, rate, bits, at, length } = waveOf(bytes);
  if (!(kind === PCM && bits === 16) && !(kind === FLOAT && bits === 32)) {
    throw new Error(`unsupported WAVE file: ${bits} bits, format ${kind}`);
  }
  // A program that writes to a pipe does not know the length in advance.
  const data = bytes.subarray(at, Math.min(bytes.length, at + length));
  const step = (bits / 8) * channels;
  const read =
    kind === FLOAT
      ? (index: number) => data.readFloatLE(index)
      : (index: number) => data.readInt16LE(index) / 32_768;
  const samples = new Float32Array(Math.floor(data.length / step));
  for (let index = 0; index < samples.length; index++) samples[index] = read(index * step);
  return { samples, sampleRate: rate };
}

/** The beginning of a WAVE file of 32-bit floats; `bytes` counts its samples only. */
export function waveHead(sound: { bytes: number; sampleRate: number; channels: number }): Buffer {
  const { bytes, sampleRate, channels } = sound;
  const head = Buffer.alloc(44);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(36 + bytes, 4);
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(FLOAT, 20);
  head.writeUInt16LE(channels, 22);
  head.writeUInt32LE(sampleRate, 24);
  head.writeUInt32LE(sampleRate * 4 * channels, 28);
  head.writeUInt16LE(4 * channels, 32);
  head.writeUInt16LE(32, 34);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(bytes, 40);
  return head;
}

/** A WAVE file of 32-bit floats. */
export function waveBytes({ samples, sampleRate }: Sound): Buffer {
  const head = waveHead({ bytes: samples.byteLength, sampleRate, channels: 1 });
  return Buffer.concat([head, Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength)]);
}

/** A WAVE file of mono 16-bit samples, little-endian. */
export function wave16(samples: Buffer, sampleRate: number): Buffer<ArrayBuffer> {
  const head = waveHead({ bytes: samples.length, sampleRate, channels: 1 });
  head.writeUInt16LE(PCM, 20);
  head.writeUInt32LE(sampleRate * 2, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  return Buffer.concat([head, samples]);
}

/** Samples below this share of the peak (−46 dB) are silence. */
const QUIET = 0.005;
/** Decay kept after the last audible sample. */
const TAIL_SECONDS = 0.03;

/** Trims silence from both ends; `start` is the sample at which the rest began. */
export function trimSilence({ samples, sampleRate }: Sound): Sound & { start: number } {
  const loudest = samples.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const audible = (value: number) => Math.abs(value) > QUIET * loudest;
  const first = samples.findIndex(audible);
  if (first < 0) return { samples: new Float32Array(0), sampleRate, start: 0 };
  const last = samples.findLastIndex(audible);
  const end = Math.min(samples.length, last + 1 + Math.round(TAIL_SECONDS * sampleRate));
  return { samples: samples.slice(first, end), sampleRate, start: first };
}

/**
 * Magnitudes of the Fourier transform of `size` real samples (a power of two), computed as a radix-2 transform of half the size
 * over pairs of samples. https://en.wikipedia.org/wiki/Cooley–Tukey_FFT_algorithm#Data_reordering,_bit_reversal,_and_in-place_algorithms
 */
export class Fourier {
  readonly size: number;
  readonly #real: Float64Array;
  readonly #imaginary: Float64Array;
  readonly #cosines: Float64Array;
  readonly #sines: Float64Array;
  readonly #reversed: Uint32Array;

  constructor(size: number) {
    const half = size / 2;
    this.size = size;
    this.#real = new Float64Array(half);
    this.#imaginary = new Float64Array(half);
    this.#cosines = Float64Array.from({ length: half }, (_, k) => Math.cos((2 * Math.PI * k) / size));
    this.#sines = Float64Array.from({ length: half }, (_, k) => -Math.sin((2 * Math.PI * k) / size));
    const bits = Math.log2(half);
    this.#reversed = Uint32Array.from({ length: half }, (_, index) => {
      let reversed = 0;
      for (let bit = 0; bit < bits; bit++) reversed |= ((index >> bit) & 1) << (bits - 1 - bit);
      return reversed;
    });
  }

  /** Writes the magnitude of bins 0 … size / 2 − 1. */
  magnitudes(samples: Float32Array, into: Float32Array): void {
    const [real, imaginary] = [this.#real, this.#imaginary];
    const half = this.size / 2;
    for (let index = 0; index < half; index++) {
      const to = this.#reversed[index] ?? 0;
      real[to] = samples[2 * index] ?? 0;
      imaginary[to] = samples[2 * index + 1] ?? 0;
    }
    this.#butterflies(half);
    for (let k = 0; k < half; k++) {
      const mirrored = (half - k) % half;
      const [a, b] = [real[k] ?? 0, imaginary[k] ?? 0];
      const [c, d] = [real[mirrored] ?? 0, imaginary[mirrored] ?? 0];
      const [evenReal, evenImaginary] = [(a + c) / 2, (b - d) / 2];
      const [oddReal, oddImaginary] = [(b + d) / 2, (c - a) / 2];
      const [cosine, sine] = [this.#cosines[k] ?? 0, this.#sines[k] ?? 0];
      const x = evenReal + cosine * oddReal - sine * oddImaginary;
      const y = evenImaginary + cosine * oddImaginary + sine * oddReal;
      into[k] = Math.sqrt(x * x + y * y);
    }
  }

  #butterflies(length: number): void {
    const [real, imaginary, cosines, sines] = [this.#real, this.#imaginary, this.#cosines, this.#sines];
    for (let span = 1; span < length; span *= 2) {
      const stride = length / span;
      for (let first = 0; first < length; first += 2 * span) {
        for (let k = 0; k < span; k++) {
          const [low, high] = [first + k, first + k + span];
          const [cosine, sine] = [cosines[k * stride] ?? 0, sines[k * stride] ?? 0];
          const [x, y] = [real[high] ?? 0, imaginary[high] ?? 0];
          const turnedReal = x * cosine - y * sine;
          const turnedImaginary = x * sine + y * cosine;
          const [a, b] = [real[low] ?? 0, imaginary[low] ?? 0];
          real[high] = a - turnedReal;
          imaginary[high] = b - turnedImaginary;
          real[low] = a + turnedReal;
          imaginary[low] = b + turnedImaginary;
        }
      }
    }
  }
}

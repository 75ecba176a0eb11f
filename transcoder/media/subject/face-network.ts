import type { Picture } from './picture.ts';

/** A face: center and sides in pixels of the picture, and how sure the network is, 0–1. */
export interface Face {
  x: number;
  y: number;
  width: number;
  height: number;
  score: number;
}

/** Activations of a layer, pixel by pixel, all channels of a pixel next to each other. */
interface Layer {
  width: number;
  height: number;
  channels: number;
  values: Float32Array;
}

interface Separable {
  depthwise: Float32Array;
  pointwise: Float32Array;
  bias: Float32Array;
}

/** The weights as `weights.ts` reads them. */
export interface FaceWeights {
  first: { filters: Float32Array; bias: Float32Array };
  separable: Separable[];
  last: { filters: Float32Array; bias: Float32Array };
}

/** Pixels of the picture per cell of the last layer. */
const CELL = 32;
const MEAN = [117.001, 114.697, 97.404] as const;
/** Sides of the boxes that the last layer adjusts, in cells. */
const BOXES = [
  [1.603231, 2.094468],
  [6.041143, 7.080126],
  [2.882459, 3.518061],
  [4.266906, 5.178857],
  [9.041765, 10.66308],
] as const;
const VALUES_OF_BOX = 5;
/** Two boxes that share this part of their area are the same face. */
const SAME = 0.4;

/**
 * Finds faces with the Tiny Face Detector of face-api (Tiny YOLO v2 with depthwise separable convolutions). The picture may
 * have any size; faces smaller than about 35 px are missed.
 */
export function findFaces(picture: Picture, weights: FaceWeights, least: number): Face[] {
  let layer = pooled(firstConvolution(normalized(picture), weights.first), 2);
  weights.separable.forEach((step, index) => {
    layer = separated(layer, step);
    layer = pooled(layer, index < weights.separable.length - 1 ? 2 : 1);
  });
  return distinct(facesIn(pointwise(layer, weights.last.filters, weights.last.bias, false), least));
}

function normalized({ width, height, pixels }: Picture): Layer {
  const values = new Float32Array(width * height * 3);
  for (let at = 0; at < values.length; at += 3) {
    for (let channel = 0; channel < 3; channel++) {
      values[at + channel] = ((pixels[at + channel] ?? 0) - (MEAN[channel] ?? 0)) / 255;
    }
  }
  return { width, height, channels: 3, values };
}

/** Values of three neighbouring pixels. */
const ROW = 9;

const leaky = (value: number) => (value > 0 ? value : value * 0.1);

/** A 3 × 3 convolution without a border: the result is two pixels smaller. */
function firstConvolution(from: Layer, { filters, bias }: FaceWeights['first']): Layer {
  const [width, height, channels] = [from.width - 2, from.height - 2, 3 * ROW];
  const values = new Float32Array(width * height * channels);
  for (let y = 0, to = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      for (let dy = 0; dy < 3; dy++) {
        const at = ((y + dy) * from.width + x) * 3;
        for (let n = 0; n < ROW; n++, to++) values[to] = from.values[at + n] as number;
      }
    }
  }
  return pointwise({ width, height, channels, values }, filters, bias, true);
}

function separated(from: Layer, { depthwise, pointwise: filters, bias }: Separable): Layer {
  return pointwise(depthwiseConvolution(from, depthwise), filters, bias, true);
}

/** A 3 × 3 convolution of each channel by itself, with a border of zeros. */
function depthwiseConvolution({ width, height, channels, values }: Layer, filters: Float32Array): Layer {
  const result = new Float32Array(values.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const to = (y * width + x) * channels;
      for (let dy = -1; dy <= 1; dy++) {
        if (y + dy < 0 || y + dy >= height) continue;
        for (let dx = -1; dx <= 1; dx++) {
          if (x + dx < 0 || x + dx >= width) continue;
          const at = ((y + dy) * width + x + dx) * channels;
          const weight = ((dy + 1) * 3 + dx + 1) * channels;
          for (let channel = 0; channel < channels; channel++) {
            (result[to + channel] as number) +=
              (values[at + channel] as number) * (filters[weight + channel] as number);
          }
        }
      }
    }
  }
  return { width, height, channels, values: result };
}

/** A 1 × 1 convolution: one matrix product, four pixels at a time. */
function pointwise(from: Layer, filters: Float32Array, bias: Float32Array, rectify: boolean): Layer {
  const { width, height, channels, values } = from;
  const [pixels, outputs] = [width * height, bias.length];
  const result = new Float32Array(pixels * outputs);
  // By output, to read both factors in order.
  const turned = new Float32Array(filters.length);
  for (let input = 0; input < channels; input++) {
    for (let output = 0; output < outputs; output++) {
      turned[output * channels + input] = filters[input * outputs + output] as number;
    }
  }
  for (let pixel = 0; pixel < pixels; pixel += 4) {
    const a = pixel * channels;
    const b = Math.min(pixel + 1, pixels - 1) * channels;
    const c = Math.min(pixel + 2, pixels - 1) * channels;
    const d = Math.min(pixel + 3, pixels - 1) * channels;
    for (let output = 0; output < outputs; output++) {
      const weights = output * channels;
      let [first, second, third, fourth] = [0, 0, 0, 0];
      for (let input = 0; input < channels; input++) {
        const weight = turned[weights + input] as number;
        first += (values[a + input] as number) * weight;
        second += (values[b + input] as number) * weight;
        third += (values[c + input] as number) * weight;
        fourth += (values[d + input] as number) * weight;
      }
      const plus = bias[output] as number;
      const to = pixel * outputs + output;
      result[to] = rectify ? leaky(first + plus) : first + plus;
      if (pixel + 1 < pixels) result[to + outputs] = rectify ? leaky(second + plus) : second + plus;
      if (pixel + 2 < pixels) result[to + 2 * outputs] = rectify ? leaky(third + plus) : third + plus;
      if (pixel + 3 < pixels) result[to + 3 * outputs] = rectify ? leaky(fourth + plus) : fourth + plus;
    }
  }
  return { width, height, channels: outputs, values: result };
}

/** The greatest value of each 2 × 2 square; squares at the edge may be cut off. */
function pooled({ width, height, channels, values }: Layer, step: 1 | 2): Layer {
  const [across, down] = [Math.ceil(width / step), Math.ceil(height / step)];
  const result = new Float32Array(across * down * channels);
  for (let y = 0; y < down; y++) {
    const [top, bottom] = [y * step, Math.min(y * step + 1, height - 1)];
    for (let x = 0; x < across; x++) {
      const [left, right] = [x * step, Math.min(x * step + 1, width - 1)];
      const [a, b] = [(top * width + left) * channels, (top * width + right) * channels];
      const [c, d] = [(bottom * width + left) * channels, (bottom * width + right) * channels];
      const to = (y * across + x) * channels;
      for (let channel = 0; channel < channels; channel++) {
        const [first, second] = [values[a + channel] as number, values[b + channel] as number];
        const [third, fourth] = [values[c + channel] as number, values[d + channel] as number];
        result[to + channel] = Math.max(Math.max(first, second), Math.max(third, fourth));
      }
    }
  }
  return { width: across, height: down, channels, values: result };
}

const sigmoid = (value: number) => 1 / (1 + Math.exp(-value));

function facesIn({ width, height, channels, values }: Layer, least: number): Face[] {
  const faces: Face[] = [];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      BOXES.forEach(([across, down], box) => {
        const at = (y * width + x) * channels + box * VALUES_OF_BOX;
        const [left = 0, top = 0, wide = 0, high = 0, sure = 0] = values.subarray(at, at + VALUES_OF_BOX);
        const score = sigmoid(sure);
        if (score < least) return;
        faces.push({
          x: (x + sigmoid(left)) * CELL,
          y: (y + sigmoid(top)) * CELL,
          width: Math.exp(wide) * across * CELL,
          height: Math.exp(high) * down * CELL,
          score,
        });
      });
    }
  }
  return faces;
}

/** Keeps the surest of boxes that overlap. */
function distinct(faces: readonly Face[]): Face[] {
  const kept: Face[] = [];
  for (const face of faces.toSorted((a, b) => b.score - a.score)) {
    if (kept.every((other) => shared(face, other) <= SAME)) kept.push(face);
  }
  return kept;
}

/** Shared area of two boxes, as a share of what both cover. */
function shared(a: Face, b: Face): number {
  const along = (from: number, side: number, other: number, otherSide: number) =>
    Math.min(from + side / 2, other + otherSide / 2) - Math.max(from - side / 2, other - otherSide / 2);
  const width = along(a.x, a.width, b.x, b.width);
  const height = along(a.y, a.height, b.y, b.height);
  if (width <= 0 || height <= 0) return 0;
  return (width * height) / (a.width * a.height + b.width * b.height - width * height);
}

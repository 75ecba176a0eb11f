import { type Found, tried } from './growth.ts';
import { shapesOf } from './shapes.ts';

/** An expression steps from character to character; a parser may also skip over text at the speed of memory. */
const ofExpressions = { characters: 4000, quick: 1.25 };
export const ofParsers = { characters: 32_000, quick: 12 };

const searched = (expression: RegExp) => {
  const everywhere = new RegExp(
    expression.source,
    [...new Set(`${expression.flags.replace('y', '')}g`)].join(''),
  );
  return (text: string) => text.replace(everywhere, '');
};

export const byExpression = (expression: RegExp, screening = ofExpressions) =>
  tried(searched(expression), shapesOf(expression), screening);

export function describeGrowth({ culprit, worst }: Found): string | null {
  return culprit && `${JSON.stringify(culprit)} takes ${worst.toFixed(1)} times as long for twice the text`;
}

import { describe, expect, it } from 'vitest';
import {
  corrected,
  type Picture,
  qpScale,
  quantiserOf,
  raised,
} from '../../../../transcoder/bitstream/quantiser.ts';

const pictures = (type: Picture['type'], ...quantisers: number[]): Picture[] =>
  quantisers.map((quantiser) => ({ type, quantiser }));

describe('the quantiser of re-encoded frames', () => {
  it('is the mean of the P pictures, a little coarser next to B pictures', () => {
    expect(quantiserOf(pictures('P', 29, 30, 31), qpScale)).toBe(30);
    expect(quantiserOf([...pictures('P', 30), ...pictures('B', 38, 38, 38)], qpScale)).toBe(32);
  });

  it('is not finer because of the I pictures', () => {
    expect(quantiserOf([...pictures('I', 20), ...pictures('P', 30)], qpScale)).toBe(30);
  });

  it('follows from I pictures or B pictures where there are no P pictures', () => {
    expect(quantiserOf(pictures('I', 25), qpScale)).toBe(28);
    expect(quantiserOf(pictures('B', 32), qpScale)).toBe(31);
  });

  it('stays where loss is invisible and frames stay distinct', () => {
    expect(quantiserOf(pictures('P', 4), qpScale)).toBe(qpScale.finest);
    expect(quantiserOf(pictures('P', 51), qpScale)).toBe(qpScale.coarsest);
  });

  it('is unknown without pictures', () => {
    expect(quantiserOf([], qpScale)).toBeNull();
  });

  it('is raised for a first picture that is too large, as far as the loss is invisible', () => {
    expect(raised(18, 2000, 1000, qpScale)).toBe(26);
    expect(raised(24, 2000, 1000, qpScale)).toBe(28);
    expect(raised(28, 2000, 1000, qpScale)).toBeNull();
    expect(raised(18, 1000, 1000, qpScale)).toBeNull();
  });

  it('is corrected towards the bytes of the source, within limits', () => {
    expect(corrected(0, 1100, 1000)).toBe(0);
    expect(corrected(0, 1300, 1000)).toBe(1);
    expect(corrected(0, 5000, 1000)).toBe(2);
    expect(corrected(0, 900, 1000)).toBe(-1);
    expect(corrected(3, 5000, 1000)).toBe(3);
    expect(corrected(-2, 1, 1000)).toBe(-2);
  });
});

import { anyOf, listOf, small, textOf, type Estimate } from './estimate.ts';
import type { ConstantValue } from '../values.ts';

const longText = 1_000;

/** Estimates of the values that a statement has written out. */
export class WrittenValues {
  readonly #known = new Map<ConstantValue, Estimate>();

  /** A list or a long text that a query names many times is looked at once. */
  of(value: ConstantValue): Estimate {
    if (typeof value === 'string' ? value.length < longText : !Array.isArray(value)) return ofConstant(value);
    const known = this.#known.get(value) ?? ofConstant(value);
    this.#known.set(value, known);
    return known;
  }
}

function ofConstant(value: ConstantValue): Estimate {
  if (typeof value === 'string') return { ...textOf(Buffer.byteLength(value), true), text: value };
  if (typeof value === 'number' || typeof value === 'bigint') return small(true, Math.abs(Number(value)));
  if (Array.isArray(value)) return listOf(value.length, ofItems(value as readonly ConstantValue[]), true);
  return small(true);
}

// The most of each kind says it all: to make an estimate of each item takes ten times as long.
function ofItems(values: readonly ConstantValue[]): Estimate {
  if (values.length < 2) return anyOf(values.map(ofConstant));
  const [found, others] = [{ bytes: 0, most: 0, hasTexts: false, hasNulls: false }, new Array<ConstantValue>()];
  for (const value of values) {
    if (typeof value === 'string')
      [found.hasTexts, found.bytes] = [true, Math.max(found.bytes, Buffer.byteLength(value))];
    else if (typeof value === 'number' || typeof value === 'bigint')
      found.most = Math.max(found.most, Math.abs(Number(value)));
    else if (Array.isArray(value)) others.push(value);
    else found.hasNulls = true;
  }
  const scalar = found.hasTexts ? textOf(found.bytes, true) : found.hasNulls ? small(true) : small(true, found.most);
  return others.length === 0
    ? scalar
    : anyOf([...(others.length < values.length ? [scalar] : []), ...others.map(ofConstant)]);
}

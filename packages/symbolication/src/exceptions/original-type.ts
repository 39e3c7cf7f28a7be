import type { RawFrame } from '../frames/raw-frame.ts';
import type { FindSymbols } from '../frames/resolve-frame.ts';
import { platformOf } from '../frames/platforms.ts';
import { referenceOf } from '../frames/symbol-reference.ts';
import { MappingIndex } from '../proguard/mapping-index.ts';

/** Type of an exception; in Java a class and its package. */
interface ExceptionType {
  type: string;
  module?: string | undefined;
}

/** Type of an exception in the source, by the mapping of its first frame of Java; other types stay. Pure but for `find`. */
export function originalType({ type, module }: ExceptionType, frames: readonly RawFrame[], find: FindSymbols) {
  const sent = { type, ...(module !== undefined && { module }) };
  const frame = frames.find(({ platform }) => platformOf(platform).symbols === 'ProGuard mapping');
  const reference = frame === undefined ? null : referenceOf(frame);
  if (reference === null || 'text' in reference) return sent;
  const symbols = find(reference);
  const isNamed = symbols instanceof MappingIndex;
  const original = isNamed ? symbols.classOf(module === undefined ? type : `${module}.${type}`) : undefined;
  if (original === undefined) return sent;
  const dot = original.lastIndexOf('.');
  return { type: original.slice(dot + 1), ...(dot > 0 && { module: original.slice(0, dot) }) };
}

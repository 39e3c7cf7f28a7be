import { none } from '../source-map/segments.ts';
import { lineSpans } from './line-spans.ts';

/** A method of a mapping; names are places in a list of strings. */
export interface MappedMethod {
  obfuscated: number;
  /** Lines of the compiled code; both 0: not said. */
  start: number;
  end: number;
  className: number;
  name: number;
}

/** Columns about names of methods, with which a frame is looked up in steps that do not grow with the methods of a name. */
export class MethodNames {
  readonly obfuscatedMethod: number[] = [];
  readonly methodStarts: number[] = [0];
  readonly otherMethod: number[] = [];
  readonly hasOtherLines: number[] = [];
  readonly spanStarts: number[] = [0];
  readonly spanFirstLine: number[] = [];
  readonly spanMethod: number[] = [];

  /** Takes in the methods of a class, those of one name one after another. */
  addClass(methods: readonly MappedMethod[]): void {
    for (let first = 0; first < methods.length;) {
      let end = first + 1;
      while (methods[end]?.obfuscated === methods[first]?.obfuscated) end++;
      this.#addName(methods.slice(first, end));
      first = end;
    }
  }

  #addName(methods: readonly MappedMethod[]): void {
    const first = this.methodStarts.at(-1) as number;
    const placeOf = (index: number): number => (index === none ? none : first + index);
    const other = otherMethod(methods);
    const { firstLines, indices } = lineSpans(methods);
    this.obfuscatedMethod.push((methods[0] as MappedMethod).obfuscated);
    this.methodStarts.push(first + methods.length);
    this.otherMethod.push(placeOf(other.index));
    this.hasOtherLines.push(Number(other.hasOtherLines));
    for (const line of firstLines) this.spanFirstLine.push(line);
    for (const index of indices) this.spanMethod.push(placeOf(index));
    this.spanStarts.push(this.spanMethod.length);
  }
}

/** The method that all ranges of a name belong to, or all that have none; `none` when they are of several. */
function otherMethod(methods: readonly MappedMethod[]): { index: number; hasOtherLines: boolean } {
  const isOutermost = ({ start, end }: MappedMethod, index: number): boolean =>
    end === 0 || start !== methods[index + 1]?.start || end !== methods[index + 1]?.end;
  const outermost = methods.filter(isOutermost);
  const withoutRange = outermost.filter(({ end }) => end === 0);
  const [found, ...others] = withoutRange.length > 0 ? withoutRange : outermost;
  const isOne = others.every(({ className, name }) => className === found?.className && name === found.name);
  return {
    index: found === undefined || !isOne ? none : methods.indexOf(found),
    hasOtherLines: others.length > 0,
  };
}

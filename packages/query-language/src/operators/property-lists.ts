import { isShort, once } from './array-items.ts';
import { isProperty, sortsBySize } from './property-order.ts';
import type { Span } from '../query-error.ts';
import { call, constant, fixed, type Resolved } from '../resolved.ts';
import { isComposite, nullable, plain } from '../types.ts';

/**
 * A call over lists, those `at` these places: NULL where one of them is a property that is no JSON list. An array has no NULL:
 * a result that is one is what `of` makes of an empty list.
 */
export function overLists(
  args: readonly Resolved[],
  at: readonly number[],
  of: (args: readonly Resolved[]) => Resolved,
  span: Span,
): Resolved {
  const properties = args.filter((arg, index) => at.includes(index) && isProperty(arg));
  const result = of(args);
  if (properties.length === 0 || isComposite(result.type) || result.type.kind === 'unknown') return result;
  const long = args.findIndex((arg, index) => at.includes(index) && isProperty(arg) && !isShort(arg));
  if (long !== -1)
    return once(
      args[long] as Resolved,
      (short) => overLists(args.with(long, short), at, of, span),
      `__list${long}`,
      span,
    );
  const tests = properties.map((property) => isJsonList(property, span));
  const all = tests.reduce((left, right) => call('and', [left, right], plain('boolean', true), span));
  return call('if', [all, result, constant(null, plain('null', true), span)], nullable(result.type), span);
}

type Maker = (value: Resolved) => Resolved;

/** A property read as `ofList` where it is a JSON list, else as `ofText`. Any other value is read as `ofText`. */
export function overListOrText(value: Resolved, ofText: Maker, ofList: Maker, span: Span): Resolved {
  if (!sortsBySize(value)) return ofText(value);
  const either = (short: Resolved): Resolved => {
    const text = ofText(short);
    return call('if', [isJsonList(short, span), ofList(short), text], text.type, span);
  };
  return once(value, either, '__text', span);
}

// The first test is cheap, and most texts fail it.
function isJsonList(text: Resolved, span: Span): Resolved {
  const type = plain('boolean', text.type.nullable);
  const begins = call('startsWith', [text, fixed('[', span)], type, span);
  const kind = call('JSONType', [text], plain('text', text.type.nullable), span);
  return call('and', [begins, call('equals', [kind, fixed('Array', span)], type, span)], type, span);
}

import { costOf, spend } from '../../budget.ts';
import { once } from '../../operators/array-items.ts';
import { convertArgument } from '../../operators/convert-argument.ts';
import { mismatch, toNumber, toText } from '../../operators/conversions.ts';
import { partFunctions } from '../../parse/words.ts';
import { SpanError, type Span } from '../../query-error.ts';
import { call, constant, fixed, type Resolved, type ResolvedConstant } from '../../resolved.ts';
import type { Call } from '../../tree/expressions.ts';
import { describeType, isTime, plain, type ValueType } from '../../types.ts';
import { scalarFunctions } from '../function-table.ts';
import type { FunctionSignature } from '../function-signature.ts';
import { scalarCall } from '../scalar-calls.ts';
import { counted, type Special } from '../special-arguments.ts';
import { timeFormat } from '../time-format.ts';

/** Functions and operators of Postgres that ClickHouse has in other words. */
export const postgresFunctions: Readonly<Record<string, Special>> = {
  split_part: splitPart,
  to_char: toChar,
  date_part: datePart,
  datePart,
  generate_series: series,
  _overlap: overlap,
};

const integer = plain('integer');
const texts: ValueType = { kind: 'array', nullable: false, item: plain('text') };

// `split_part(text, between, place)`: places count from 1, negative ones from the end; where there is no such part it is empty.
function splitPart(args: readonly Resolved[], node: Call): Resolved {
  spend(costOf.rewrite, node);
  const [whole, between, place] = counted(args, node, 3, 3) as [Resolved, Resolved, Resolved];
  const separator = toText(between);
  if (separator.kind === 'constant' && separator.value === '')
    throw argumentsError(
      'split_part() needs a separator that is not empty; for single letters write substring(text, position, 1)',
      between,
    );
  const at = convertArgument(place, 'integer');
  if (at.kind === 'constant' && at.value === 0)
    throw argumentsError('split_part() numbers the parts from 1; 0 is not a part', place);
  const part = (text: Resolved): Resolved =>
    call(
      'arrayElement',
      [call('splitByString', [separator, text], texts, node), at],
      plain('text', at.type.nullable),
      node,
    );
  const text = toText(whole);
  if (!text.type.nullable) return part(text);
  return once(
    text,
    (value) =>
      call(
        'if',
        [
          call('isNull', [value], plain('boolean'), node),
          constant(null, plain('null', true), node),
          part(call('ifNull', [value, fixed('', node)], plain('text'), node)),
        ],
        plain('text', true),
        node,
      ),
    '__text',
    node,
  );
}

// `to_char(time, 'YYYY-MM-DD')`.
function toChar(args: readonly Resolved[], node: Call): Resolved {
  const [time, format] = counted(args, node, 2, 2) as [Resolved, Resolved];
  if (format.kind !== 'constant' || typeof format.value !== 'string')
    throw argumentsError("The format of to_char() must be a text in quotes, such as 'YYYY-MM-DD'", format);
  if (!isTime(time.type) && time.type.kind !== 'text' && time.type.kind !== 'unknown' && time.type.kind !== 'null')
    throw mismatch(
      `to_char() formats dates and times, found ${describeType(time.type)}; for a number write toString(x), leftPad(toString(x), 5, '0') or round(x, 2)`,
      time,
    );
  const translated = constant(timeFormat(format.value, format), plain('text'), format);
  return scalarCall(known('formatDateTime'), [time, translated], node);
}

// `date_part('hour', time)`, with the parts of EXTRACT. Other names of the day of a week count from different days.
function datePart(args: readonly Resolved[], node: Call): Resolved {
  const [part, time] = counted(args, node, 2, 2) as [Resolved, Resolved];
  if (part.kind === 'constant' && /^(?:dayofweek|weekday)$/i.test(String(part.value)))
    throw argumentsError(
      'For the day of the week write toDayOfWeek(time, 2), from 0 for Sunday to 6, or toDayOfWeek(time), from 1 for Monday to 7',
      part,
    );
  const word = convertArgument(part, Object.keys(partFunctions));
  const name = word.kind === 'fixed' ? word.text : '';
  const fromSunday = name === 'dow' ? [constant(2, plain('integer'), part)] : [];
  return scalarCall(known(partFunctions[name] ?? ''), [time, ...fromSunday], node);
}

// In FROM it is a table.
function series(args: readonly Resolved[], node: Call): Resolved {
  const [first, last, step] = counted(args, node, 2, 3) as [Resolved, Resolved, Resolved?];
  if ([first, last].some(({ type }) => isTime(type)) || step?.type.kind === 'interval')
    throw argumentsError(
      'With dates and times generate_series() must be in FROM: FROM generate_series(first, last, INTERVAL 1 DAY) AS day',
      node,
    );
  const uneven = args.find(
    ({ kind, ...arg }, at) => kind === 'constant' && !isStep(Number((arg as ResolvedConstant).value), at),
  );
  if (uneven)
    throw argumentsError(
      'Outside FROM generate_series() takes ascending whole numbers only; for other numbers write FROM generate_series(10, 1, -0.5) AS n',
      uneven,
    );
  const end = call('plus', [toNumber(last), constant(1, integer, node)], integer, node);
  const range = scalarCall(known('range'), [first, end, ...(step ? [step] : [])], node);
  return call('arrayJoin', [range], range.type.item ?? integer, node);
}

function isStep(value: number, at: number): boolean {
  return Number.isInteger(value) && (at < 2 || value > 0);
}

// `a && b`: do two lists have an item in common?
function overlap(args: readonly Resolved[], node: Call): Resolved {
  const other = args.find(
    ({ type }) => type.kind !== 'array' && type.kind !== 'unknown' && type.kind !== 'null' && !type.property,
  );
  if (other)
    throw mismatch(
      `&& tests whether two lists overlap, found ${describeType(other.type)}; join conditions with AND`,
      other,
    );
  return scalarCall(known('hasAny'), args, node);
}

function known(name: string): FunctionSignature {
  const signature = scalarFunctions.get(name);
  if (!signature) throw new Error(`The function ${name} is named but not listed`);
  return signature;
}

const argumentsError = (message: string, span: Span): SpanError => new SpanError('wrong_arguments', message, span);

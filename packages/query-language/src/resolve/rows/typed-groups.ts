import { costOf, spend } from '../../budget.ts';
import { hasOneValue, isReadable, originOf, readByType } from '../../operators/learned-types.ts';
import { call, type Resolved, type ResolvedCall, type ResolvedSelect, type ResolvedWindow } from '../../resolved.ts';
import { timeZone } from '../../time-zone.ts';
import { plain } from '../../types.ts';
import { locationOf } from './check-select.ts';
import { comparisonOf } from './compared-keys.ts';

/**
 * Groups by properties as values of their learned types. Behind the groups only those are left of a property: where it stands alone it is
 * the key, where it is compared, the key's value, and where a text is wanted, the key's text. Filters and the arguments of aggregates
 * read it in each row, as ever.
 */
export function typedGroups(select: ResolvedSelect): ResolvedSelect {
  const { groupBy, grouping } = select;
  const keys = new Map<string, Resolved>();
  const written = [...groupBy, ...(grouping?.sets.flat() ?? [])].flatMap(membersOf);
  // A text that is a key itself is there behind the groups.
  const texts = new Set(written.filter(({ type }) => type.asText).map(nameOf));
  for (const key of written) {
    const property = originOf(key) ?? key;
    const name = isReadable(property) ? nameOf(property) : undefined;
    if (name !== undefined && !keys.has(name) && !texts.has(name))
      keys.set(name, originOf(key) ? key : readByType(property));
  }
  return keys.size === 0 ? select : new Grouped(keys).select(select);
}

// The engine takes a tuple of keys for as many keys.
function membersOf(key: Resolved): readonly Resolved[] {
  return key.kind === 'call' && key.name === 'tuple' ? key.args : [key];
}

function nameOf(expr: Resolved): string | undefined {
  if (expr.kind === 'column') return locationOf(expr);
  if (expr.kind !== 'json') return undefined;
  const { base, path } = expr;
  const of = base.kind === 'column' ? locationOf(base) : base.kind === 'name' ? base.name : undefined;
  return of === undefined ? undefined : `${of}\n${JSON.stringify(path)}`;
}

/** Conversions of a property whose context says what it is, with the words behind it. */
const conversions: ReadonlyMap<string, () => readonly unknown[]> = new Map([
  ['toFloat64OrNull Numeric', () => []],
  ['accurateCastOrNull Boolean', () => ['Bool']],
  ['parseDateTime64BestEffortOrNull DateTime', () => [6, timeZone()]],
]);

// Does this call make the very value that the key is?
function makesKey({ name, args: [property, ...words] }: ResolvedCall): boolean {
  const expected = conversions.get(`${name} ${property?.type.learned}`)?.();
  const given = words.map((word) => (word.kind === 'constant' ? word.value : word.kind === 'fixed' ? word.text : word));
  return expected?.length === given.length && expected.every((word, at) => word === given[at]);
}

// Each part is visited once: a value is no tree, because names stand for values in many places.
class Grouped {
  private readonly keys: ReadonlyMap<string, Resolved>;
  private readonly known = new Map<Resolved, Resolved>();

  constructor(keys: ReadonlyMap<string, Resolved>) {
    this.keys = keys;
  }

  select(select: ResolvedSelect): ResolvedSelect {
    const { grouping, limitBy } = select;
    const values = select.values.map((value) => this.whole(value));
    return {
      ...select,
      values,
      columns: select.columns.map((column, at) => {
        const value = values[at] as Resolved;
        return value === select.values[at] ? column : { ...column, type: value.type };
      }),
      withs: select.withs.map((entry) =>
        entry.kind === 'scalar' ? { ...entry, expr: this.whole(entry.expr) } : entry,
      ),
      groupBy: select.groupBy.map((key) => this.whole(key)),
      grouping: grouping && { ...grouping, sets: grouping.sets.map((set) => set.map((key) => this.whole(key))) },
      having: select.having && this.part(select.having),
      qualify: select.qualify && this.part(select.qualify),
      windows: select.windows.map((window) => this.window(window)),
      orderBy: select.orderBy.map((item) => ({ ...item, expr: this.whole(item.expr) })),
      limitBy: limitBy && { ...limitBy, exprs: limitBy.exprs.map((expr) => this.whole(expr)) },
    };
  }

  // Where the key itself may stand, whatever its type is.
  private whole(expr: Resolved): Resolved {
    return (expr.type.asText ? undefined : this.keyOf(expr)) ?? this.part(expr);
  }

  private part(expr: Resolved): Resolved {
    const known = this.known.get(expr);
    if (known) return known;
    spend(costOf.estimate, expr);
    const replaced = this.read(expr);
    this.known.set(expr, replaced);
    return replaced;
  }

  private read(expr: Resolved): Resolved {
    const key = this.keyOf(expr);
    if (key) return call('toString', [key], { ...plain('text', true), property: true }, expr);
    if (expr.kind === 'json') {
      const base = this.part(expr.base);
      return base === expr.base ? expr : { ...expr, base };
    }
    if (expr.kind === 'lambda') {
      const body = this.part(expr.body);
      return body === expr.body ? expr : { ...expr, body };
    }
    if (expr.kind === 'window') return { ...expr, call: this.part(expr.call), over: this.window(expr.over) };
    return expr.kind === 'call' ? this.call(expr) : expr;
  }

  private call(expr: Resolved & { kind: 'call' }): Resolved {
    const isAggregate = expr.aggregate && !expr.args.some((arg) => arg.aggregate) && expr.name !== 'grouping';
    const origin = originOf(expr);
    if (isAggregate || (origin && this.keyOf(origin))) return expr;
    const [only] = expr.args;
    const key = only && this.keyOf(only);
    if (key && makesKey(expr)) return key;
    const compared = this.compared(expr);
    if (compared) return compared;
    const args = expr.args.map((arg) =>
      expr.name === 'grouping' || expr.name === 'tuple' ? this.whole(arg) : this.part(arg),
    );
    return args.every((arg, at) => arg === expr.args[at]) ? expr : { ...expr, args };
  }

  // The other side of a comparison meets the value of the key, not the text that each row has.
  private compared(expr: ResolvedCall): Resolved | undefined {
    const compare = comparisonOf(expr);
    if (!compare || !expr.args.some((arg) => this.isKeyed(arg))) return undefined;
    const sides = expr.args.map((arg) => this.whole(arg));
    return compare(expr, sides);
  }

  private isKeyed(expr: Resolved): boolean {
    if (expr.kind === 'call' && expr.name === 'tuple') return expr.args.some((arg) => this.isKeyed(arg));
    return !expr.type.asText && this.keyOf(expr) !== undefined;
  }

  private window({ partitionBy, orderBy, ...window }: ResolvedWindow): ResolvedWindow {
    return {
      ...window,
      partitionBy: partitionBy.map((part) => this.whole(part)),
      orderBy: orderBy.map((item) => ({ ...item, expr: this.whole(item.expr) })),
    };
  }

  private keyOf(expr: Resolved): Resolved | undefined {
    const name = hasOneValue(expr) ? nameOf(expr) : undefined;
    return name === undefined ? undefined : this.keys.get(name);
  }
}

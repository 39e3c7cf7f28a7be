import type { ConstantValue } from './values.ts';

/** Values bound by name, `p0`, `p1`, …, as `@clickhouse/client` takes them in `query_params`. */
export type QueryParameters = Record<string, ConstantValue>;

/** Collects the parameters of one query. The same value of the same type is one parameter, so that equal expressions stay equal. */
export class ParameterList {
  readonly values: QueryParameters = {};
  // By type, then by the value itself: a long text or list is not written out again each time it is named.
  private readonly known = new Map<string, Map<ConstantValue, string>>();
  private readonly lists = new Map<string, string>();
  private count = 0;

  /** Binds a value and returns its placeholder in the SQL. */
  add(value: ConstantValue, type: string): string {
    const known = this.known.get(type) ?? new Map<ConstantValue, string>();
    this.known.set(type, known);
    const printed = known.get(value) ?? (Array.isArray(value) ? this.addList(value, type) : this.bind(value, type));
    known.set(value, printed);
    return printed;
  }

  private addList(list: ConstantValue, type: string): string {
    const key = `${type} ${JSON.stringify(list)}`;
    const printed = this.lists.get(key) ?? this.bind(list, type);
    this.lists.set(key, printed);
    return printed;
  }

  private bind(value: ConstantValue, type: string): string {
    const name = `p${this.count}`;
    this.count += 1;
    this.values[name] = value;
    return `{${name}:${type}}`;
  }
}

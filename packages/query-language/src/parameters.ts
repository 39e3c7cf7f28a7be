import type { ConstantValue } from './values.ts';

/** Values bound by name, `p0`, `p1`, …, as `@clickhouse/client` takes them in `query_params`. */
export type QueryParameters = Record<string, ConstantValue>;

/** Collects the parameters of one query. The same value of the same type is one parameter, so that equal expressions stay equal. */
export class ParameterList {
  readonly values: QueryParameters = {};
  private readonly known = new Map<string, string>();
  private readonly lists = new Map<ConstantValue, Map<string, string>>();

  /** Binds a value and answers with what stands for it in the SQL. */
  add(value: ConstantValue, type: string): string {
    return Array.isArray(value) ? this.addList(value, type) : this.addEqual(value, type);
  }

  // The same list is not written out again to be compared.
  private addList(list: ConstantValue, type: string): string {
    const types = this.lists.get(list) ?? new Map<string, string>();
    this.lists.set(list, types);
    const printed = types.get(type) ?? this.addEqual(list, type);
    types.set(type, printed);
    return printed;
  }

  private addEqual(value: ConstantValue, type: string): string {
    const key = `${type} ${JSON.stringify(value)}`;
    const printed = this.known.get(key) ?? this.bind(value, type);
    this.known.set(key, printed);
    return printed;
  }

  private bind(value: ConstantValue, type: string): string {
    const name = `p${this.known.size}`;
    this.values[name] = value;
    return `{${name}:${type}}`;
  }
}

import type { PropertyType } from '@millrace/contracts/property-types.ts';
import type { PropertyOwnerPath } from './schema/project-schema.ts';

/** The compiler's knowledge of a value: enough to decide how it is printed and what an endpoint's column is called. */
export type ValueKind =
  | 'null'
  | 'boolean'
  | 'integer'
  | 'float'
  | 'decimal'
  | 'text'
  | 'uuid'
  | 'date'
  | 'datetime'
  | 'interval'
  | 'array'
  | 'tuple'
  | 'map'
  | 'lambda'
  | 'unknown'
  /** Result of -State; `item` is the type of the finished value. */
  | 'state';

/** The type of an expression. */
export interface ValueType {
  kind: ValueKind;
  nullable: boolean;
  /** Text of a JSON value: the context decides whether it is read as text, number, date or boolean. */
  property?: true;
  /**
   * The type that the project has learned of a property. A text with it (`property`) is not read by it yet; a value of any other kind was
   * read by it, and still gives way to what it meets.
   */
  learned?: Exclude<PropertyType, 'String'>;
  /** The project has learned that this property is a text. */
  learnedText?: true;
  /** The query says that this property is a text: it is not looked at as a number where it is sorted. */
  asText?: true;
  /** Text that is a whole JSON object, such as `properties`. */
  json?: true;
  /** The object whose properties a JSON object holds. */
  owner?: PropertyOwnerPath;
  /** A hash: a whole number without a sign, of which a signed one would be another number. */
  hash?: true;
  /** The zone that ClickHouse has for a time, empty when only it knows which: the time is not moved into the project's. */
  zone?: string;
  /** Digits of a time's second where they are not 6, as of the times that are stored; -1 for ClickHouse's `DateTime`. */
  digits?: number;
  item?: ValueType;
  items?: ValueType[];
}

/** A type of a kind that needs no more words. */
export function plain(kind: ValueKind, nullable = false): ValueType {
  return { kind, nullable };
}

/** The same type, nullable. */
export function nullable(type: ValueType): ValueType {
  return type.nullable || isComposite(type) ? type : { ...type, nullable: true };
}

/** An array, tuple, map or state of an aggregate, which the engine has no NULL of. */
export function isComposite({ kind }: ValueType): boolean {
  return kind === 'array' || kind === 'tuple' || kind === 'map' || kind === 'state';
}

/** The type of a single JSON property. */
export const propertyType: ValueType = { kind: 'text', nullable: true, property: true };

/** The type of what is made of a property that was not read by its learned type: only the property itself is read by it later. */
export function unread(type: ValueType): ValueType {
  if (type.owner === undefined && !(type.property && type.learned)) return type;
  const { learned, owner: _, ...rest } = type;
  return learned && !type.property ? { ...rest, learned } : rest;
}

/** True for a value that was read by the learned type of a property, where nothing else said what it is. */
export function isLearned({ learned, property }: ValueType): boolean {
  return learned !== undefined && !property;
}

/** The type of an item of a property that is a list. */
export const propertyItem: ValueType = { ...propertyType, nullable: false };

const numericKinds: ReadonlySet<ValueKind> = new Set(['integer', 'float', 'decimal']);

/** Integer, float or decimal? */
export function isNumeric(type: ValueType): boolean {
  return numericKinds.has(type.kind);
}

/** Date or time? */
export function isTime(type: ValueType): boolean {
  return type.kind === 'date' || type.kind === 'datetime';
}

/** The type that can hold values of all these: of branches, of list members, of the sides of a UNION. */
export function commonType(types: readonly ValueType[]): ValueType {
  const nullableResult = types.some((type) => type.nullable);
  const known = types.filter((type) => type.kind !== 'null');
  const first = known[0];
  if (!first) return plain('null', true);
  if (known.every((type) => type.kind === first.kind)) {
    const property = known.some((type) => type.property);
    const asText = known.some((type) => type.asText);
    const json = known.every((type) => type.json);
    const learned = known.every((type) => type.learned === first.learned) ? first.learned : undefined;
    const owner = known.every((type) => type.owner === first.owner) ? first.owner : undefined;
    const hash = known.every((type) => type.hash);
    const zone = known.every((type) => type.zone === first.zone) ? first.zone : undefined;
    const digits = Math.max(...known.map(digitsOf));
    return {
      kind: first.kind,
      nullable: nullableResult,
      ...(property ? { property } : {}),
      ...(asText ? { asText } : {}),
      ...(learned ? { learned } : {}),
      ...(json ? { json } : {}),
      ...(owner ? { owner } : {}),
      ...(hash ? { hash } : {}),
      ...(zone !== undefined ? { zone } : {}),
      ...(first.kind === 'datetime' && digits !== storedDigits ? { digits } : {}),
      ...(first.item ? { item: first.item } : {}),
      ...(first.items ? { items: first.items } : {}),
    };
  }
  if (known.every(isNumeric))
    return plain(known.some((type) => type.kind === 'float') ? 'float' : 'decimal', nullableResult);
  if (known.every(isTime)) return plain('datetime', nullableResult);
  return plain('unknown', true);
}

const storedDigits = 6;

/** The digits of ClickHouse's `DateTime`, which has none and gives way to a `DateTime64(0)`. */
export const digitsOfDateTime = -1;

/** Digits of the second of a time, or of what becomes one (`ValueType.digits`). */
export function digitsOf({ kind, digits }: ValueType): number {
  return kind === 'date' ? digitsOfDateTime : (digits ?? storedDigits);
}

/** The type of a time in a zone (none: as it is stored), with so many digits of its second. */
export function timeType(isNullable: boolean, zone?: string, digits = storedDigits): ValueType {
  return {
    ...plain('datetime', isNullable),
    ...(zone !== undefined && { zone }),
    ...(digits !== storedDigits && { digits }),
  };
}

/** Words for error messages. */
export function describeType(type: ValueType): string {
  const words: Partial<Record<ValueKind, string>> = {
    integer: 'a number',
    float: 'a number',
    decimal: 'a number',
    datetime: 'a time',
    date: 'a date',
    uuid: 'a UUID',
    array: 'an array',
    interval: 'an interval',
    null: 'NULL',
    unknown: 'a value',
    state: 'the state of an aggregate',
  };
  return words[type.kind] ?? (type.kind === 'text' ? 'text' : `a ${type.kind}`);
}

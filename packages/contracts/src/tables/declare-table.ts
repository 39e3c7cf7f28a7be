/** A time in microseconds of UTC. */
export const time = "DateTime64(6, 'UTC')";

/** Properties by name, as text; null is a property that is null. */
export const propertyMap = 'Map(String, Nullable(String))';

export type PlainType =
  | 'Int64'
  | 'UInt64'
  | 'UInt8'
  | 'Bool'
  | 'String'
  | 'LowCardinality(String)'
  | 'UUID'
  | typeof time
  | typeof propertyMap;

/** A type whose values may be missing. */
export type NullableType = 'Nullable(String)' | 'Nullable(UInt64)' | 'Nullable(Float64)' | 'Nullable(Bool)';

/** The type of a column, as ClickHouse prints it in `system.columns`. */
export type ColumnType = PlainType | NullableType | 'Array(String)' | `Enum8(${string})`;

type ColumnTypes = Readonly<Record<string, ColumnType>>;

/** A table of ClickHouse's database `analytics`. Migrations make it; a test compares the two. */
export interface DeclaredTable<Columns extends ColumnTypes = ColumnTypes> {
  readonly name: string;
  /** With its database. */
  readonly fullName: string;
  /** Columns that an insert writes, in this order. */
  readonly columns: Columns;
  /** Columns that ClickHouse fills when a row comes. */
  readonly filled: ColumnTypes;
  /** The time by whose month the table is partitioned. */
  readonly partitionTime: string | null;
  /** The project of a row: tenants may read rows of their own. Null: tenants may not read the table. */
  readonly tenantColumn: string | null;
}

type NamesOf<Columns extends ColumnTypes, Type extends ColumnType> = {
  [Name in keyof Columns]: Columns[Name] extends Type ? Name : never;
}[keyof Columns];

interface Declaration<Columns extends ColumnTypes> {
  columns: Columns;
  filled?: ColumnTypes;
  partitionTime: NamesOf<Columns, typeof time> | null;
  tenantColumn: NamesOf<Columns, 'Int64'> | null;
}

export function declareTable<const Columns extends ColumnTypes>(
  name: string,
  declaration: Declaration<Columns>,
): DeclaredTable<Columns>;
export function declareTable<Columns extends ColumnTypes>(
  name: string,
  declaration: Pick<DeclaredTable<Columns>, 'columns' | 'partitionTime' | 'tenantColumn'>,
): DeclaredTable<Columns> {
  return { filled: {}, ...declaration, name, fullName: `analytics.${name}` };
}

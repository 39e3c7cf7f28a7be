import { describe, expect, test } from '@jest/globals';
import { allTables } from '@millrace/contracts/tables/all-tables.ts';
import { logicalTables } from './logical-schema.ts';
import type {
  ColumnField,
  LogicalField,
  LogicalTable,
  Lookup,
  PropertiesField,
  ColumnLocation,
} from './logical-table.ts';

/** A column of a stored table, as `analytics.events.uuid`. */
type Stored = string;

const of = (physical: string, ...columns: (string | undefined)[]): Stored[] =>
  columns.flatMap((column) => (column === undefined ? [] : [`${physical}.${column}`]));

function ofLookup({ physical, by, key, version, deleted, only }: Lookup, row: string): Stored[] {
  return [...of(physical, key, version, deleted, only?.column), ...ofLocation(by, row)];
}

function ofLocation({ column, sql, join, oneToMany, fallback }: ColumnLocation, row: string): Stored[] {
  const physical = (join ?? oneToMany)?.physical ?? row;
  // An alias of the expression itself begins with two underscores.
  const columns =
    sql === undefined
      ? [column]
      : [...sql.matchAll(/`([^`]+)`/g)].flatMap(([, name = '']) => (name.startsWith('__') ? [] : [name]));
  return [
    ...of(physical, ...columns),
    ...of(row, fallback, oneToMany?.own),
    ...(oneToMany ? of(oneToMany.physical, oneToMany.theirs, oneToMany.deleted) : []),
    ...(join ? ofLookup(join, row) : []),
  ];
}

function ofProperties({ text, map, ownColumns, join, contents }: PropertiesField, row: string): Stored[] {
  return [
    ...of(join?.physical ?? row, text, map, ...(ownColumns?.values() ?? [])),
    ...(join ? ofLookup(join, row) : []),
    ...(contents ? [...of(row, contents.by), ...of(contents.physical, 'id', 'properties_text', 'properties')] : []),
  ];
}

function ofField(field: LogicalField, row: string): Stored[] {
  if (field.kind === 'group')
    return Object.values<ColumnField | PropertiesField>(field.fields).flatMap((member) => ofField(member, row));
  return field.kind === 'properties' ? ofProperties(field, row) : ofLocation(field, row);
}

function ofTable({ physical, versions, groupedBy, fields }: LogicalTable): Stored[] {
  return [
    ...of(physical, groupedBy, versions?.version, versions?.deleted, ...(versions?.keys ?? [])),
    ...Object.values(fields).flatMap((field) => ofField(field, physical)),
  ];
}

const readable = new Set(
  allTables.flatMap(({ fullName, columns, tenantColumn }) =>
    tenantColumn === null ? [] : of(fullName, ...Object.keys(columns)),
  ),
);

describe('what a query may name', () => {
  test.each([...logicalTables.values()])(
    '$name: is a column that is declared, of a table that tenants may read',
    (table) => {
      const named = ofTable(table);
      expect(named).not.toEqual([]);
      expect(named.filter((column) => !readable.has(column))).toEqual([]);
    },
  );

  test('is never the project of a row: the row policy alone decides about it', () => {
    const projects = new Set(
      allTables.flatMap(({ fullName, tenantColumn }) => of(fullName, tenantColumn ?? undefined)),
    );
    expect([...logicalTables.values()].flatMap(ofTable).filter((column) => projects.has(column))).toEqual([]);
  });
});

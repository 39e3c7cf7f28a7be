// Holds the table reference of docs/sql.md to what the compiler knows; `--write` writes it anew.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { logicalTables } from '../packages/query-language/src/schema/logical-schema.ts';
import type { LogicalField, LogicalTable } from '../packages/query-language/src/schema/logical-table.ts';
import type { ValueKind, ValueType } from '../packages/query-language/src/types.ts';

const file = join(import.meta.dirname, '..', 'docs', 'sql.md');
const [begin, end] = ['<!-- tables: node scripts/table-reference.ts --write -->\n', '<!-- end of tables -->'];

const words: Partial<Record<ValueKind, string>> = {
  text: 'text',
  integer: 'whole number',
  float: 'number',
  boolean: 'true or false',
  uuid: 'UUID',
  datetime: 'time',
  date: 'date',
};

function typeName({ kind, item, nullable }: ValueType): string {
  const name = kind === 'array' && item ? `list of ${typeName(item)}s` : words[kind];
  if (name === undefined) throw new Error(`${kind} has no name in docs/sql.md`);
  return nullable ? `${name} or NULL` : name;
}

const listOf = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

function labelOf(field: Exclude<LogicalField, { kind: 'group' }>): string {
  return field.kind === 'properties'
    ? 'JSON'
    : `${typeName(field.type)}${field.explicit === true ? '; not in `*`' : ''}`;
}

/** Columns by type, then what else has a name; groups with the same members together. */
function describe({ name, fields }: LogicalTable): string {
  const columns = Object.entries(fields).flatMap(([column, field]) =>
    field.kind === 'group' ? [] : [{ column, label: labelOf(field) }],
  );
  const groups = Object.entries(fields).flatMap(([group, field]) =>
    field.kind === 'group' ? [{ group, members: membersOf(field) }] : [],
  );
  const rows = [
    ...[...Map.groupBy(columns, ({ label }) => label)].map(([label, some]) => [
      label,
      listOf(some.map(({ column }) => column)),
    ]),
    ...[...Map.groupBy(groups, ({ members }) => members)].map(([members, some]) => [
      `of ${listOf(some.map(({ group }) => group))}`,
      members,
    ]),
  ];
  return `| \`${name}\` | |\n| --- | --- |\n${rows.map((row) => `| ${row.join(' | ')} |\n`).join('')}`;
}

function membersOf({ fields }: Extract<LogicalField, { kind: 'group' }>): string {
  const names = Object.keys(fields);
  const same = [...logicalTables.values()].find(
    (table) => Object.keys(table.fields).sort().join() === names.toSorted().join(),
  );
  return same === undefined ? listOf(names) : `the columns of \`${same.name}\``;
}

const text = readFileSync(file, 'utf8');
const [from, to] = [text.indexOf(begin) + begin.length, text.indexOf(end)];
if (from < begin.length || to < from) throw new Error('docs/sql.md has no place for the tables');
const reference = `\n${[...logicalTables.values()].map(describe).join('\n')}\n`;
if (process.argv.includes('--write')) writeFileSync(file, text.slice(0, from) + reference + text.slice(to));
else if (text.slice(from, to) !== reference) {
  process.stdout.write(
    'The tables in docs/sql.md are not those of the compiler: node scripts/table-reference.ts --write\n',
  );
  process.exitCode = 1;
}

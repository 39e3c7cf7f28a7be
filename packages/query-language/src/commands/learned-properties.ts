import type { PropertyType } from '@millrace/contracts/property-types.ts';
import { costOf, spend } from '../budget.ts';
import { settledType } from '../operators/learned-types.ts';
import { projectSchema, type PropertyOwnerPath } from '../schema/project-schema.ts';
import type { Span } from '../query-error.ts';
import { propertyType } from '../types.ts';
import type { DescribedColumn } from './described-column.ts';
import { typeName } from './type-name.ts';

/** Properties that DESCRIBE lists, and bytes of their names: they are values of one request, in its address. */
const rowsMax = 1_000;
const nameBytesMax = 50_000;

/**
 * The properties that the project has learned of an owner, by name, as a query writes them: the first 1,000, and a row that says how many
 * there are beyond. Spends.
 */
export function learnedProperties(owner: PropertyOwnerPath, span: Span): DescribedColumn[] {
  const schema = projectSchema();
  const known = schema?.properties(owner) ?? [];
  spend(known.length * costOf.literal, span);
  const all = known.filter(({ name }) => !/\p{C}/u.test(name)).sort((a, b) => (a.name < b.name ? -1 : 1));
  const rows: DescribedColumn[] = [];
  let left = nameBytesMax;
  for (const { name } of all) {
    left -= encodeURIComponent(name).length;
    if (rows.length === rowsMax || left < 0) break;
    rows.push(rowOf(name, schema?.property(owner, name)?.type ?? null));
  }
  const more = all.length - rows.length;
  return more === 0 ? rows : [...rows, { name: `… ${more} more properties`, type: '', inStar: false }];
}

function rowOf(name: string, type: PropertyType | null): DescribedColumn {
  const read = type === null || type === 'String' ? propertyType : { ...propertyType, learned: type };
  return {
    name: `properties${pathOf(name)}`,
    type: type === 'List' ? 'Array(Dynamic)' : typeName(settledType(read)),
    inStar: false,
  };
}

function pathOf(name: string): string {
  if (/^[A-Za-z_$][\w$]*$/.test(name)) return `.${name}`;
  return /[`'\\]/.test(name) ? `['${name.replace(/['\\]/g, String.raw`\$&`)}']` : `.\`${name}\``;
}

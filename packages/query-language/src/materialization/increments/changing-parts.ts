import { events } from '@millrace/contracts/tables/events.ts';
import { personContents } from '@millrace/contracts/tables/person-contents.ts';
import { personOverrides } from '@millrace/contracts/tables/person-overrides.ts';
import type { TenantSql } from '../../tenant-sql.ts';

/** Changes of rows of a compiled query, beside new events. */
export interface ChangingParts {
  /** Merges of persons, which move events that are there already. */
  readsPersons: boolean;
}

/** Contents of persons are named by what they are, so they never change. */
const known: ReadonlySet<string> = new Set([events.fullName, personContents.fullName, personOverrides.fullName]);

/**
 * Finds what changes the rows of a compiled query of one SELECT from `events`; undefined where it reads another table, such as the current groups, or
 * the events twice, such as for sessions. The name of a property that looks like a table counts as one. Pure.
 */
export function changingParts(sql: TenantSql): ChangingParts | undefined {
  const tables =
    sql.match(/\b[a-z]+\.[a-z_]+\b/g)?.filter((name) => /^(?:analytics|materialized|system)\./.test(name)) ?? [];
  if (tables.some((name) => !known.has(name))) return undefined;
  if (tables.filter((name) => name === events.fullName).length !== 1) return undefined;
  return { readsPersons: tables.includes(personOverrides.fullName) };
}

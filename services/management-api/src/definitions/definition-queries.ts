import { Prisma } from '@millrace/postgres/generated/client.ts';
import { containsText } from '../database/like-pattern.ts';

/** Conditions of the statements of a list, about a definition `d`. Pure. */
export function nameHasWords(words: readonly string[]): Prisma.Sql[] {
  return words.map((word) => containsText(Prisma.sql`lower(d.name)`, word));
}

/** All of them. Pure. */
export function allOf(conditions: readonly Prisma.Sql[]): Prisma.Sql {
  return Prisma.join([...conditions], ' AND ');
}

/** The rows in the order of their ids; a row that is gone is left out. Pure. */
export function inOrder<Row extends { id: string }>(ids: readonly string[], rows: readonly Row[]): Row[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Most rows of a page: each may have a long description. */
export const rowsMax = 1_000;

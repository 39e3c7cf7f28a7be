import { Prisma } from '@millrace/postgres/generated/client.ts';

// The only place that builds a LIKE pattern from a user's text: a rule of ESLint refuses others.

/** The text as a pattern that matches only the text itself: `_`, `%` and `\` are escaped. Pure. */
export function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&');
}

/** True for rows whose column, which is in lower case, contains the text in whatever case. Pure. */
export function containsText(column: Prisma.Sql, text: string): Prisma.Sql {
  return Prisma.sql`${column} LIKE lower(${`%${escapeLike(text)}%`})`;
}

/** True for rows whose column, in any case, contains the text in whatever case. Pure. */
export function containsTextInAnyCase(column: Prisma.Sql, text: string): Prisma.Sql {
  return Prisma.sql`${column} ILIKE ${`%${escapeLike(text)}%`}`;
}

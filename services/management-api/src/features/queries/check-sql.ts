import {
  Array as ArrayType,
  Boolean,
  Integer,
  Object as ObjectType,
  Optional,
  String as StringType,
  type Static,
} from 'typebox';
import { AppError } from '@millrace/http/errors/errors.ts';
import { QueryError } from '@millrace/query-language/query-error.ts';
import type { QueryCheck } from '../../queries/compile/check-query.ts';
import { sqlExample } from './query-result.ts';

/** A message about a range of a query's text: offsets in UTF-16 units. */
const Notice = ObjectType(
  { message: StringType(), start: Integer(), end: Integer(), fix: Optional(StringType()) },
  { title: 'QueryNotice' },
);
type Notice = Static<typeof Notice>;

/** The check of a query that is not run, as editors and command lines show it (contract/clients B9). */
export const QueryMetadata = ObjectType(
  {
    query: StringType({ examples: [sqlExample] }),
    isValid: Boolean({ examples: [true] }),
    isValidView: Boolean({ examples: [true], description: 'It is valid, and needs no values.' }),
    errors: ArrayType(Notice, { examples: [[]] }),
    warnings: ArrayType(Notice, { examples: [[]] }),
    notices: ArrayType(Notice, { examples: [[]] }),
    table_names: ArrayType(StringType(), { examples: [[]] }),
  },
  { title: 'QueryMetadata' },
);
type QueryMetadata = Static<typeof QueryMetadata>;

/** Reads a query as if it were to be saved, and reports its errors. `check` is the compiler's. */
export async function checkSql(
  sql: string,
  check: (definition: Readonly<Record<string, unknown>>) => Promise<Pick<QueryCheck, 'placeholders' | 'warnings'>>,
): Promise<QueryMetadata> {
  const found: QueryMetadata = {
    query: sql,
    isValid: true,
    isValidView: true,
    errors: [],
    warnings: [],
    notices: [],
    table_names: [],
  };
  try {
    const { placeholders, warnings } = await check({ kind: 'HogQLQuery', query: sql });
    return {
      ...found,
      isValidView: placeholders.length === 0,
      warnings: warnings.map(({ message, start, end }) => ({ message, start, end })),
    };
  } catch (error) {
    return { ...found, isValid: false, isValidView: false, errors: [noticeOf(error, sql)] };
  }
}

function noticeOf(error: unknown, sql: string): Notice {
  const cause = error instanceof AppError ? error.cause : error;
  if (cause instanceof QueryError) {
    const { start, end } = cause.position;
    return { message: cause.message, start, end, ...(cause.suggestion !== undefined && { fix: cause.suggestion }) };
  }
  if (error instanceof AppError) return { message: error.message, start: 0, end: sql.length };
  throw error;
}

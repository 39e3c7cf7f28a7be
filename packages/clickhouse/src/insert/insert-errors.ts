import { ClickHouseError } from '@clickhouse/client';

/** ClickHouse could not take the rows now: unreachable, overloaded, not set up. The same insert will succeed later. */
export class ClickhouseUnavailableError extends Error {
  override name = 'ClickhouseUnavailableError';
}

/** Rows that will never be taken, however often they are sent. Nothing of what was refused is stored. */
export class RowsRefusedError extends Error {
  override name = 'RowsRefusedError';
  /** Index of the row that caused the error, when one row did and it is known. */
  readonly rowIndex: number | undefined;
  /** Places of the rows that are not stored, in order; null: none is. */
  readonly refused: readonly number[] | null;
  constructor(message: string, options: { rowIndex?: number; refused?: readonly number[]; cause: unknown }) {
    super(message, { cause: options.cause });
    this.rowIndex = options.rowIndex;
    this.refused = options.refused ?? null;
  }
}

// ClickHouse's codes for data that it can never store. Every other error counts as temporary: a retry loses nothing,
// giving rows up does.
const rejectionCodes: ReadonlySet<string> = new Set([
  '6', // CANNOT_PARSE_TEXT
  '26', // CANNOT_PARSE_QUOTED_STRING
  '27', // CANNOT_PARSE_INPUT_ASSERTION_FAILED
  '38', // CANNOT_PARSE_DATE
  '41', // CANNOT_PARSE_DATETIME
  '53', // TYPE_MISMATCH
  '69', // ARGUMENT_OUT_OF_BOUND
  '70', // CANNOT_CONVERT_TYPE
  '72', // CANNOT_PARSE_NUMBER
  '117', // INCORRECT_DATA
  '131', // TOO_LARGE_STRING_SIZE
  '349', // CANNOT_INSERT_NULL_IN_ORDINARY_COLUMN
  '376', // CANNOT_PARSE_UUID
  '407', // DECIMAL_OVERFLOW
  '469', // VIOLATED_CONSTRAINT
  '691', // UNKNOWN_ELEMENT_OF_ENUM
]);

/** The error class of a failed insert. Pure. */
export function classifyInsertError(table: string, error: unknown): ClickhouseUnavailableError | RowsRefusedError {
  if (error instanceof ClickHouseError && rejectionCodes.has(error.code)) {
    return new RowsRefusedError(`${table}: ClickHouse refuses rows (${error.type ?? 'code'} ${error.code})`, {
      cause: error,
    });
  }
  const reason =
    error instanceof ClickHouseError
      ? `${error.type ?? 'code'} ${error.code}`
      : error instanceof Error
        ? error.message
        : String(error);
  return new ClickhouseUnavailableError(`${table}: ClickHouse did not take rows (${reason})`, { cause: error });
}

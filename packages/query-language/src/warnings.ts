import { locate, type Span } from './query-error.ts';

/**
 * A warning about a query: it has a result, but hardly the one that was meant. `start` and `end` are UTF-16 offsets in
 * the text. The table is open: a warning that needs the project's data (an event that no event has) is added by the
 * service.
 */
export interface QueryWarning {
  code: WarningCode;
  message: string;
  start: number;
  end: number;
}

/** Codes of warnings, each with the sentence for callers who may not see the query. */
export const warningCodes = {
  no_uuid: 'A value that is not a UUID is compared with a UUID, or converted to one: it equals none.',
  no_time: 'A text that is not a date or time is converted to one: the result is NULL.',
  no_date: 'A date is compared with a time of day: they are never equal.',
  seconds: 'A small number is added to a time, or subtracted from it: it is in seconds.',
} as const;
export type WarningCode = keyof typeof warningCodes;

/** More of them help nobody. */
const warningsMax = 20;
const quotedMax = 40;

// Set while `collectingWarnings` runs, which never waits, as the budget is.
let open: Map<string, QueryWarning> | undefined;

/** Runs `work` and returns its warnings, each once, by position. */
export function collectingWarnings<Result>(
  text: string | undefined,
  work: () => Result,
): { result: Result; warnings: QueryWarning[] } {
  const outer = open;
  const found = new Map<string, QueryWarning>();
  open = found;
  try {
    const result = work();
    return { result, warnings: [...found.values()].map((warning) => placed(warning, text)) };
  } finally {
    open = outer;
  }
}

/** Warns of a place of the statement that is being compiled. */
export function warn(code: WarningCode, message: string, { start, end }: Span): void {
  if (open !== undefined && open.size < warningsMax) open.set(`${code} ${start} ${end}`, { code, message, start, end });
}

/** A value as a message shows it. */
export function quoted(value: unknown): string {
  const text = String(value);
  return `'${text.length > quotedMax ? `${text.slice(0, quotedMax)}…` : text}'`;
}

function placed(warning: QueryWarning, text: string | undefined): QueryWarning {
  if (text === undefined) return warning;
  const { line, column } = locate(text, warning);
  return { ...warning, message: `${warning.message} (line ${line}, column ${column})` };
}

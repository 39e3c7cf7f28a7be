import { locate, type Span } from './query-error.ts';
import type { NameList } from './schema/project-schema.ts';

/** A name that the project does not have, and the list that it is not in. */
export interface UnknownName {
  list: NameList;
  name: string;
  /** The one that was meant is not looked for yet (`withSuggestions`). */
  isOpen?: true;
}

/**
 * A warning about a query: it has a result, but hardly the one that was meant. `start` and `end` are UTF-16 offsets in
 * the text.
 */
export interface QueryWarning {
  code: WarningCode;
  message: string;
  start: number;
  end: number;
  /** The name of a warning about an unknown one: it may have come since the names were read. */
  unknown?: UnknownName;
}

/** Codes of warnings, each with the sentence for callers who may not see the query. */
export const warningCodes = {
  no_uuid: 'A value that is not a UUID is compared with a UUID, or converted to one: it equals none.',
  no_time: 'A text that is not a date or time is converted to one: the result is NULL.',
  no_date: 'A date is compared with a time of day: they are never equal.',
  hidden_column: 'WHERE names an alias that hides a column of the same name.',
  text_order: 'A property is compared with a number in quotes: texts are compared letter by letter, not by size.',
  unquoted_date: 'A date without quotes is a subtraction of numbers.',
  midnight: 'A time is compared with a day: it equals the midnight of that day only.',
  person_distinct_id: 'The id of a person is compared with a distinct id: they are hardly ever equal.',
  place_zero: 'The item at place 0 of a list is read: places count from 1.',
  no_pattern: 'A format has no place for a value: the result is the same whatever the value.',
  guessed_date: 'A text that may mean several dates is converted to one.',
  minutes: 'A bound of the filters is less than an hour ago: M counts minutes, m months.',
  null_variable: 'A variable that is NULL is compared: no value equals NULL, or is less or greater.',
  quoted_placeholder: 'A placeholder is written inside a text: it stays text, and no value takes its place.',
  seconds: 'A small number is added to a time, or subtracted from it: it is in seconds.',
  milliseconds:
    'A large number is converted to a time: it is read as seconds since 1970, and is probably in milliseconds.',
  unknown_zone: 'A time zone is named that is not known here: ClickHouse may refuse it.',
  unknown_event: 'A name is compared with those of events, and the project has no event of that name.',
  unknown_property: 'A property is read that the project has never had: it is NULL.',
} as const;
export type WarningCode = keyof typeof warningCodes;

/** More of them help nobody. */
const warningsMax = 20;
const quotedMax = 40;

/** Warnings of unknown names leave room for others; each looks for the name that was meant among thousands. */
const unknownMax = 5;

/** Other names that are looked for among thousands. */
const suggestionsMax = 5;

export function isOfUnknownName({ code }: Pick<QueryWarning, 'code'>): boolean {
  return code === 'unknown_event' || code === 'unknown_property';
}

// Set while `collectingWarnings` runs, which never waits, as the budget is.
let open: { found: Map<string, QueryWarning>; near: Map<string, string | undefined>; unknown: number } | undefined;

/** Runs `work` and returns its warnings, each once, by position. */
export function collectingWarnings<Result>(
  text: string | undefined,
  work: () => Result,
): { result: Result; warnings: QueryWarning[] } {
  const outer = open;
  const found = new Map<string, QueryWarning>();
  open = { found, near: new Map(), unknown: 0 };
  try {
    const result = work();
    return { result, warnings: [...found.values()].map((warning) => placed(warning, text)) };
  } finally {
    open = outer;
  }
}

/** Warns of a place of the statement that is being compiled. A message that is a function is made only when it is taken. */
export function warn(
  code: WarningCode,
  message: string | (() => string),
  { start, end }: Span,
  unknown?: UnknownName,
): void {
  if (open === undefined || open.found.size >= warningsMax) return;
  const key = `${code} ${start} ${end}`;
  if (isOfUnknownName({ code }) && (open.found.has(key) || ++open.unknown > unknownMax)) return;
  const text = typeof message === 'string' ? message : message();
  open.found.set(key, { code, message: text, start, end, ...(unknown && { unknown }) });
}

/** The name that was probably meant, which `find` finds; undefined after the first unknown names of a statement. */
export function suggested(name: string, find: () => string | undefined): string | undefined {
  if (open === undefined || open.found.size >= warningsMax) return undefined;
  if (!open.near.has(name)) open.near.set(name, open.near.size < suggestionsMax ? find() : undefined);
  return open.near.get(name);
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

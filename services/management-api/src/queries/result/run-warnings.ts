import {
  Array as ArrayType,
  Integer,
  Object as ObjectType,
  Optional,
  String as StringType,
  type Static,
} from 'typebox';
import { isOfUnknownName, warningCodes, type QueryWarning } from '@millrace/query-language/warnings.ts';

/** Warnings of a reply: parts of the query that are probably mistakes. */
export const RunWarnings = ArrayType(
  ObjectType(
    {
      code: StringType({ examples: Object.keys(warningCodes) }),
      message: StringType(),
      start: Optional(
        Integer({ description: 'Where it begins in the SQL, in UTF-16 units; not shown to run tokens.' }),
      ),
      end: Optional(Integer()),
    },
    { title: 'RunWarning' },
  ),
  {
    examples: [[]],
    description: 'Parts of the query that are probably mistakes. The rows are its exact result all the same.',
  },
);
export type RunWarnings = Static<typeof RunWarnings>;

/**
 * The warnings that the caller may see. The holder of a run token may see neither the query nor its pinned values, and could try with an open
 * variable which names the project has. Pure.
 */
export function shownWarnings(warnings: readonly QueryWarning[], isOfToken: boolean): RunWarnings {
  if (!isOfToken) return warnings.map(({ code, message, start, end }) => ({ code, message, start, end }));
  const codes = new Set(warnings.filter((warning) => !isOfUnknownName(warning)).map(({ code }) => code));
  return [...codes].map((code) => ({ code, message: warningCodes[code] }));
}

/** Bytes of the header field: proxies refuse larger ones. */
const headerBytesMax = 4_000;

/** The header field of replies that have no place for warnings: a JSON list in ASCII, of as many as fit. Pure. */
export function warningHeaders(warnings: RunWarnings): Record<string, string> {
  for (let count = warnings.length; count > 0; count--) {
    const list = JSON.stringify(warnings.slice(0, count)).replace(
      /[^\x20-\x7e]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
    if (list.length <= headerBytesMax) return { 'x-warnings': list };
  }
  return {};
}

import { isExact, parseAsWritten } from '@millrace/json/exact-json.ts';
import { tooLargeToKeep } from '@millrace/json/composed-values.ts';

/**
 * A value as text: a string as it is, anything else as compact JSON with all the digits of its numbers (contract/capture
 * 2.1); of a value that is too large to be kept, the text that the client sent. `valueText` gives that text. It is called only
 * when the parsed value may have lost digits: looking for lost digits in whole events took ten times as long as reading them.
 */
export function textOf(value: unknown, valueText: () => string): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean' || (typeof value === 'number' && isExact(value))) return String(value);
  const text = valueText();
  return typeof value === 'number' || value === tooLargeToKeep ? text : JSON.stringify(parseAsWritten(text));
}

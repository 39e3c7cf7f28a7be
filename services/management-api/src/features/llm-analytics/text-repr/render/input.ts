import { rawNumber } from '@millrace/json/exact-json.ts';
import type { Lines } from '../lines/lines.ts';
import type { RenderOptions } from '../lines/options.ts';
import { truncateMiddle } from '../lines/truncate-middle.ts';
import { isObject } from '../values/json-values.ts';
import { json } from '../values/python-text.ts';
import { writeMessages } from './messages.ts';

/** Longest JSON of an input that no rule knows. */
const unknownLengthMax = 500;

/** Writes the input of a model, which must be truthy (contract/llm-surveys 5.4). */
export function writeInput(lines: Lines, input: unknown, options: RenderOptions): void {
  const firstLine = lines.count + 2;
  lines.add('', 'INPUT:');
  if (typeof input === 'string') {
    lines.add('');
    const contentLine = lines.count + 1;
    lines.add(...truncateMiddle(input, options));
    lines.markFrom(contentLine, 'content');
  } else if (Array.isArray(input)) writeMessages(lines, input, options);
  else {
    const text = json(input);
    const shown = text.length > unknownLengthMax ? `${text.slice(0, unknownLengthMax)}...` : text;
    lines.add('', `[Unparsed input format: ${pythonType(input)}]`, shown);
  }
  lines.markFrom(firstLine, 'input');
}

/** The name of a type in Python. */
function pythonType(value: unknown): string {
  if (typeof value === 'boolean') return 'bool';
  if (isObject(value)) return 'dict';
  const isWhole = typeof value === 'number' ? Number.isInteger(value) : /^-?\d+$/.test(rawNumber(value) ?? '');
  return isWhole ? 'int' : 'float';
}

import { responseItems } from '../text-repr/render/output.ts';
import { isObject, memberOf, type ObjectValue } from '../text-repr/values/json-values.ts';
import { mayBeContainer, parseJsonText } from '../text-repr/values/parse-json.ts';
import { readContents } from './read-contents.ts';
import { setMember } from './set-member.ts';
import type { ValueBudget } from './value-budget.ts';

/** Properties whose texts are read when they hold such a value; all others stay texts (contract/decisions 57). */
const decoded: readonly (readonly [key: string, isRead: (value: unknown) => boolean])[] = [
  ['$ai_input', isListOfObjects],
  ['$ai_output', (value) => responseItems(value) !== null],
  ['$ai_output_choices', () => true],
  ['$ai_tools', () => true],
  ['$ai_input_state', () => true],
  ['$ai_output_state', () => true],
];

/**
 * The properties of a stored event, with all digits and in the order of their text (contract/decisions 49, 57); empty when the text is
 * no object, undefined when the budget has not enough left for it. Texts inside for which too little is left stay texts.
 */
export function readProperties(json: Buffer, budget: ValueBudget): ObjectValue | undefined {
  if (!budget.take(json)) return undefined;
  const properties = parseJsonText(json.toString());
  if (!isObject(properties)) return {};
  for (const [key, isRead] of decoded) {
    const text = memberOf(properties, key);
    if (typeof text !== 'string' || !mayBeContainer(text) || !budget.take(text)) continue;
    const value = parseJsonText(text);
    if (value !== undefined && isRead(value)) setMember(properties, key, value);
  }
  readContents(properties, budget);
  return properties;
}

function isListOfObjects(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isObject);
}

import type { Lines } from '../lines/lines.ts';
import type { RenderOptions } from '../lines/options.ts';
import { truncateMiddle } from '../lines/truncate-middle.ts';
import { firstTruthy, hasMember, isEmptyObject, isObject, memberOf, type ObjectValue } from '../values/json-values.ts';
import { isCollectedCall } from './blocks.ts';
import { writeMessages } from './messages.ts';
import { isTypedItem } from './typed-items.ts';

/** The answer of a model, in the form in which it is written; null when there is nothing that a rule knows. */
export type Output =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'items' | 'choices'; readonly messages: readonly unknown[] };

/** The answer in `$ai_output` and `$ai_output_choices` (contract/llm-surveys 5.4). */
export function outputOf(output: unknown, choices: unknown): Output | null {
  const items = responseItems(choices) ?? responseItems(output);
  if (items !== null) return { kind: 'items', messages: items };
  if (typeof output === 'string' && output !== '') return { kind: 'text', text: output };
  const list = isObject(choices) ? memberOf(choices, 'choices') : choices;
  if (!Array.isArray(list)) return null;
  const messages = list.some(isObject) ? list.filter(isObject).flatMap(choiceMessages) : textMessages(list);
  return messages.length === 0 ? null : { kind: 'choices', messages };
}

/** Writes an answer. */
export function writeOutput(lines: Lines, output: Output, options: RenderOptions): void {
  const firstLine = lines.count + 2;
  lines.add('', 'OUTPUT:');
  if (output.kind === 'text') {
    lines.add('');
    const contentLine = lines.count + 1;
    lines.add(...truncateMiddle(output.text, options));
    lines.markFrom(contentLine, 'content');
  } else writeMessages(lines, output.messages, options, output.kind === 'choices' ? 'answer' : 'input');
  lines.markFrom(firstLine, 'output');
}

/** The items of an object of OpenAI's Responses; null for all else, and for one that has none. */
export function responseItems(value: unknown): readonly unknown[] | null {
  if (!isObject(value) || memberOf(value, 'object') !== 'response') return null;
  const items = memberOf(value, 'output');
  return Array.isArray(items) && items.length > 0 ? items : null;
}

/** Texts in place of choices: posthog-python writes answers of the Agents SDK as Python prints them. */
function textMessages(choices: readonly unknown[]): ObjectValue[] {
  const texts = choices.filter((choice) => typeof choice === 'string' && choice !== '');
  return texts.map((content) => ({ role: 'assistant', content }));
}

/** The message of a choice, in which collected calls replace those of `tool_calls`; none when it has none. */
function choiceMessages(choice: ObjectValue): ObjectValue[] {
  if (isTypedItem(choice)) return [choice];
  const inside = memberOf(choice, 'message');
  const message = isObject(inside) && !isEmptyObject(inside) ? inside : choice;
  if (message === choice && !hasMember(choice, 'role') && !hasMember(choice, 'content')) return [];
  const content = memberOf(message, 'content');
  const calls = Array.isArray(content) ? content.filter(isObject).filter(isCollectedCall) : [];
  return [
    {
      role: firstTruthy(memberOf(message, 'role'), 'assistant'),
      content,
      tool_calls: calls.length > 0 ? calls : memberOf(message, 'tool_calls'),
      parts: memberOf(message, 'parts'),
    },
  ];
}

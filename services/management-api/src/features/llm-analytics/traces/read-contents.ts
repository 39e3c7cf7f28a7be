import { isEmptyObject, isObject, isTruthy, memberOf, type ObjectValue } from '../text-repr/values/json-values.ts';
import { parseJsonText } from '../text-repr/values/parse-json.ts';
import { setMember } from './set-member.ts';
import { typedContentOf } from './typed-contents.ts';
import type { ValueBudget } from './value-budget.ts';

/**
 * Reads contents that are JSON text of an item or of blocks, in the messages of `$ai_input` and `$ai_output_choices`, in place: @posthog/ai
 * writes those of OpenAI's Responses and of LangChain so. An item takes the place of its message, unless that has calls beside it;
 * blocks become the content. All other texts, and those for whose values the budget has not enough left, stay texts (contract/decisions 57).
 */
export function readContents(properties: ObjectValue, budget: ValueBudget): void {
  readMessages(memberOf(properties, '$ai_input'), budget, (message) => message);
  const choices = memberOf(properties, '$ai_output_choices');
  readMessages(isObject(choices) ? memberOf(choices, 'choices') : choices, budget, messageOfChoice);
}

function messageOfChoice(choice: ObjectValue): ObjectValue {
  const message = memberOf(choice, 'message');
  return isObject(message) && !isEmptyObject(message) ? message : choice;
}

function readMessages(messages: unknown, budget: ValueBudget, messageOf: (entry: ObjectValue) => ObjectValue): void {
  if (!Array.isArray(messages)) return;
  for (const [index, entry] of messages.entries()) {
    if (!isObject(entry)) continue;
    const message = messageOf(entry);
    const content = memberOf(message, 'content');
    if (typeof content !== 'string' || typeof memberOf(message, 'role') !== 'string' || !mayBeTyped(content)) continue;
    const typed = budget.take(content) ? typedContentOf(parseJsonText(content)) : null;
    if (typed === null) continue;
    if ('blocks' in typed) setMember(message, 'content', typed.blocks);
    else if (!isTruthy(memberOf(message, 'tool_calls'))) messages[index] = typed.item;
  }
}

/** False for texts that are surely no item or blocks: these are not parsed, and cost nothing of the budget. */
function mayBeTyped(text: string): boolean {
  return /^[ \t\n\r]*(?:\[[ \t\n\r]*)?\{/.test(text) && text.includes('"type"');
}

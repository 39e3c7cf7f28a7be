import type { Static, TObject } from 'typebox';
import { Clean } from 'typebox/value';
import { AppError } from '@millrace/http/errors/errors.ts';
import { validator } from '@millrace/http/validator.ts';
import { LanguageModelError, type ModelReply } from './language-model.ts';

/** Figures of a chat completion, as far as its server gives them. */
export interface CompletionSize {
  replyChars?: number;
  promptTokens?: number;
  completionTokens?: number;
}

/**
 * The text of a chat completion: of its first choice. Pure.
 * @throws {LanguageModelError} failed: it is no chat completion, it is a refusal, or it has no text
 */
export function textOfCompletion(completion: unknown): string {
  const choice = itemOf(fieldOf(completion, 'choices'));
  const message = fieldOf(choice, 'message');
  if (typeof message !== 'object' || message === null)
    throw new LanguageModelError('failed', 'The language model gave no chat completion.');
  if (isText(fieldOf(message, 'refusal')) || fieldOf(choice, 'finish_reason') === 'content_filter')
    throw new LanguageModelError('failed', 'The language model refused the request.');
  const content = fieldOf(message, 'content');
  if (!isText(content)) throw new LanguageModelError('failed', 'The reply of the language model was empty.');
  return content;
}

/** Its sizes, for a log. Pure; never throws. */
export function sizeOfCompletion(completion: unknown): CompletionSize {
  const content = fieldOf(fieldOf(itemOf(fieldOf(completion, 'choices')), 'message'), 'content');
  const usage = fieldOf(completion, 'usage');
  const sizes = {
    replyChars: typeof content === 'string' ? content.length : undefined,
    promptTokens: fieldOf(usage, 'prompt_tokens'),
    completionTokens: fieldOf(usage, 'completion_tokens'),
  };
  return Object.fromEntries(Object.entries(sizes).filter(([, size]) => Number.isSafeInteger(size)));
}

/** The object that a reply's text is. Fields that the schema does not name are removed, at any depth. Pure. */
export function readReply<Schema extends TObject>(text: string, schema: Schema): ModelReply<Schema> {
  const parsed = parse(withoutFence(text.trim()));
  if (parsed === undefined) return { ok: false, problem: 'The reply was no JSON.' };
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    return { ok: false, problem: 'The reply was not one JSON object.' };
  const value = Clean(schema, parsed);
  try {
    validator(schema)(value);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { ok: false, problem: `The field ${error.details.attr} of the reply was missing, or had another form.` };
  }
  return { ok: true, value: value as Static<Schema> };
}

// Servers that know no formats let the model write Markdown.
function withoutFence(text: string): string {
  const end = text.indexOf('\n');
  const isFenced = end > 0 && text.startsWith('```') && text.endsWith('\n```');
  return isFenced ? text.slice(end + 1, -'\n```'.length) : text;
}

/** Undefined for what is no JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

const itemOf = (value: unknown): unknown => (Array.isArray(value) ? (value as unknown[])[0] : undefined);
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

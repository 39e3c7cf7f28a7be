import { Number as NumberType, String as StringType, Union } from 'typebox';
import { AppError } from '@millrace/http/errors/errors.ts';

interface TextOptions {
  description?: string;
  examples: readonly string[];
}

/** Schema of a text in a body: a number counts as its digits (contract/llm-surveys 1.1). `readText` has the other rules. */
export function textField({ examples, ...options }: TextOptions) {
  return Union([StringType({ minLength: 1 }), NumberType()], { ...options, examples: [...examples] });
}

/**
 * The text of a field, trimmed. Pure.
 * @throws {AppError} blank: nothing is left; max_length: more than `lengthMax` code points are
 */
export function readText(attr: string, value: string | number, lengthMax: number): string {
  const text = trimmed(value);
  if (text === '') throw new AppError('blank', { attr });
  if ([...text].length > lengthMax)
    throw new AppError('max_length', { attr, detail: `Ensure this field has no more than ${lengthMax} characters.` });
  return text;
}

/** The text that a value counts as. Pure. */
export const trimmed = (value: string | number): string => String(value).trim();

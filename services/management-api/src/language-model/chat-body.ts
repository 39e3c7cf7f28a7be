import type { ChatCompletionCreateParamsNonStreaming } from 'openai/resources/chat/completions';
import type { ReplyRequest } from './language-model.ts';
import type { TObject } from 'typebox';

/** How a server is told to reply with an object. Every server takes the second, whose schema stands in the system message. */
export type ReplyFormat = 'json_schema' | 'json_object';

/** The body of a chat completion. Pure. */
export function chatBody(
  model: string,
  { system, user, schema }: Pick<ReplyRequest<TObject>, 'system' | 'user' | 'schema'>,
  format: ReplyFormat,
): ChatCompletionCreateParamsNonStreaming {
  // A strict schema takes no other fields.
  const closed = { ...schema, additionalProperties: false };
  const isStrict = format === 'json_schema';
  return {
    model,
    messages: [
      { role: 'system', content: isStrict ? system : `${system}\n\n${schemaInWords(closed)}` },
      { role: 'user', content: user },
    ],
    response_format: isStrict
      ? { type: 'json_schema', json_schema: { name: 'reply', strict: true, schema: closed } }
      : { type: 'json_object' },
  };
}

const schemaInWords = (schema: object): string =>
  `Reply with one JSON object of this JSON schema, and nothing else:\n${JSON.stringify(schema)}`;

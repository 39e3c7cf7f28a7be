import { Boolean, Enum, Object as ObjectType, Optional, String as StringType, type Static } from 'typebox';
import { nullable } from '@millrace/http/nullable.ts';
import { textField } from '../fields/text-field.ts';

/** Body of a request for a translation (contract/llm-surveys 7). */
export const TranslationBody = ObjectType(
  {
    text: textField({
      description: 'The text, of at most 10,000 characters.',
      examples: ['Bitte stornieren Sie meine Bestellung noch vor morgen früh.'],
    }),
    target_language: Optional(
      textField({ description: 'Code of a language, of at most 10 characters. Default: `en`.', examples: ['en'] }),
    ),
  },
  { title: 'TranslationRequest' },
);

/** The reply. */
export const Translation = ObjectType(
  {
    translation: StringType({
      description: 'The translation; without a language model the text as it is.',
      examples: ['Bitte stornieren Sie meine Bestellung noch vor morgen früh.'],
    }),
    detected_language: nullable(
      StringType({ description: 'Code of the language that the text seems to be in.', examples: ['de'] }),
    ),
    provider: Enum(['openai', 'builtin'], {
      description: '`openai`: the language model of the settings. `builtin`: there is none.',
      examples: ['builtin'],
    }),
    translated: Boolean({ description: 'False when no model translated the text.', examples: [false] }),
  },
  { title: 'Translation' },
);
export type Translation = Static<typeof Translation>;

import { AppError } from '@millrace/http/errors/errors.ts';
import { LanguageModelError } from '../../../language-model/language-model.ts';
import { projectRoute } from '../context.ts';
import { readText } from '../fields/text-field.ts';
import { requireProjectConsent } from '../require-project-consent.ts';
import { detectLanguage } from './detect-language.ts';
import { translateByModel } from './translate-by-model.ts';
import { Translation, TranslationBody } from './translation.ts';

/** Longest fields of the body, in characters. */
const textLengthMax = 10_000;
const languageLengthMax = 10;

export const createTranslation = projectRoute({
  operationId: 'create_translation',
  method: 'post',
  path: '/api/projects/:project_id/llm_analytics/translate',
  access: { scope: 'llm_analytics:write' },
  throttle: 'translation',
  tag: 'LLM analytics',
  summary: 'Translate a text',
  description:
    'Needs the consent of the organization to AI data processing. Without a language model the reply is the text as it is, and `translated` is false.',
  body: TranslationBody,
  responses: { 200: Translation },
  errors: ['translation_error', 'translation_timeout'],
  find: ({ context, auth: { project } }) => requireProjectConsent(context, project, 'translation'),
  async handler({ context, auth: { caller, project }, body, signal }): Promise<Translation> {
    const text = readText('text', body.text, textLengthMax);
    const language = readText('target_language', body.target_language ?? 'en', languageLengthMax);
    const { languageModel } = context;
    if (!languageModel.isConfigured)
      return { translation: text, detected_language: detectLanguage(text), provider: 'builtin', translated: false };
    try {
      return await languageModel.task({ projectId: project.id, userId: caller.userId }, (ask) =>
        translateByModel(ask, { text, language, signal }),
      );
    } catch (error) {
      if (!(error instanceof LanguageModelError)) throw error;
      throw new AppError(error.timedOut ? 'translation_timeout' : 'translation_error', { cause: error });
    }
  },
});

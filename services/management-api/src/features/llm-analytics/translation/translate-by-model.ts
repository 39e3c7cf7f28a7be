import { LanguageModelError, type AskModel } from '../../../language-model/language-model.ts';
import type { Translation } from './translation.ts';
import { TranslationReply, translationSystemPrompt, translationUserPrompt } from './translation-prompt.ts';

/** Longest wait, second tries included. */
const timeoutMs = 45_000;

interface Task {
  text: string;
  language: string;
  signal: AbortSignal;
}

/** A translation by the language model. @throws {LanguageModelError} also when its reply has another form */
export async function translateByModel(ask: AskModel, { text, language, signal }: Task): Promise<Translation> {
  const reply = await ask({
    system: translationSystemPrompt,
    user: translationUserPrompt(text, language),
    schema: TranslationReply,
    timeoutMs,
    signal,
  });
  if (!reply.ok) throw new LanguageModelError('failed', reply.problem);
  const { translation, detected_language: detected } = reply.value;
  const isCode = detected !== null && /^[a-z]{2,3}(?:-[a-z\d]{2,8})?$/i.test(detected);
  return {
    translation: translation.toWellFormed().trim(),
    detected_language: isCode ? detected : null,
    provider: 'openai',
    translated: true,
  };
}

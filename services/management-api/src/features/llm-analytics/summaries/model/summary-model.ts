import type { LanguageModelConfig } from '../../../../language-model/language-model-settings.ts';

/** Context windows in tokens (contract/llm-surveys 6.3). */
const windows: ReadonlyMap<string, number> = new Map([
  ['gpt-4.1-nano', 1_047_576],
  ['gpt-4.1-mini', 1_047_576],
  ['gpt-4o', 128_000],
  ['gpt-4o-mini', 128_000],
  ['gpt-5-mini', 400_000],
]);
const smallest = Math.min(...windows.values());
/** Room for the task and the reply. */
const reserved = 20_000;
const lengthMaxWithoutModel = 2_000_000;

/**
 * Longest text of a summary in characters, of which each is a token at worst (contract/decisions 59). `contextTokens`: the model's window
 * by the settings; 0: they do not name it.
 */
function textLengthMax(model: string | null, contextTokens: number): number {
  if (model === null) return lengthMaxWithoutModel;
  return Math.max(1000, (contextTokens || (windows.get(model) ?? smallest)) - reserved);
}

/** The model of summaries, by the settings. */
export function summaryModelOf({
  baseUrl,
  model,
  contextTokens,
}: Pick<LanguageModelConfig, 'baseUrl' | 'model' | 'contextTokens'>) {
  const name = baseUrl === '' ? null : model;
  return { name, textLengthMax: textLengthMax(name, contextTokens) };
}

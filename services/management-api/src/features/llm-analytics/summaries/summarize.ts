import type { LanguageModel, ModelUser } from '../../../language-model/language-model.ts';
import { refuseTooLarge } from '../text-repr/refuse-too-large.ts';
import { summarizeBuiltIn } from './builtin/summarize.ts';
import { summarizeByModel } from './model/summarize-by-model.ts';
import { isNothing, renderSource, type SummarySource } from './source.ts';
import type { Summary, SummaryMode } from './summary.ts';

/** Everything that can be told without a language model. */
export interface PreparedSummary {
  readonly type: SummarySource['type'];
  readonly mode: SummaryMode;
  /** The text as JSON in UTF-8: 2,000,000 characters take 40 ms to be written and encoded, of the thread that makes them. */
  readonly textJson: Uint8Array<ArrayBuffer>;
  /** Number of lines, those that a sample leaves out included. */
  readonly lineCount: number;
  readonly isSampled: boolean;
  /** In code points. */
  readonly textLength: number;
  readonly summary: Summary;
  /** True when there is nothing that a model could summarize. */
  readonly isNothing: boolean;
  readonly eventsOmitted: number;
  /** Words of users about a stored trace; not in the text. */
  readonly feedback: readonly string[];
}

/** The text of data and its summary without a model: everything that takes time of the processor. Pure. @throws {AppError} 413 */
export function prepareSummary(source: SummarySource, mode: SummaryMode, textLengthMax: number): PreparedSummary {
  return refuseTooLarge('data', () => {
    const rendered = renderSource(source, textLengthMax);
    const nothing = isNothing(source);
    return {
      type: source.type,
      mode,
      textJson: new TextEncoder().encode(JSON.stringify(rendered.text)),
      textLength: rendered.charCount,
      lineCount: rendered.lineCount,
      isSampled: rendered.truncated,
      summary: nothing ? nothingOf(source.type) : summarizeBuiltIn(source, rendered, mode),
      isNothing: nothing,
      eventsOmitted: source.type === 'trace' ? source.eventsOmitted : 0,
      feedback: (source.type === 'trace' && source.feedback) || [],
    };
  });
}

interface Asking {
  model: LanguageModel;
  modelName: string | null;
  user: ModelUser;
  signal: AbortSignal;
}

/**
 * The summary by the model of the settings, else the one that was prepared (contract/decisions 68).
 * @throws {LanguageModelError}
 * @throws {AppError} throttled
 */
export async function finishSummary(
  prepared: PreparedSummary,
  { model, modelName, user, signal }: Asking,
): Promise<{ summary: Summary; model: string }> {
  const { summary, isNothing } = prepared;
  if (isNothing || modelName === null) return { summary, model: 'builtin' };
  const { type, mode, lineCount, isSampled, feedback, textJson } = prepared;
  const text = JSON.parse(new TextDecoder().decode(textJson)) as string;
  const task = { type, mode, text, lineCount, isSampled, feedback, builtin: summary, signal };
  const made = await model.task(user, (ask) => summarizeByModel(ask, task));
  return { summary: made, model: modelName };
}

/** The one summary with fewer than three bullets, and with a bullet that refers to nothing. */
function nothingOf(type: SummarySource['type']): Summary {
  const title = `Nothing to summarize in this ${type}`;
  return {
    title,
    flow_diagram: '',
    summary_bullets: [{ text: `${title}: it has no content.`, line_refs: '' }],
    interesting_notes: [],
  };
}

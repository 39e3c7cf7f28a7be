import { LanguageModelError, type LanguageModel } from '../../../../language-model/language-model.ts';
import type { SummarySource } from '../source.ts';
import type { Summary, SummaryMode } from '../summary.ts';
import { readSummary } from './read-summary.ts';
import { SummaryReply, summarySystemPrompt, summaryUserPrompt } from './summary-prompt.ts';

interface Task {
  type: SummarySource['type'];
  mode: SummaryMode;
  text: string;
  lineCount: number;
  builtin: Summary;
  signal: AbortSignal;
}

/** Longest wait, second tries included. */
const timeoutMs = 120_000;

/** A summary by the language model. @throws {LanguageModelError} also when its reply has another form, or too few bullets that hold */
export async function summarizeByModel(model: LanguageModel, task: Task): Promise<Summary> {
  const { type, mode, text, lineCount, builtin, signal } = task;
  const reply = await model.reply({
    system: summarySystemPrompt(type, mode),
    user: summaryUserPrompt(text),
    schema: SummaryReply,
    timeoutMs,
    signal,
  });
  if (!reply.ok) throw new LanguageModelError('failed', reply.problem);
  const summary = readSummary(reply.value, { lineCount, mode, builtin });
  if (summary === null)
    throw new LanguageModelError('failed', 'Fewer than three bullets of the reply had lines of the text.');
  return summary;
}

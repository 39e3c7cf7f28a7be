import { LanguageModelError, type AskModel } from '../../../../language-model/language-model.ts';
import type { SummarySource } from '../source.ts';
import type { Summary, SummaryMode } from '../summary.ts';
import { readSummary } from './read-summary.ts';
import { shownLines, type NumberedText } from './shown-lines.ts';
import { SummaryReply, summarySystemPrompt, summaryUserPrompt } from './summary-prompt.ts';

interface Task extends NumberedText {
  type: SummarySource['type'];
  mode: SummaryMode;
  /** Words of users about a stored trace. */
  feedback: readonly string[];
  builtin: Summary;
  signal: AbortSignal;
}

/** Longest wait, second tries included. */
const timeoutMs = 120_000;

/** A summary by the language model. @throws {LanguageModelError} also when its reply has another form, or too few bullets that hold */
export async function summarizeByModel(ask: AskModel, task: Task): Promise<Summary> {
  const { type, mode, text, feedback, builtin, signal } = task;
  const reply = await ask({
    system: summarySystemPrompt(type, mode),
    user: summaryUserPrompt(text, feedback),
    schema: SummaryReply,
    timeoutMs,
    signal,
  });
  if (!reply.ok) throw new LanguageModelError('failed', reply.problem);
  const summary = readSummary(reply.value, { hasLine: shownLines(task), mode, builtin });
  if (summary === null)
    throw new LanguageModelError('failed', 'Fewer than three bullets of the reply had lines of the text.');
  return summary;
}

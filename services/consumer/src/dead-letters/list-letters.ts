import type { LogView } from '@millrace/event-log/log-view.ts';
import { matches, type LetterFilter } from './letter-filter.ts';
import { readLetters } from './read-letters.ts';
import { summarize, type LetterSummary } from './show-letter.ts';

export interface LetterList {
  /** All that match. */
  count: number;
  /** Counts of the matching letters, by reason. */
  reasons: Record<string, number>;
  /** The newest of them, newest first. */
  letters: LetterSummary[];
}

/** However many there are, only about twice `limit` are in memory. */
export async function listLetters(
  view: LogView,
  filter: LetterFilter,
  limit: number,
  onUnreadable: (id: string) => void,
): Promise<LetterList> {
  const reasons: Record<string, number> = {};
  let count = 0;
  let newest: LetterSummary[] = [];
  for await (const found of readLetters(view, onUnreadable)) {
    if (!matches(found, filter)) continue;
    count += 1;
    reasons[found.letter.reason] = (reasons[found.letter.reason] ?? 0) + 1;
    newest.push(summarize(found));
    if (newest.length > 2 * limit + 100) newest = newestOf(newest, limit);
  }
  return { count, reasons, letters: newestOf(newest, limit) };
}

function newestOf(letters: LetterSummary[], limit: number): LetterSummary[] {
  return letters.sort((a, b) => (a.failedAt < b.failedAt ? 1 : a.failedAt > b.failedAt ? -1 : 0)).slice(0, limit);
}

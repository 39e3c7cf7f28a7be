import { createReviewCase } from './create-review.ts';
import { findTraceCase } from './find-trace.ts';
import type { LlmCase } from './llm-case.ts';
import { longestTurnCase } from './longest-turn.ts';
import { renderTextCase } from './render-text.ts';
import { reviewListsCase } from './review-lists.ts';

/** Everything that `npm run bench -- llm` measures, in this order. A new case is a file of its own and a line here. */
export const llmCases: readonly LlmCase[] = [
  renderTextCase,
  longestTurnCase,
  findTraceCase,
  createReviewCase,
  reviewListsCase,
];

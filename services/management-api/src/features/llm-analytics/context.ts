import { routesWith, type Context as CommonContext } from '../../context.ts';
import type { RunPrepared } from '../../database/prepared-statements.ts';
import type { RenderThreads } from './threads/render-threads.ts';

/** Parts of this feature, beside those of all. */
export interface Context extends CommonContext {
  /** Threads that make texts of large data. */
  renderThreads: RenderThreads;
  /** The model that makes summaries, by the name of the settings (null: there is none), and the longest text that it reads, in characters. */
  summaryModel: { readonly name: string | null; readonly textLengthMax: number };
  /** Statements of calls that reviewers wait for. */
  runPrepared: RunPrepared;
}

export const { projectRoute, publicRoute } = routesWith<Context>();

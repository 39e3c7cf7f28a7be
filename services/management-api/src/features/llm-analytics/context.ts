import { routesWith, type Context as CommonContext } from '../../context.ts';
import type { RenderThreads } from './text-repr/threads/render-threads.ts';

/** Parts of this feature, beside those of all. */
export interface Context extends CommonContext {
  /** Threads that make texts of large data. */
  renderThreads: RenderThreads;
}

export const { projectRoute } = routesWith<Context>();

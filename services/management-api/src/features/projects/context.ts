import { routesWith, type Context as CommonContext } from '../../context.ts';
import type { IngestedEvents } from './ingested-events.ts';

/** Parts of this feature, beside those of all. */
export interface Context extends CommonContext {
  ingestedEvents: IngestedEvents;
  /** Default of the most projects of an organization. */
  projectsPerOrganizationMax: number;
}

export const { projectRoute, organizationRoute } = routesWith<Context>();

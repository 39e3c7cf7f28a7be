import { routesWith, type Context as CommonContext } from '../../context.ts';
import type { IngestedEvents } from './ingested-events.ts';

/** Parts of this feature, beside those of all. */
export interface Context extends CommonContext {
  ingestedEvents: IngestedEvents;
  /** Most projects of an organization of which nothing else is said. */
  projectsPerOrganizationMax: number;
}

export const { projectRoute, organizationRoute } = routesWith<Context>();

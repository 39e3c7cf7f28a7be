import { routesWith, type Context as CommonContext } from '../../context.ts';
import type { IntegrationProvider } from './provider.ts';

/** Parts of this feature, beside those of all. */
export interface Context extends CommonContext {
  /** Whoever is at the other end of what is connected to organizations. */
  integrations: IntegrationProvider;
}

export const { organizationRoute } = routesWith<Context>();

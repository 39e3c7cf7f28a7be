import type { ObjectStorage } from '@millrace/object-storage/object-storage.ts';
import { routesWith, type Context as CommonContext } from '../../context.ts';
import type { Alerts } from './alerts/alert-parts.ts';

/** Parts of this feature, beside those of all. */
export interface Context extends CommonContext {
  /** Files of symbol sets. Undefined: none is configured. */
  storage: ObjectStorage | undefined;
  alerts: Alerts;
}

export const { projectRoute } = routesWith<Context>();

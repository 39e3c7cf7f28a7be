import type { Request } from 'express';
import { routesWith, type Context as CommonContext } from '../../context.ts';
import type { Reference } from './reference-files.ts';

/** Parts of this feature, beside those of all. */
export interface Context extends CommonContext {
  /** The OpenAPI document of all routes, as the pieces of its JSON. */
  apiDocument: (request: Request) => readonly Uint8Array[];
  /** The page that shows it. */
  reference: Reference;
}

export const { publicRoute } = routesWith<Context>();

import { routesWith, type Context as CommonContext } from '../../context.ts';

/** Parts of this feature, beside those of all. */
export interface Context extends CommonContext {
  /** Lifetime of an invite. */
  inviteLifeMs: number;
  /** Start of links in mails. It is never taken from a request, because the sender of a request is not the reader of the mail. */
  linkBase: () => string;
}

export const { organizationRoute, userRoute, publicRoute } = routesWith<Context>();

import { routesWith, type Context as CommonContext } from '../../context.ts';

/** Parts of this feature, beside those of all. */
export interface Context extends CommonContext {
  /** How long an invite can be accepted. */
  inviteLifeMs: number;
  /** The beginning of links in mails: never what a request says of itself, since its sender is not who reads the mail. */
  linkBase: () => string;
}

export const { organizationRoute, userRoute, publicRoute } = routesWith<Context>();

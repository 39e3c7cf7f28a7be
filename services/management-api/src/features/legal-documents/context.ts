import type { ObjectStorage } from '@millrace/object-storage/object-storage.ts';
import { routesWith, type Context as CommonContext } from '../../context.ts';
import type { LegalTexts } from './legal-text.ts';
import type { SigningProvider } from './signing.ts';

/** Parts of this feature, beside those of all. */
export interface Context extends CommonContext {
  /** Contracts that organizations can have signed, and the provider that has them signed. */
  legal: { signing: SigningProvider; texts: LegalTexts; operatorName: string; isBaaAllowed: boolean };
  /** Undefined: none is configured. */
  storage: ObjectStorage | undefined;
}

export const { organizationRoute, publicRoute } = routesWith<Context>();

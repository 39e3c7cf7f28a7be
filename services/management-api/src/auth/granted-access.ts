import type { Caller, Organization, Project } from './caller.ts';
import type { RunToken } from './run-token-store.ts';

/** The caller and the project of a call, as its handler knows them. */
export interface ProjectAccess {
  caller: Caller;
  project: Project;
  /** The caller's membership level in the project's organization; at least 8 for an administrator of a private project. */
  level: number;
  /** The call was made with it, and not with a key; only where the route takes run tokens. */
  runToken?: RunToken;
}

/** The caller and the organization of a call, as its handler knows them. */
export interface OrganizationAccess {
  caller: Caller;
  organization: Organization;
  /** The caller's membership level there. */
  level: number;
}

/** The caller of a call that is about themselves, as its handler knows them. */
export interface UserAccess {
  caller: Caller;
}

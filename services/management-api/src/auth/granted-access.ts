import type { Caller, Organization, Project } from './caller.ts';
import type { RunToken } from './run-token-store.ts';

/** What a handler of a project's route knows about its call. */
export interface ProjectAccess {
  caller: Caller;
  project: Project;
  /** The caller's membership level in the project's organization; at least 8 for whoever administers a private project. */
  level: number;
  /** The call was made with it, and not with a key; only where the route takes run tokens. */
  runToken?: RunToken;
}

/** What a handler of an organization's route knows about its call. */
export interface OrganizationAccess {
  caller: Caller;
  organization: Organization;
  /** The caller's membership level there. */
  level: number;
}

/** What a handler of a route about the caller knows. */
export interface UserAccess {
  caller: Caller;
}

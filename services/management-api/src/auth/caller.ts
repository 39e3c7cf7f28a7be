/** The caller: a key and the user it acts as. */
export interface Caller {
  keyId: string;
  /** Hash of the key's value, by which it was found. */
  keyHash: string;
  userId: number;
  userUuid: string;
  scopes: readonly string[];
  /** Projects the key is limited to; empty: not limited. */
  scopedProjects: readonly number[];
  /** Organizations the key is limited to; empty: not limited. */
  scopedOrganizations: readonly string[];
  /** From then on the key is worth nothing; null: never. */
  expiresAtMs: number | null;
  currentProjectId: number | null;
  currentOrganizationId: string | null;
  /** The user's membership level by organization id. */
  levels: Readonly<Record<string, number>>;
}

export interface Project {
  id: number;
  organizationId: string;
  timezone: string;
  /** Whether it is private: visible only to administrators of its organization and to members with a grant. */
  isPrivate: boolean;
  /** The role in which the caller was let in; null: they were not. */
  callerIs: 'member' | 'admin' | null;
}

export interface Organization {
  id: string;
}

export interface FoundCaller {
  caller: Caller;
  /** When the key was last used, as far as it is recorded. */
  lastUsedAtMs: number | null;
  /** The project of the path, of any owner; null: it does not exist, or the path names none. */
  project: Project | null;
  /** The organization of the path, with any members; null: it does not exist, or the path names none. */
  organization: Organization | null;
}

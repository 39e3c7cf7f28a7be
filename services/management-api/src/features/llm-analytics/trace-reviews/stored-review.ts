import type { StoredUser } from '../../../accounts/user-summary.ts';

/** A score with its definition as it is now, and the version that it was made with. Times are ISO texts. */
export interface StoredScore {
  id: string;
  definitionId: string;
  definitionName: string;
  definitionKind: string;
  definitionArchived: boolean;
  versionId: string;
  version: number;
  config: Record<string, unknown>;
  categoricalValues: string[] | null;
  /** With six decimals. */
  numericValue: string | null;
  booleanValue: boolean | null;
  createdAt: string;
  updatedAt: string;
}

/** A live review with its scores, by the name of their definition and then by id. */
export interface StoredReview {
  id: string;
  projectId: number;
  traceId: string;
  comment: string | null;
  createdAt: Date;
  updatedAt: Date;
  /** Null: the user is gone. */
  createdBy: StoredUser | null;
  reviewedBy: StoredUser | null;
  scores: StoredScore[];
}

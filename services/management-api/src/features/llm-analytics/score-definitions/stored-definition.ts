import type { StoredUser } from '../../../accounts/user-summary.ts';
import type { ScoreKind } from './config/score-config.ts';

/** A definition with its current version and its maker, as of one moment. */
export interface StoredDefinition {
  id: string;
  projectId: number;
  name: string;
  /** Empty: there is none. */
  shortName: string;
  description: string;
  kind: ScoreKind;
  archived: boolean;
  tags: string[];
  currentVersion: number;
  currentVersionId: string;
  config: Record<string, unknown>;
  createdAt: Date;
  updatedAt: Date;
  /** Null: the user is gone. */
  createdBy: StoredUser | null;
}

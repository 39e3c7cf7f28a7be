import type { StoredUser } from '../../../accounts/user-summary.ts';

/** A live item with its queue and its maker, as of one moment. */
export interface StoredItem {
  id: string;
  projectId: number;
  queueId: string;
  queueName: string;
  traceId: string;
  createdAt: Date;
  updatedAt: Date;
  /** Null: the user is gone. */
  createdBy: StoredUser | null;
}

import type { StoredUser } from '../../../accounts/user-summary.ts';

/** A live queue with its maker and the number of its live items, as of one moment. */
export interface StoredQueue {
  id: string;
  projectId: number;
  name: string;
  pendingItemCount: number;
  createdAt: Date;
  updatedAt: Date;
  /** Null: the user is gone. */
  createdBy: StoredUser | null;
}

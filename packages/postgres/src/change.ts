import type { ChangeTopic } from '@millrace/contracts/change-topics.ts';

/** A committed change. It names the changed object, not the new values: readers look those up. */
export interface Change {
  topic: ChangeTopic;
  projectId: number | null;
  /**
   * A project's old and new token (also one that was rotated away), a quota's resource, the id of a key, restriction or endpoint;
   * `owner:group type index:name` of properties whose type a member opened again; refs of symbol sets whose file or release changed, none
   * when they were too many to name; of users, memberships (whose members they are) and
   * organizations the ids of all that one statement changed, none when they were too many to name.
   */
  keys: readonly string[];
}

/** Changes in the order in which they were made, or `everything` when some may have been missed. */
export type ChangeBatch = readonly Change[] | 'everything';

/** The field `msg` of capture's log lines about dropped events, by which `npm start` finds them. */
export const droppedMessage = 'events were dropped';

/** The other fields of such a line. */
export interface DropLine {
  reason: string;
  events: number;
  /** Null: the token's project is not known. `others`: projects without a line of their own. */
  project: number | null | 'others';
  /** A sentence for the sender. */
  detail?: string | undefined;
}

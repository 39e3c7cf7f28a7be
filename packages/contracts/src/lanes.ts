/** The lanes of the event log: separate queues, so that a backlog in one does not hold up the others (docs/operations.md: which is served first). */
export const lanes = ['main', 'overflow', 'historical', 'exceptions', 'warnings', 'dead-letter'] as const;

export type Lane = (typeof lanes)[number];

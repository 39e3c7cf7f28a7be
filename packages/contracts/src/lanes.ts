/** The lanes of the event log (architecture: event log). Events of one lane never wait for those of another. */
export const lanes = ['main', 'overflow', 'historical', 'exceptions', 'warnings', 'dead-letter'] as const;

export type Lane = (typeof lanes)[number];

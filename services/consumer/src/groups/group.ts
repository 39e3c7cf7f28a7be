import type { PersonProperties } from '../persons/person.ts';

/** Names a group of a project. */
export interface GroupKey {
  teamId: number;
  index: number;
  key: string;
}

/** A group at one version. */
export interface GroupState extends GroupKey {
  properties: PersonProperties;
  /** UTC, `YYYY-MM-DDTHH:MM:SS.ffffffZ`. */
  createdAt: string;
  updatedAt: string;
  version: number;
}

/** A text that is equal for equal keys. */
export function groupText({ teamId, index, key }: GroupKey): string {
  return `${teamId}:${index}:${key}`;
}

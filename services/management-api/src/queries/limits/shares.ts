import { AppError } from '@millrace/http/errors/errors.ts';

/** For whom something runs. */
export interface QueryOwner {
  projectId: number;
  /** Organization of the project; undefined: nobody's. */
  organizationId?: string | undefined;
  /** The key, or the run token, of the caller; undefined: none. */
  keyId?: string | undefined;
}

/** How much may run at a time. */
export interface ConcurrencyLimits {
  max: number;
  /** Slots of one organization: many projects get no more than one. */
  perOrganizationMax: number;
  perProjectMax: number;
  /** Slots of one key in one project, so that no key takes all slots of its project. */
  perKeyMax: number;
}

/** Names of what is counted, as callers read them. */
export type Counted = 'queries' | 'streams';

/** Something that slots are counted of, and the error for a caller who finds none left. */
export interface Share {
  name: string;
  max: number;
  /** Counts what one key runs: other keys may find room. */
  isOfKey: boolean;
  refusal: (running: number) => AppError;
}

class KeyShareFullError extends AppError {}

/** Whether somebody was refused for what their own key runs: other keys have slots of their own, while a full project or engine refuses all alike. */
export const isKeyShareFull = (error: unknown): boolean => error instanceof KeyShareFullError;

/** Streams have limits of their own: their sentence says what counts as one. */
const namesOf: Readonly<Record<Counted, string>> = { queries: 'queries', streams: 'streams (csv, ndjson)' };

/** The limits that a slot of this owner counts against, in the order in which errors name them: the owner's own before everybody's. Pure. */
export function sharesOf(
  { projectId, organizationId, keyId }: QueryOwner,
  { max, perOrganizationMax, perProjectMax, perKeyMax }: ConcurrencyLimits,
  counted: Counted,
): Share[] {
  const throttled =
    (who: string, Refusal = AppError) =>
    (running: number) =>
      new Refusal('throttled', {
        detail: `This ${who} runs ${running} ${namesOf[counted]} already. Try again when one has ended.`,
        retryAfterS: 1,
      });
  const shares: Share[] = [
    { name: `project:${projectId}`, max: perProjectMax, isOfKey: false, refusal: throttled('project') },
  ];
  if (keyId !== undefined)
    shares.push({
      name: `key:${projectId}:${keyId}`,
      max: perKeyMax,
      isOfKey: true,
      refusal: throttled('key', KeyShareFullError),
    });
  if (organizationId !== undefined)
    shares.push({
      name: `organization:${organizationId}`,
      max: perOrganizationMax,
      isOfKey: false,
      refusal: throttled('organization'),
    });
  shares.push({ name: 'all', max, isOfKey: false, refusal: () => new AppError('query_capacity', { retryAfterS: 2 }) });
  return shares;
}

/** Owners between whom turns are shared out fairly, from the widest to the narrowest: as many of each query. Pure. */
export function ownersOf({ projectId, organizationId, keyId }: QueryOwner): string[] {
  const project = `project:${projectId}`;
  return [
    organizationId === undefined ? project : `organization:${organizationId}`,
    project,
    keyId === undefined ? project : `key:${projectId}:${keyId}`,
  ];
}

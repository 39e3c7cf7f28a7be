import { AppError } from '@millrace/http/errors/errors.ts';

/** The project, organization and key that a query counts for. */
export interface QueryOwner {
  projectId: number;
  /** Organization of the project; undefined: the project has none. */
  organizationId?: string | undefined;
  /** Key or run token of the caller; undefined: the caller has none. */
  keyId?: string | undefined;
}

/** Queries, streams or reads of tables that may run at a time. */
export interface ConcurrencyLimits {
  max: number;
  /** Slots of all projects of one organization. */
  perOrganizationMax: number;
  perProjectMax: number;
  /** Slots of one key in one project, so that no key takes all slots of its project. */
  perKeyMax: number;
}

/** Kinds of slots, as error messages name them. */
export type Counted = 'queries' | 'streams' | 'tables';

/** One limit, and the error of a caller that exceeds it. */
export interface Share {
  name: string;
  max: number;
  /** The limit of one key: other keys may have free slots. */
  isOfKey: boolean;
  errorOf: (running: number) => AppError;
}

class KeyShareFullError extends AppError {}

/** True when the limit of the caller's own key refused the query. Other keys have slots of their own; a full project or engine refuses all. */
export const isKeyShareFull = (error: unknown): boolean => error instanceof KeyShareFullError;

/** Each has its own limits, so the message says what counts. */
const namesOf: Readonly<Record<Counted, string>> = {
  queries: 'queries',
  streams: 'streams (csv, ndjson)',
  tables: 'runs that tables of materialized endpoints answer',
};

/** The limits that a slot of this owner counts against, in the order in which errors name them: narrow limits first. Pure. */
export function sharesOf(
  { projectId, organizationId, keyId }: QueryOwner,
  { max, perOrganizationMax, perProjectMax, perKeyMax }: ConcurrencyLimits,
  counted: Counted,
): Share[] {
  const throttled =
    (who: string, ErrorClass = AppError) =>
    (running: number) =>
      new ErrorClass('throttled', {
        detail: `This ${who} is already running ${running} ${namesOf[counted]}. Try again when one has ended.`,
        retryAfterS: 1,
      });
  const shares: Share[] = [
    { name: `project:${projectId}`, max: perProjectMax, isOfKey: false, errorOf: throttled('project') },
  ];
  if (keyId !== undefined)
    shares.push({
      name: `key:${projectId}:${keyId}`,
      max: perKeyMax,
      isOfKey: true,
      errorOf: throttled('key', KeyShareFullError),
    });
  if (organizationId !== undefined)
    shares.push({
      name: `organization:${organizationId}`,
      max: perOrganizationMax,
      isOfKey: false,
      errorOf: throttled('organization'),
    });
  shares.push({ name: 'all', max, isOfKey: false, errorOf: () => new AppError('query_capacity', { retryAfterS: 2 }) });
  return shares;
}

/** Owners that share slots fairly, from the widest to the narrowest. The list has the same length for every query. Pure. */
export function ownersOf({ projectId, organizationId, keyId }: QueryOwner): string[] {
  const project = `project:${projectId}`;
  return [
    organizationId === undefined ? project : `organization:${organizationId}`,
    project,
    keyId === undefined ? project : `key:${projectId}:${keyId}`,
  ];
}

import { AppError } from '@millrace/http/errors/errors.ts';
import { createCounts } from './counts.ts';

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

/** Work that holds a slot: until it has ended, and until all has that it says `keep` of. */
export type SlotWork<Result> = (keep: (until: Promise<unknown>) => void) => Promise<Result>;

export interface ConcurrencyLimiter {
  /** Runs the work while it holds one slot. @throws {AppError} throttled or query_capacity when none is free */
  run<Result>(owner: QueryOwner, work: SlotWork<Result>): Promise<Result>;
  /** Whether somebody was refused, within the last seconds, a slot that this owner's query would have got. One refusal is reported to one caller. */
  isWanted(owner: QueryOwner): Promise<boolean>;
}

/** So long a refusal counts as wanting a slot: who wants it still is refused again. */
export const wantedMs = 5_000;

class KeyShareFullError extends AppError {}

/** Whether somebody was refused for what their own key runs: other keys have slots of their own, while a full project or engine refuses all alike. */
export const isKeyShareFull = (error: unknown): boolean => error instanceof KeyShareFullError;

/** Something that slots are counted of, and what somebody is told who finds none left. */
interface Share {
  name: string;
  max: number;
  refusal: (running: number) => AppError;
}

/** The limits that a slot of this owner counts against, in the order in which errors name them: the owner's own before everybody's. Pure. */
export function sharesOf(
  { projectId, organizationId, keyId }: QueryOwner,
  { max, perOrganizationMax, perProjectMax, perKeyMax }: ConcurrencyLimits,
): Share[] {
  const throttled = (who: string, Refusal: typeof AppError) => (running: number) =>
    new Refusal('throttled', {
      detail: `This ${who} runs ${running} queries already. Try again when one has ended.`,
      retryAfterS: 1,
    });
  return [
    { name: `project:${projectId}`, max: perProjectMax, refusal: throttled('project', AppError) },
    ...(keyId === undefined
      ? []
      : [{ name: `key:${projectId}:${keyId}`, max: perKeyMax, refusal: throttled('key', KeyShareFullError) }]),
    ...(organizationId === undefined
      ? []
      : [
          {
            name: `organization:${organizationId}`,
            max: perOrganizationMax,
            refusal: throttled('organization', AppError),
          },
        ]),
    { name: 'all', max, refusal: () => new AppError('query_capacity', { retryAfterS: 2 }) },
  ];
}

/** Runs the work; `free` is called once, when nothing holds the slot any more. */
export async function holding<Result>(work: SlotWork<Result>, free: () => void): Promise<Result> {
  const kept: Promise<unknown>[] = [];
  try {
    return await work((until) => void kept.push(until));
  } finally {
    if (kept.length === 0) free();
    else void Promise.allSettled(kept).then(free);
  }
}

/**
 * Bounds the queries of this process that run at a time: an organization, a project or a key that has its own share running is told
 * 429, and when the engine's share is full everybody is told 503 (contract/decisions 17). Nobody waits in line.
 */
export function createConcurrencyLimiter(limits: ConcurrencyLimits): ConcurrencyLimiter {
  const running = createCounts<string>();
  /** Shares that somebody found full, until when that counts. */
  const wanted = new Map<string, number>();
  return {
    async run(owner, work) {
      const shares = sharesOf(owner, limits);
      for (const { name, max, refusal } of shares) {
        const taken = running.of(name);
        if (taken < max) continue;
        wanted.set(name, performance.now() + wantedMs);
        throw refusal(taken);
      }
      for (const { name } of shares) running.add(name);
      return await holding(work, () => {
        for (const { name } of shares) {
          running.remove(name);
          // Whoever comes next finds room: what is kept of refusals is bounded by what runs.
          wanted.delete(name);
        }
      });
    },
    isWanted(owner) {
      const now = performance.now();
      return Promise.resolve(
        sharesOf(owner, limits).some(({ name }) => {
          const untilMs = wanted.get(name);
          return untilMs !== undefined && wanted.delete(name) && now < untilMs;
        }),
      );
    },
  };
}

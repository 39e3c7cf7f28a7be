import { issueIdParts } from '@millrace/contracts/issues.ts';
import type { ChangeBatch } from '@millrace/postgres/change.ts';
import type { Clock } from '@millrace/runtime/clock.ts';
import { uuidV5 } from '@millrace/runtime/ids.ts';
import { LRUCache } from 'lru-cache';
import type { Queryable, Statement } from '../../database.ts';
import { createAllowances } from '../allowances.ts';

/** A place in the source, as alerts show it. */
export interface ThrownAt {
  function: string | null;
  file: string | null;
  line: number | null;
}

/** An exception as its issue and alerts show it. Times: UTC, as text. */
export interface SeenException {
  projectId: number;
  fingerprint: string;
  /** Version of the rule that made the fingerprint. */
  version: number;
  name: string | null;
  description: string | null;
  /** The frame of the application on top of the stack; null: none is. */
  frame: ThrownAt | null;
  /** Null: none is known. */
  release: { version: string; project: string } | null;
  happenedAt: string;
  receivedAt: string;
  /** False: nobody is alerted to an issue that it makes or reopens. Default true. */
  alerts?: boolean;
}

/** The issue of a fingerprint. */
export interface LinkedIssue {
  id: string;
  isSuppressed: boolean;
}

interface SeenIssues {
  /** By `fingerprintKey`. */
  issues: ReadonlyMap<string, LinkedIssue>;
  /** How many were made, and how many were resolved and are active again. */
  made: number;
  regressed: number;
}

/** The issues of all projects, in Postgres; what was read is kept. */
export interface IssueSource {
  /** Finds the issues of exceptions; makes those that are new, and reopens those that were resolved before. Throws what `pg` throws. */
  see(exceptions: readonly SeenException[]): Promise<SeenIssues>;
  onChange(changes: ChangeBatch): void;
}

/** One text for a fingerprint of a project. */
export const fingerprintKey = ({ projectId, fingerprint }: Pick<SeenException, 'projectId' | 'fingerprint'>): string =>
  `${projectId}:${fingerprint}`;

const issueIdOf = ({ projectId, fingerprint }: SeenException): string =>
  uuidV5(...issueIdParts(projectId, fingerprint));

/** Issues are believed so long if the change feed says nothing (contract/decisions 120). */
const maxAgeMs = 60_000;
const entriesMax = 50_000;
/**
 * New issues of a project: at once, and each second after that (contract/decisions 132). Exceptions beyond them have an id of an issue that is
 * made later, or never.
 */
const newAllowed = { atOnce: 10_000, perSecond: 1 };

interface Entry {
  projectId: number;
  issue: LinkedIssue;
  until: number;
}

interface FoundIssue {
  projectId: number;
  fingerprint: string;
  id: string;
  status: string;
  outcome: 'new' | 'regressed' | 'seen';
}

export function createIssueSource(db: Queryable, clock: Clock): IssueSource {
  const entries = new LRUCache<string, Entry>({ max: entriesMax });
  const allowances = createAllowances(clock, newAllowed);
  /** Changes that were told of: what was read before one of them is not kept. */
  let changesTold = 0;

  /** Exceptions of fingerprints that nothing is known of, one each; of a project as many make issues as it may. */
  function marked(unknown: readonly SeenException[]): (SeenException & { makes: boolean })[] {
    const left = new Map<number, number>();
    return unknown.map((one) => {
      const rows = left.get(one.projectId) ?? allowances.leftOf(one.projectId);
      left.set(one.projectId, rows - 1);
      return { ...one, makes: rows >= 1 };
    });
  }

  async function read(unknown: readonly SeenException[]): Promise<readonly FoundIssue[]> {
    const before = changesTold;
    const { rows } = await db.query<FoundIssue>(seeIssues(marked(unknown)));
    const until = clock.nowMs() + maxAgeMs;
    for (const { projectId, fingerprint, id, status, outcome } of rows) {
      if (outcome === 'new') allowances.take(projectId, 1);
      // A resolved one is asked for again: the next exception may make it active.
      if (status === 'resolved' || changesTold !== before) continue;
      const issue = { id, isSuppressed: status === 'suppressed' };
      entries.set(fingerprintKey({ projectId, fingerprint }), { projectId, issue, until });
    }
    return rows;
  }

  return {
    async see(exceptions) {
      const now = clock.nowMs();
      const issues = new Map<string, LinkedIssue>();
      const unknown: SeenException[] = [];
      for (const [key, one] of folded(exceptions)) {
        const entry = entries.get(key);
        issues.set(key, entry?.issue ?? { id: issueIdOf(one), isSuppressed: false });
        if ((entry?.until ?? -Infinity) <= now) unknown.push(one);
      }
      const rows = unknown.length === 0 ? [] : await read(unknown);
      for (const row of rows)
        issues.set(fingerprintKey(row), { id: row.id, isSuppressed: row.status === 'suppressed' });
      const counted = (wanted: FoundIssue['outcome']): number =>
        rows.filter(({ outcome }) => outcome === wanted).length;
      return { issues, made: counted('new'), regressed: counted('regressed') };
    },
    onChange(changes) {
      if (changes === 'everything') {
        changesTold++;
        return entries.clear();
      }
      const changed = new Set(changes.filter(({ topic }) => topic === 'issue').map(({ projectId }) => projectId));
      if (changed.size === 0) return;
      changesTold++;
      for (const [key, { projectId }] of entries.entries()) if (changed.has(projectId)) entries.delete(key);
    },
  };
}

/** One for each fingerprint: the first, with the earliest time and the last receipt of all of them. */
function folded(exceptions: readonly SeenException[]): ReadonlyMap<string, SeenException> {
  const found = new Map<string, SeenException>();
  for (const one of exceptions) {
    const key = fingerprintKey(one);
    const first = found.get(key) ?? one;
    const happenedAt = first.happenedAt < one.happenedAt ? first.happenedAt : one.happenedAt;
    const receivedAt = first.receivedAt > one.receivedAt ? first.receivedAt : one.receivedAt;
    const alerts = first.alerts !== false || one.alerts !== false;
    found.set(key, { ...first, happenedAt, receivedAt, alerts });
  }
  return found;
}

function seeIssues(seen: readonly (SeenException & { makes: boolean })[]): Statement {
  const given = seen.map((one) => ({
    project_id: one.projectId,
    fingerprint: one.fingerprint,
    version: one.version,
    issue_id: issueIdOf(one),
    name: one.name,
    description: one.description,
    first_seen_at: one.happenedAt < one.receivedAt ? one.happenedAt : one.receivedAt,
    received_at: one.receivedAt,
    makes: one.makes,
    alerts: one.alerts,
    frame: one.frame,
    release: one.release,
  }));
  return {
    name: 'see-issues',
    text: 'SELECT project_id AS "projectId", fingerprint, issue_id AS id, status, outcome FROM see_issues($1)',
    values: [JSON.stringify(given)],
  };
}

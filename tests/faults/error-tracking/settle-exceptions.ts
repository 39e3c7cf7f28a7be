import { issueIdParts } from '@millrace/contracts/issues.ts';
import { uuidV5 } from '@millrace/runtime/ids.ts';

/** A file of a set as its build knows it. */
export interface Version {
  /** Source that frames name by it. */
  source: string;
  /** When its upload began, in milliseconds since 1970. */
  begunMs: number;
  /** When its finish was answered with 200; null: it never was, so it may count or not. */
  finishedMs: number | null;
}

/** The versions of a set, the oldest first. Without any, nothing was uploaded. */
export interface BuiltSet {
  projectId: number;
  ref: string;
  versions: readonly Version[];
}

/** An exception as it is stored. */
export interface StoredException {
  uuid: string;
  projectId: number;
  /** Set of the frame that its client sent. */
  ref: string;
  firstSentMs: number;
  insertedMs: number;
  fingerprint: string | null;
  issueId: string | null;
  /** Source of that frame; null: it is unresolved. */
  source: string | null;
}

/** An issue as the API shows it. */
export interface ShownIssue {
  projectId: number;
  id: string;
  occurrences: number;
  fingerprints: readonly string[];
}

/** From the fault to its end, in milliseconds since 1970. */
export interface Outage {
  fromMs: number;
  untilMs: number;
}

export interface Found {
  exceptions: readonly StoredException[];
  sets: readonly BuiltSet[];
  issues: readonly ShownIssue[];
  /** Times in which the object storage was away. */
  outages: readonly Outage[];
  /** Stored exceptions have been resolved anew, by all that was uploaded until then. */
  isLate: boolean;
}

export interface ExceptionsSettlement {
  /** Broken promises. */
  wrong: string[];
  /** Exceptions whose file was there, which show none or an older one because the storage was away. */
  late: string[];
  resolved: number;
  unresolved: number;
}

/** A finished file counts for exceptions that are sent so long after it. */
const takesEffectMs = 5_000;
/** A consumer leaves a storage alone that failed, for 5 s. */
const leftAloneMs = 6_000;

/** Compares stored exceptions with what was uploaded and with the issues of the API. Pure. */
export function settleExceptions({ exceptions, sets, issues, outages, isLate }: Found): ExceptionsSettlement {
  const late: string[] = [];
  const wrong = new Map<string, string[]>();
  const add = (what: string, uuid: string): void => void wrong.set(what, [...(wrong.get(what) ?? []), uuid]);
  const setOf = new Map(sets.map((set) => [keyOf(set.projectId, set.ref), set.versions]));
  for (const exception of exceptions) {
    const versions = setOf.get(keyOf(exception.projectId, exception.ref)) ?? [];
    const outcome = judge(exception, versions, isLate);
    const wasAway = outages.some(
      ({ fromMs, untilMs }) => exception.firstSentMs <= untilMs + leftAloneMs && exception.insertedMs >= fromMs,
    );
    if (outcome === 'too old' && wasAway) late.push(exception.uuid);
    else if (outcome === 'too old') add('do not show the file that was finished before them', exception.uuid);
    else if (outcome === 'unresolved') add('are unresolved, though their set has a file', exception.uuid);
    else if (outcome === 'impossible') add('show a file that their set never had', exception.uuid);
  }
  for (const [what, uuids] of wrongIssues(exceptions, issues)) for (const uuid of uuids) add(what, uuid);
  const resolved = exceptions.filter(({ source }) => source !== null).length;
  return {
    wrong: [
      ...[...wrong].map(
        ([what, uuids]) => `${uuids.length} exceptions ${what}, such as ${uuids.slice(0, 3).join(', ')}`,
      ),
      ...wrongCounts(exceptions, issues),
    ],
    late,
    resolved,
    unresolved: exceptions.length - resolved,
  };
}

const keyOf = (projectId: number, text: string): string => `${projectId}:${text}`;

/** Whether the frame shows a file that it may show. A frame that shows one keeps it; one that shows none gets one later. */
function judge(
  { source, firstSentMs, insertedMs }: StoredException,
  versions: readonly Version[],
  isLate: boolean,
): 'right' | 'too old' | 'unresolved' | 'impossible' {
  if (isLate && source === null) return versions.some(({ finishedMs }) => finishedMs !== null) ? 'unresolved' : 'right';
  const least = versions.findLastIndex(
    ({ finishedMs }) => finishedMs !== null && finishedMs + takesEffectMs <= firstSentMs,
  );
  if (source === null) return least === -1 ? 'right' : 'too old';
  const shown = versions.findIndex((version) => version.source === source);
  const version = versions[shown];
  if (version === undefined || (version.begunMs > insertedMs && !isLate)) return 'impossible';
  return shown >= least ? 'right' : 'too old';
}

/** Exceptions by what is wrong with their issue: none, another than that of the fingerprint, or several. */
function wrongIssues(
  exceptions: readonly StoredException[],
  issues: readonly ShownIssue[],
): ReadonlyMap<string, string[]> {
  const wrong = new Map<string, string[]>();
  const found = issuesByFingerprint(issues);
  for (const { uuid, projectId, fingerprint, issueId } of exceptions) {
    const ids = fingerprint === null ? [] : (found.get(keyOf(projectId, fingerprint)) ?? []);
    const own = fingerprint === null ? null : uuidV5(...issueIdParts(projectId, fingerprint));
    const what =
      ids.length === 0
        ? 'have a fingerprint without an issue'
        : ids.length > 1
          ? 'have a fingerprint with several issues'
          : issueId !== ids[0] && issueId !== own
            ? 'name the issue of another fingerprint'
            : null;
    if (what !== null) wrong.set(what, [...(wrong.get(what) ?? []), uuid]);
  }
  return wrong;
}

function issuesByFingerprint(issues: readonly ShownIssue[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { projectId, id, fingerprints } of issues)
    for (const fingerprint of fingerprints) {
      const key = keyOf(projectId, fingerprint);
      found.set(key, [...(found.get(key) ?? []), id]);
    }
  return found;
}

/** Issues whose number of events is another than that of the stored exceptions of their fingerprints, and issues without a fingerprint. */
function wrongCounts(exceptions: readonly StoredException[], issues: readonly ShownIssue[]): string[] {
  const stored = new Map<string, number>();
  for (const { projectId, fingerprint } of exceptions) {
    const key = keyOf(projectId, fingerprint ?? '');
    stored.set(key, (stored.get(key) ?? 0) + 1);
  }
  return issues.flatMap(({ projectId, id, occurrences, fingerprints }) => {
    if (fingerprints.length === 0) return [`issue ${id} has no fingerprint`];
    const count = fingerprints.reduce((sum, one) => sum + (stored.get(keyOf(projectId, one)) ?? 0), 0);
    return count === occurrences ? [] : [`issue ${id} counts ${occurrences} events, and ${count} are stored`];
  });
}

import type { RestrictionAction } from '@millrace/contracts/project-limits.ts';
import { isUuid } from '@millrace/runtime/ids.ts';

/** A restriction as it is stored: an event must be in each list that is not empty. Without lists it applies to every event. */
export interface Restriction {
  action: RestrictionAction;
  distinctIds: readonly string[];
  events: readonly string[];
  sessionIds: readonly string[];
  uuids: readonly string[];
}

/** The fields of events that restrictions name. */
export interface EventTraits {
  event: string;
  distinctId: string;
  /** Lower-case. */
  uuid: string;
  /** Session id in the form of `comparableSession`. */
  sessionId: string | undefined;
}

/** A session id as it is stored and compared: in lower case when it is a UUID (contract/capture 2.6). */
export function comparableSession(id: string): string {
  return isUuid(id) ? id.toLowerCase() : id;
}

/** Restrictions of one project, indexed for `isRestricted`. */
export type RestrictionRules = ReadonlyMap<RestrictionAction, ActionRules>;

interface ActionRules {
  everything: boolean;
  distinctIds: Set<string>;
  events: Set<string>;
  sessionIds: Set<string>;
  uuids: Set<string>;
  /** Rules that need several fields of an event at once. */
  combined: CombinedRule[];
}

type List = 'distinctIds' | 'events' | 'sessionIds' | 'uuids';
type CombinedRule = { readonly [L in List]: ReadonlySet<string> | null };

const lists: readonly List[] = ['distinctIds', 'events', 'sessionIds', 'uuids'];

/**
 * Restrictions as lookups: a thousand that each name one distinct id cost an event one lookup, not a thousand.
 * Null when there is nothing to obey.
 */
export function compileRestrictions(restrictions: readonly Restriction[]): RestrictionRules | null {
  const rules = new Map<RestrictionAction, ActionRules>();
  for (const restriction of restrictions) {
    const named = lists.filter((list) => restriction[list].length > 0);
    const ofAction = rules.get(restriction.action) ?? noRules();
    rules.set(restriction.action, ofAction);
    const [first] = named;
    if (first === undefined) ofAction.everything = true;
    else if (named.length === 1) for (const value of valuesOf(restriction, first)) ofAction[first].add(value);
    else ofAction.combined.push(combine(restriction));
  }
  return rules.size === 0 ? null : rules;
}

/** True when a restriction with this action applies to the event. */
export function isRestricted(rules: RestrictionRules | null, action: RestrictionAction, event: EventTraits): boolean {
  const ofAction = rules?.get(action);
  if (ofAction === undefined) return false;
  const { sessionId } = event;
  return (
    ofAction.everything ||
    ofAction.distinctIds.has(event.distinctId) ||
    ofAction.events.has(event.event) ||
    ofAction.uuids.has(event.uuid) ||
    (sessionId !== undefined && ofAction.sessionIds.has(sessionId)) ||
    ofAction.combined.some((rule) => meets(rule, event))
  );
}

function noRules(): ActionRules {
  return {
    everything: false,
    distinctIds: new Set(),
    events: new Set(),
    sessionIds: new Set(),
    uuids: new Set(),
    combined: [],
  };
}

function valuesOf(restriction: Restriction, list: List): readonly string[] {
  if (list === 'uuids') return restriction.uuids.map((uuid) => uuid.toLowerCase());
  return list === 'sessionIds' ? restriction.sessionIds.map(comparableSession) : restriction[list];
}

function combine(restriction: Restriction): CombinedRule {
  const set = (list: List): ReadonlySet<string> | null =>
    restriction[list].length === 0 ? null : new Set(valuesOf(restriction, list));
  return { distinctIds: set('distinctIds'), events: set('events'), sessionIds: set('sessionIds'), uuids: set('uuids') };
}

function meets({ distinctIds, events, sessionIds, uuids }: CombinedRule, event: EventTraits): boolean {
  if (distinctIds !== null && !distinctIds.has(event.distinctId)) return false;
  if (events !== null && !events.has(event.event)) return false;
  if (uuids !== null && !uuids.has(event.uuid)) return false;
  return sessionIds === null || (event.sessionId !== undefined && sessionIds.has(event.sessionId));
}

import { warn, type EventDraft } from '../events/event-draft.ts';
import { limitProperties } from './limit-properties.ts';
import { initialProperties, joinProperties, mergeProperties } from './merge-properties.ts';
import { decideMerge, type MergeDecision } from './merge-rules.ts';
import { PersonProperties, type KnownId, type PersonKey } from './person.ts';
import { PersonOfEvent } from './person-of-event.ts';
import { noProperties, WorkingIdentity, type PersonChanges, type WorkingPerson } from './working-identity.ts';
import type { MergeRequest } from '../events/person-update.ts';

/** Events folded so far over the persons known to Postgres. */
interface PersonsFold {
  /** Person columns of the next event's row. */
  event(draft: EventDraft): PersonOfEvent;
  /** Changes of all of them. */
  changes(): PersonChanges;
}

export interface FoldOptions {
  /** True: the changes of this event are written already, only its row is needed. */
  isWritten: (draft: EventDraft) => boolean;
  /** Writes of persons conflicted for too long: merges are left out, each with a warning (contract/capture 4.4). */
  withoutMerges: boolean;
  /** Keys of persons with more distinct ids than a merge moves: they stay as they are, each time with a warning. */
  heavy: ReadonlySet<string>;
}

/** An anonymous event this much later than its person's creation shows that the project identifies this user. */
const forceUpgradeAfterMs = 60_000;

/** Step that warnings from here name (contract/capture 4.7). */
const pipelineStep = 'fold-persons';

/**
 * Folds the events of a batch, in order, over the persons known to Postgres. Pure but for the warnings that it adds:
 * the same events over the same persons always give the same changes.
 */
export function foldPersons(known: ReadonlyMap<string, KnownId>, options: FoldOptions): PersonsFold {
  const identity = new WorkingIdentity(known);
  return {
    event: (draft) => (options.isWritten(draft) ? asWritten(draft, identity) : fold(draft, identity, options)),
    changes: () => identity.changes(),
  };
}

function fold(draft: EventDraft, identity: WorkingIdentity, options: FoldOptions): PersonOfEvent {
  const key = keyOf(draft);
  if (draft.merge !== null && draft.profile === 'full') mergeIds(draft, draft.merge, identity, options);
  const person = identity.personOf(key);
  if (draft.profile === 'anonymous' || (draft.profile === 'existing' && person === null)) {
    if (person === null) identity.recordAnonymousEvent(key);
    return anonymous(draft, key, person, identity);
  }
  const updated = person === null ? createPerson(draft, key, identity, false) : update(person, draft);
  identity.see(updated, draft.head.timestamp);
  return full(updated);
}

/** Row of an event already applied: shows its update, does not store it again. */
function asWritten(draft: EventDraft, identity: WorkingIdentity): PersonOfEvent {
  const key = keyOf(draft);
  if (draft.merge !== null && draft.profile === 'full')
    warnOfRefusedMerge(draft, draft.merge, decide(draft, draft.merge, identity), identity);
  const person = identity.personOf(key);
  if (draft.profile === 'anonymous' || person === null) return anonymous(draft, key, person, identity);
  const values =
    draft.update === null
      ? person.properties.values
      : mergeProperties(person.properties.values, draft.update).properties;
  return new PersonOfEvent(
    person.uuid,
    'full',
    limited(draft, person.uuid, new PersonProperties(values), person.properties),
  );
}

function mergeIds(
  draft: EventDraft,
  request: MergeRequest,
  identity: WorkingIdentity,
  { withoutMerges, heavy }: FoldOptions,
): void {
  const decision = decide(draft, request, identity);
  const keys = { own: keyOf(draft), other: { teamId: draft.project.id, distinctId: request.other } };
  warnOfRefusedMerge(draft, request, decision, identity);
  if (decision.action === 'create') {
    // An id with anonymous rows gives the person its uuid: the rows join without an override.
    const from = identity.hadAnonymousEvents(keys.other) ? 'other' : 'own';
    const person = createPerson(draft, keys[from], identity, true);
    identity.add(keys[from === 'own' ? 'other' : 'own'], person);
  } else if (decision.action === 'add') {
    const person = identity.personOf(keys[decision.missing === 'own' ? 'other' : 'own']) as WorkingPerson;
    identity.add(keys[decision.missing], person);
    identity.identify(person);
  } else if (decision.action === 'identify') {
    identity.identify(identity.personOf(keys.own) as WorkingPerson);
  } else if (decision.action === 'merge') {
    if (withoutMerges) return warnOfPair(draft, 'merge_race_condition', request, decision.source, identity);
    const source = identity.personOf(keys[decision.source]) as WorkingPerson;
    if (source.stored !== null && heavy.has(source.stored.id))
      return warnOfPair(draft, 'merge_move_limit_exceeded', request, decision.source, identity);
    const target = identity.personOf(keys[decision.source === 'own' ? 'other' : 'own']) as WorkingPerson;
    const joined = new PersonProperties(joinProperties(source.properties.values, target.properties.values));
    identity.merge(source, target, limited(draft, target.uuid, joined, target.properties));
  }
}

function decide(draft: EventDraft, request: MergeRequest, identity: WorkingIdentity): MergeDecision {
  const side = (distinctId: string) => {
    const person = identity.personOf({ teamId: draft.project.id, distinctId });
    return person === null ? null : { person: person.uuid, isIdentified: person.isIdentified };
  };
  // A project may forbid to merge identified persons: then the rules of $identify hold.
  const kind = request.kind === 'dangerously' && !draft.project.allowDangerousMerges ? 'identify' : request.kind;
  return decideMerge({ ...request, kind }, side(request.own), side(request.other));
}

function warnOfRefusedMerge(
  draft: EventDraft,
  request: MergeRequest,
  decision: MergeDecision,
  identity: WorkingIdentity,
): void {
  if (decision.action === 'refuse-illegal') {
    const [illegal, other] = decision.illegal === 'own' ? [request.own, request.other] : [request.other, request.own];
    warn(draft, 'cannot_merge_with_illegal_distinct_id', {
      illegalDistinctId: illegal,
      otherDistinctId: other,
      pipelineStep,
    });
  } else if (decision.action === 'refuse-identified') {
    warnOfPair(draft, 'cannot_merge_already_identified', request, decision.source, identity);
  }
}

function warnOfPair(
  draft: EventDraft,
  type: 'cannot_merge_already_identified' | 'merge_race_condition' | 'merge_move_limit_exceeded',
  { own, other }: MergeRequest,
  source: 'own' | 'other',
  identity: WorkingIdentity,
): void {
  const [sourceId, targetId] = source === 'own' ? [own, other] : [other, own];
  const uuidOf = (distinctId: string): string | undefined =>
    identity.personOf({ teamId: draft.project.id, distinctId })?.uuid;
  warn(draft, type, {
    sourcePersonDistinctId: sourceId,
    targetPersonDistinctId: targetId,
    personId: uuidOf(targetId),
    otherPersonId: uuidOf(sourceId),
    pipelineStep,
  });
}

function keyOf({ project, head }: EventDraft): PersonKey {
  return { teamId: project.id, distinctId: head.distinctId };
}

function anonymous(
  draft: EventDraft,
  key: PersonKey,
  person: WorkingPerson | null,
  identity: WorkingIdentity,
): PersonOfEvent {
  if (person === null) return identity.nobody(key);
  const late = Date.parse(draft.head.timestamp) - Date.parse(person.createdAt) > forceUpgradeAfterMs;
  return new PersonOfEvent(person.uuid, late ? 'force_upgrade' : 'propertyless', noProperties);
}

function full({ uuid, properties }: WorkingPerson): PersonOfEvent {
  return new PersonOfEvent(uuid, 'full', properties);
}

function createPerson(
  draft: EventDraft,
  from: PersonKey,
  identity: WorkingIdentity,
  isIdentified: boolean,
): WorkingPerson {
  const properties = (uuid: string): PersonProperties => {
    const least = new PersonProperties(initialProperties(null, draft.head.uuid));
    return limited(draft, uuid, new PersonProperties(initialProperties(draft.update, draft.head.uuid)), least);
  };
  return identity.create(from, { createdAt: draft.head.timestamp, isIdentified, properties });
}

function update(person: WorkingPerson, draft: EventDraft): WorkingPerson {
  if (draft.update === null) return person;
  const { properties, change } = mergeProperties(person.properties.values, draft.update);
  if (change === 'none') return person;
  person.properties = limited(draft, person.uuid, new PersonProperties(properties), person.properties);
  if (change === 'write') person.mustWrite = true;
  return person;
}

function limited(
  draft: EventDraft,
  personId: string,
  next: PersonProperties,
  previous: PersonProperties,
): PersonProperties {
  const { properties, verdict } = limitProperties(next, previous);
  if (verdict !== 'fits') {
    const message = verdict === 'trimmed' ? 'the largest properties were left out' : 'the update was refused';
    warn(draft, 'person_properties_size_violation', { personId, teamId: draft.project.id, message, pipelineStep });
  }
  return properties;
}

import { setTimeout } from 'node:timers/promises';
import type { EventDraft } from '../events/event-draft.ts';
import { foldGroups, type GroupDescription } from '../groups/fold-groups.ts';
import { groupText, type GroupState } from '../groups/group.ts';
import type { Leaving } from '../overflow/leaving-events.ts';
import { foldPersons } from '../persons/fold-persons.ts';
import type { PersonOfEvent } from '../persons/person-of-event.ts';
import {
  keyText,
  type KnownId,
  type MappingState,
  type PersonKey,
  type PersonState,
  type RemovedPerson,
  type StoredPerson,
} from '../persons/person.ts';
import { nextVersion } from '../persons/working-identity.ts';
import { foldEvents } from './fold-events.ts';
import { isEmpty, removedIn, type IdentityPlan } from './identity-plan.ts';
import { chargeMerges, weighMerges } from './weigh-merges.ts';
import { idsMovedMax, type IdentityStore, type StreamProgress } from './identity-store.ts';

/** States of persons and groups that ClickHouse must store. */
export interface IdentityStates {
  persons: PersonState[];
  removed: RemovedPerson[];
  mappings: MappingState[];
  groups: GroupState[];
}

export interface AppliedIdentity {
  /** The events that are to be stored, in order, without those that leave the batch. */
  staying: EventDraft[];
  /** One for each of them. */
  ofEvents: PersonOfEvent[];
  /** Events that are in the lane `overflow` now. */
  left: EventDraft[];
  states: IdentityStates;
}

/** A batch's events and its position. */
export interface IdentityBatch {
  /** Events that are to be stored. */
  drafts: readonly EventDraft[];
  /** Events of the batch, stored before or not. */
  all: readonly EventDraft[];
  /** Group descriptions of all of them. */
  descriptions: readonly GroupDescription[];
  stream: string;
  last: bigint;
  /** UTC with six digits. */
  now: string;
  /**
   * The batch may have been applied before, by any consumer: read how far the stream is written, and send ClickHouse
   * everything again.
   */
  again: boolean;
  /** The batch can be divided when its persons, or all that it writes, are too large. */
  isDivisible: boolean;
  /** Most bytes that it writes, if it can be divided. */
  writeBytesMax: number;
  leaving: Leaving;
  /** Called when an append to the log begins: while it is awaited, Postgres may be silent. */
  onSign?: () => void;
}

/**
 * Characters of properties of the persons, and of the groups, that a batch brings into memory; more when the batch cannot be
 * divided. One that may have had effects is divided later, so that it mostly keeps its token when persons have grown since.
 */
const sizeMax = 64_000_000;

/** Thrown when persons keep changing under us; the batch is tried again like after any failure of Postgres. */
class IdentityContendedError extends Error {
  override name = 'IdentityContendedError';
}

/** Number of rounds with conflicts after which merges are given up; then as many again without them. */
const roundsMax = 12;
const pauseMaxMs = 20;

/** Warnings that a fold makes; a fold that is repeated makes its own. */
const foldWarnings: ReadonlySet<string> = new Set([
  'person_properties_size_violation',
  'cannot_merge_with_illegal_distinct_id',
  'cannot_merge_already_identified',
  'merge_race_condition',
  'merge_move_limit_exceeded',
  'group_upsert_message_size_too_large',
]);

/**
 * Caches how far the streams of this process are written, so that only their first batch and one with an unknown
 * outcome query it.
 */
export type KnownProgress = Map<string, StreamProgress>;

/**
 * Brings the batch's persons and groups up to date in Postgres and returns what the events' rows say of them and the
 * rows that ClickHouse must get.
 *
 * Everything is looked up, folded in memory and written in one statement, under the condition that what was looked up
 * is still so; if not, it is looked up again. So two consumers who meet at the same persons at the same moment act one
 * after the other, in whatever order, and a batch is written whole or not at all. The offset written with it says for
 * ever that it was: events up to there are not applied a second time.
 * @throws {BatchTooLargeError} before anything is written, when the batch must be divided.
 */
export async function applyIdentity(
  batch: IdentityBatch,
  store: IdentityStore,
  progress: KnownProgress,
): Promise<AppliedIdentity> {
  const touching = batch.again ? batch.all : batch.drafts;
  // Empty in most batches.
  const storing = new Set(batch.descriptions.length === 0 ? [] : batch.drafts);
  const heavy = new Set<string>();
  const timesMax = batch.isDivisible ? (batch.again ? 2 : 1) : Infinity;
  const capacity = sizeMax * timesMax;
  for (let round = 0; round < 2 * roundsMax; round++) {
    if (round > 0) await setTimeout(Math.random() * pauseMaxMs * Math.min(round, 5));
    const written = await progressOf(batch, store, progress, round > 0);
    const isWritten = ({ position }: EventDraft): boolean => written.last !== null && position.offset <= written.last;
    // No persons are looked up for events beyond a share: 400 tiny events would read 400 large persons with each batch, for nothing.
    const stays = (draft: EventDraft): boolean => !batch.leaving.leaves(draft, isWritten(draft));
    const here = touching.filter(stays);
    const known = await store.findPersons(keysOf(here), capacity, bareKeysOf(here));
    const descriptions = batch.descriptions.filter(({ draft }) => stays(draft));
    const wanted = descriptions.filter(({ draft }) => storing.has(draft) && !isWritten(draft));
    const knownGroups = await store.findGroups(batch.again ? descriptions : wanted, capacity);
    for (const draft of batch.drafts) dropFoldWarnings(draft);
    const fold = foldPersons(known, { isWritten, withoutMerges: round >= roundsMax, heavy });
    const { staying, ofEvents, left } = await foldEvents(batch.drafts, {
      fold: (draft) => fold.event(draft),
      isWritten,
      extraBytes: groupBytes(wanted, knownGroups),
      leaving: batch.leaving,
      bytesMax: batch.writeBytesMax * timesMax,
    });
    const isApplied = written.last !== null && written.last >= batch.last;
    if (!(await batch.leaving.settle(left, isApplied, batch.onSign))) continue;
    const gone = new Set(left);
    const changes = fold.changes();
    const sources = changes.merged.map(({ stored }) => stored);
    const weighed = await weighMerges(sources, store, batch.isDivisible ? idsMovedMax * timesMax : null);
    chargeMerges(batch, weighed);
    for (const { id } of weighed.heavy) heavy.add(id);
    if (weighed.heavy.length > 0) continue;
    const groups = foldGroups(
      wanted.filter(({ draft }) => !gone.has(draft)),
      knownGroups,
      batch.now,
    );
    const plan: IdentityPlan = {
      position: {
        stream: batch.stream,
        last: batch.last,
        was: written.last,
        removedBefore: batch.again ? written.removed : [],
        keepsMoved: batch.again && batch.all.some(isWritten),
      },
      persons: changes,
      groups,
    };
    // Another consumer may have the same batch, and be slow: that it changes nothing is so only now, so it is written as applied too.
    const isWriting = !isEmpty(plan) || (batch.again && !isApplied);
    const moved = isWriting ? await store.write(plan) : [];
    if (moved === null) continue;
    const states = statesOf(plan, moved);
    if (isWriting) progress.set(batch.stream, { last: batch.last, removed: states.removed });
    if (!batch.again) return { staying, ofEvents, left, states };
    const changing = touching.filter((draft) => stays(draft) && draft.profile !== 'anonymous');
    const touched = keysOf(changing).flatMap((key) => known.get(keyText(key)) ?? []);
    const describedNow = new Set(descriptions.filter(({ draft }) => stays(draft)).map(groupText));
    const reported = new Map([...knownGroups].filter(([text]) => describedNow.has(text)));
    return {
      staying,
      ofEvents,
      left,
      states: withTouched(states, { touched, moved: await store.movedBy(batch.stream) }, reported),
    };
  }
  throw new IdentityContendedError('persons of the batch kept changing');
}

async function progressOf(
  { stream, again }: IdentityBatch,
  store: IdentityStore,
  progress: KnownProgress,
  isUncertain: boolean,
): Promise<StreamProgress> {
  const cached = progress.get(stream);
  if (cached !== undefined && !again && !isUncertain) return cached;
  const found = await store.progress(stream);
  progress.set(stream, found);
  return found;
}

function dropFoldWarnings(draft: EventDraft): void {
  if (draft.warnings.length > 0) draft.warnings = draft.warnings.filter(({ type }) => !foldWarnings.has(type));
}

/** Postgres gets a changed group once a batch, ClickHouse its text and its map. */
const groupTimes = 3;

/** Bytes that are written for groups, each counted with the first event that describes the group. */
function groupBytes(
  descriptions: readonly GroupDescription[],
  known: ReadonlyMap<string, GroupState>,
): (draft: EventDraft) => number {
  if (descriptions.length === 0) return () => 0;
  const firsts = new Map(descriptions.toReversed().map((described) => [groupText(described), described.draft]));
  const bytes = new Map(
    [...firsts].map(([text, draft]) => [draft, groupTimes * (known.get(text)?.properties.textLength ?? 0)]),
  );
  return (draft) => bytes.get(draft) ?? 0;
}

/** Names of the distinct ids that anonymous events alone are of: their rows say nothing of their persons' properties. */
function bareKeysOf(drafts: readonly EventDraft[]): Set<string> {
  const bare = new Set(keysOf(drafts.filter(({ profile }) => profile === 'anonymous')).map(keyText));
  if (bare.size > 0)
    for (const key of keysOf(drafts.filter(({ profile }) => profile !== 'anonymous'))) bare.delete(keyText(key));
  return bare;
}

/** The distinct ids of the events, and those that they say are the same persons. */
function keysOf(drafts: readonly EventDraft[]): PersonKey[] {
  const keys = new Map<string, PersonKey>();
  for (const { project, head, merge } of drafts) {
    for (const distinctId of merge === null ? [head.distinctId] : [head.distinctId, merge.other]) {
      const key = { teamId: project.id, distinctId };
      keys.set(keyText(key), key);
    }
  }
  return [...keys.values()];
}

function statesOf(plan: IdentityPlan, moved: readonly MappingState[]): IdentityStates {
  const { created, changed, added } = plan.persons;
  const living = [...created, ...changed.map(({ next }) => next)];
  const persons = living.map((person): PersonState => {
    const { teamId, uuid, properties, isIdentified, createdAt, lastSeenAt } = person;
    return { teamId, uuid, properties, isIdentified, createdAt, lastSeenAt, version: nextVersion(person) };
  });
  return { persons, removed: removedIn(plan), mappings: [...added, ...moved], groups: [...plan.groups] };
}

interface Touched {
  /** Distinct ids that the batch's events name, as far as they are known. */
  touched: readonly KnownId[];
  /** Distinct ids that the batch's merges moved, now or when it was done before. */
  moved: readonly MappingState[];
}

/**
 * Adds everything that the batch touches, written now or not: a batch that is done again (after a crash, or after a
 * reply of Postgres was lost) finds its writes done, and must still write to ClickHouse. State that others have changed
 * since is written in its newer version, which wins anyway.
 */
function withTouched(
  { persons, removed, mappings, groups }: IdentityStates,
  { touched, moved }: Touched,
  knownGroups: ReadonlyMap<string, GroupState>,
): IdentityStates {
  const touchedPersons = new Map<string, StoredPerson>();
  const named: MappingState[] = [];
  for (const { mapping, ...key } of touched) {
    if (mapping === null) continue;
    const { person, version } = mapping;
    touchedPersons.set(person.id, person);
    named.push({ teamId: key.teamId, distinctId: key.distinctId, personId: person.uuid, version });
  }
  const reported = new Set(groups.map(groupText));
  return {
    persons: [...touchedPersons.values(), ...persons],
    removed,
    mappings: [...named, ...moved, ...mappings],
    groups: [...[...knownGroups.values()].filter((group) => !reported.has(groupText(group))), ...groups],
  };
}

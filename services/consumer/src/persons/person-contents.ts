import type { RowOf } from '@millrace/clickhouse/insert/table-columns.ts';
import type { personContents } from '@millrace/contracts/tables/person-contents.ts';
import type { EventDraft } from '../events/event-draft.ts';
import { PersonOfEvent } from './person-of-event.ts';
import type { PersonProperties } from './person.ts';

/** Properties that are too large for the rows of events, of a project. */
export interface PersonContent {
  teamId: number;
  properties: PersonProperties;
}

/** The row that the events of this content name; a second one changes nothing. */
export function personContentRow({ teamId, properties }: PersonContent): RowOf<typeof personContents> {
  return { team_id: teamId, id: properties.contentId, properties_text: properties.text, properties: properties.map };
}

/** Contents that the rows of these events name, each of a project once; `ofEvents`: one for each event. */
export function contentsOf(events: readonly EventDraft[], ofEvents: readonly PersonOfEvent[]): PersonContent[] {
  const isNew = createContentsSeen();
  const contents: PersonContent[] = [];
  for (const [index, { properties }] of ofEvents.entries()) {
    const teamId = (events[index] as EventDraft).project.id;
    if (properties.contentId !== 0n && isNew(teamId, properties)) contents.push({ teamId, properties });
  }
  return contents;
}

/** A row has properties as text and by name. */
const timesInRow = 2;
/**
 * New large properties are mostly those of a changed person: they are copied, printed and hashed, and written to Postgres and to the
 * replica of the person. The work is the same when an equal content exists already.
 */
const timesWhenNew = 5;

/**
 * Estimates for each of the events of a batch how many bytes of properties are made and written for it: large ones with
 * the first event that has them, and with each that tried to make them too large.
 */
export function createPropertyBytes(): (event: EventDraft, person: PersonOfEvent) => number {
  const seen = new WeakSet<PersonProperties>();
  return ({ warnings }, { properties }) => {
    if (properties.contentId === 0n) return timesInRow * properties.textLength;
    const isNew = !seen.has(properties);
    seen.add(properties);
    return isNew || warnings.some(({ type }) => type === 'person_properties_size_violation')
      ? timesWhenNew * properties.textLength
      : 0;
  };
}

/** Shares one object among equal large properties: the events of a batch may use the same ones in turns, each time as a new object. */
export function createSharing(): (event: EventDraft, person: PersonOfEvent) => PersonOfEvent {
  const kept = new Map<string, PersonProperties>();
  return ({ project }, person) => {
    const { personId, mode, properties } = person;
    if (properties.contentId === 0n) return person;
    const name = `${project.id}:${properties.contentId}`;
    const same = kept.get(name);
    if (same === undefined) kept.set(name, properties);
    return same === undefined || same === properties ? person : new PersonOfEvent(personId, mode, same);
  };
}

function createContentsSeen(): (teamId: number, properties: PersonProperties) => boolean {
  const seen = new Set<string>();
  return (teamId, { contentId }) => {
    const before = seen.size;
    return seen.add(`${teamId}:${contentId}`).size > before;
  };
}

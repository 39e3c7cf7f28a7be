import type { PersonContentRow } from '@millrace/clickhouse/tables.ts';
import type { EventDraft } from '../event-draft.ts';
import type { PersonOfEvent } from './person-of-event.ts';
import type { PersonProperties } from './person.ts';

/** Properties that are too large for the rows of events, of a project. */
export interface PersonContent {
  teamId: number;
  properties: PersonProperties;
}

/** The row that the events of this content name; a second one changes nothing. */
export function personContentRow({ teamId, properties }: PersonContent): PersonContentRow {
  return { team_id: teamId, id: properties.contentId, properties_text: properties.text, properties: properties.map };
}

/** What the rows of these events name, each content of a project once; `ofEvents`: one for each event. */
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
/** A content that is new is mostly that of a person who was changed: it goes to Postgres and to the replica of the person as well. */
const timesWhenNew = 5;

/** Tells of each of the events of a batch about how many bytes of properties are written for it: large ones with the first event that names them. */
export function createPropertyBytes(): (event: EventDraft, person: PersonOfEvent) => number {
  const isNew = createContentsSeen();
  return ({ project }, { properties }) => {
    if (properties.contentId === 0n) return timesInRow * properties.textLength;
    return isNew(project.id, properties) ? timesWhenNew * properties.textLength : 0;
  };
}

function createContentsSeen(): (teamId: number, properties: PersonProperties) => boolean {
  const seen = new Set<string>();
  return (teamId, { contentId }) => {
    const before = seen.size;
    return seen.add(`${teamId}:${contentId}`).size > before;
  };
}

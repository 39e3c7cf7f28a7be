import type { EventRow } from '@millrace/clickhouse/tables.ts';
import { isUuid } from '@millrace/runtime/ids.ts';
import type { EventDraft, Position } from '../event-draft.ts';
import type { PersonOfEvent } from '../persons/fold-persons.ts';
import type { StorableEvent } from '../store-rows.ts';

/** An event whose person is known. `historicalLane`: it came by the lane of imports. */
export class EventOfPerson implements StorableEvent {
  readonly draft: EventDraft;
  readonly #person: PersonOfEvent;
  readonly #historicalLane: boolean;

  constructor(draft: EventDraft, person: PersonOfEvent, historicalLane: boolean) {
    this.draft = draft;
    this.#person = person;
    this.#historicalLane = historicalLane;
  }

  get row(): EventRow {
    return buildEventRow(this.draft, this.#person, this.#historicalLane);
  }

  get size(): number {
    // Properties are in it twice, as text and as a map.
    return 2 * (this.draft.entry.body.length + this.#person.properties.textLength);
  }

  get position(): Position {
    return this.draft.position;
  }
}

function buildEventRow(draft: EventDraft, person: PersonOfEvent, historicalLane: boolean): EventRow {
  const { head, project, properties, groupKeys } = draft;
  return {
    team_id: project.id,
    uuid: head.uuid,
    event: draft.event,
    distinct_id: head.distinctId,
    timestamp: head.timestamp,
    created_at: head.receivedAt,
    person_id: person.personId,
    person_mode: person.mode,
    properties_text: properties.column,
    properties: properties.map,
    person_properties_text: person.properties.text,
    person_properties: person.properties.map,
    elements_chain: draft.elementsChain,
    $session_id: sessionId(properties.get('$session_id')),
    $window_id: textOf(properties.get('$window_id')),
    $group_0: groupKeys[0] ?? '',
    $group_1: groupKeys[1] ?? '',
    $group_2: groupKeys[2] ?? '',
    $group_3: groupKeys[3] ?? '',
    $group_4: groupKeys[4] ?? '',
    historical_migration: head.historical === true || historicalLane,
  };
}

/** Lower case when it is a UUID, so that a session is one session whoever prints its id (contract/capture 2.6). */
function sessionId(value: unknown): string {
  const text = textOf(value);
  return isUuid(text) ? text.toLowerCase() : text;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

import { createHash } from 'node:crypto';
import { rowsOfWorld, type WorldEvent } from './world.ts';
import { w1, w2 } from './worked-worlds.ts';

// Rows of two projects in every table that an insight reads, whose keys are the same: events of the same sessions, persons of the same ids,
// groups, overrides and contents of persons of the same keys. Whoever reads a row of the other gets another answer.
type Row = Readonly<Record<string, unknown>>;

const events: readonly WorldEvent[] = [...w1, ...w2].map((event) => ({
  ...event,
  session: event.session ?? `session of ${event.who}`,
  groups: { 0: event.who },
}));

/** A person's id is that of its distinct id, in every project. */
const idOf = (who: string): string =>
  createHash('md5')
    .update(who)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

const of = (properties: Readonly<Record<string, string>>) => ({
  properties,
  properties_text: JSON.stringify(properties),
});

/** Rows of the project that asks. Persons' properties are in contents that only the other project has; so are groups, and dee's person. */
export function ownRows(teamId: number): Record<string, readonly Row[]> {
  const rows = withIds(teamId, { events });
  return {
    ...rows,
    persons: (rows['persons'] ?? []).filter(({ id }) => id !== idOf('dee')),
    person_contents: [{ team_id: teamId, id: 1, ...of({ unused: 'x' }) }],
  };
}

/** Rows of the other project, with the word in every property that a case asks for. */
export function othersRows(teamId: number, word: string): Record<string, readonly Row[]> {
  const told = events.flatMap((event) => [
    event,
    { ...event, properties: { ...event.properties, ...webProperties(word), plan: word } },
    // Persons, groups and sessions of its own, and a day more of each session.
    ...[1, 2].map((copy) => ({
      ...event,
      ...ofNobodyElse(`${copy} ${event.who}`),
      session: `session ${copy}`,
      properties: { ...event.properties, ...webProperties(word) },
    })),
    { ...event, at: event.at.replace(/-01-(\d\d)/, (_, day: string) => `-01-${Number(day) + 10}`) },
  ]);
  const names = [...new Set(events.map(({ who }) => who))];
  return {
    ...withIds(teamId, {
      events: told,
      merged: { ann: 'dee', bob: 'dee', cat: 'dee', eve: 'gus', fay: 'gus' },
      created: { ...Object.fromEntries(names.map((who) => [who, '2024-01-01 00:00:00'])), dee: '2025-01-10 00:00:00' },
    }),
    groups: names.map((who) => ({
      team_id: teamId,
      group_type_index: 0,
      group_key: who,
      created_at: '2024-01-01 00:00:00',
      updated_at: '2024-01-01 00:00:00',
      is_deleted: false,
      version: 1,
      ...of({ tier: 'secret', word }),
    })),
    person_contents: [{ team_id: teamId, id: 7, ...of({ word: 'secret', n: '1000' }) }],
  };
}

const ofNobodyElse = (who: string) => ({ who, groups: { 0: who } });

/** Properties of a page that web statistics are broken down by. */
const webProperties = (word: string) =>
  Object.fromEntries(
    [
      ...['$pathname', '$screen_name', '$external_click_url', '$referring_domain', '$browser', '$os', '$device_type'],
      ...['$viewport_width', '$viewport_height', '$geoip_country_code', '$geoip_subdivision_1_code'],
      ...['$geoip_subdivision_1_name', '$geoip_city_name'],
    ].map((name) => [name, word]),
  );

function withIds(teamId: number, world: Parameters<typeof rowsOfWorld>[1]): Record<string, Row[]> {
  const rows = rowsOfWorld(teamId, world) as Record<string, Row[]>;
  const ids = new Map((rows['events'] ?? []).map(({ person_id: id, distinct_id: who }) => [id, idOf(String(who))]));
  return {
    ...rows,
    events: (rows['events'] ?? []).map((row) => ({
      ...row,
      person_id: ids.get(row['person_id']),
      person_content: 7,
      elements_chain: 'button:text="Buy"',
    })),
    persons: (rows['persons'] ?? []).map((row) => ({ ...row, id: ids.get(row['id']) })),
    person_overrides: (rows['person_overrides'] ?? []).map((row) => ({ ...row, person_id: ids.get(row['person_id']) })),
  };
}

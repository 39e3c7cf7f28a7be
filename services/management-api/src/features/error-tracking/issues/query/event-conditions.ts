/** A condition on events in the query language, and the values that are bound in it. */
export interface EventCondition {
  text: string;
  values: Readonly<Record<string, string | string[]>>;
}

/** Conditions on the events of an issue; missing or empty: none. */
export interface EventConditions {
  search?: string | undefined;
  library?: string | readonly string[] | undefined;
  release?: string | undefined;
  fingerprint?: string | readonly string[] | undefined;
  user?: string | undefined;
  personId?: string | undefined;
  url?: string | undefined;
  filePath?: string | undefined;
}

const contains = (column: string, value: string): string =>
  `positionCaseInsensitive(ifNull(toString(${column}), ''), {${value}}) > 0`;
const anyContains = (columns: readonly string[], value: string): string =>
  `(${columns.map((column) => contains(column, value)).join(' OR ')})`;

const texts = ['$exception_types', '$exception_values', '$exception_sources', '$exception_functions'].map(
  (name) => `properties.${name}`,
);

/** Texts of ours, and values to bind: nothing of a value is in a text. Pure. */
export function eventConditions(given: EventConditions): EventCondition[] {
  const { search, library, release, fingerprint, user, personId, url, filePath } = given;
  const found: EventCondition[] = [];
  const add = (text: string, values: EventCondition['values']): void => void found.push({ text, values });
  if (search) add(anyContains([...texts, 'person.properties.email'], 'search'), { search });
  if (library !== undefined) add('properties.$lib IN {libraries}', { libraries: listOf(library) });
  if (fingerprint !== undefined) add('properties.$exception_fingerprint IN {wanted}', { wanted: listOf(fingerprint) });
  if (personId) add('toString(person_id) = {person}', { person: personId.toLowerCase() });
  if (user) add(anyContains(['distinct_id', 'person.properties.email', 'person.properties.name'], 'user'), { user });
  if (url) add(contains('properties.$current_url', 'url'), { url });
  if (filePath) add(contains('properties.$exception_sources', 'path'), { path: filePath });
  // Releases are `{hash: {version, metadata: {git: {commit_id}}}}`: the same members in their JSON text.
  if (release) {
    const quoted = JSON.stringify(release);
    const members = { hash: `${quoted}:{`, version: `"version":${quoted}`, commit: `"commit_id":${quoted}` };
    const has = Object.keys(members).map((name) => contains('properties.$exception_releases', name));
    add(`(${has.join(' OR ')})`, members);
  }
  return found;
}

const listOf = (given: string | readonly string[]): string[] => (typeof given === 'string' ? [given] : [...given]);

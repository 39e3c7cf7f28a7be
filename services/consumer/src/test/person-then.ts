/** A property of an event's person at the time, wherever it stands. Of large persons no more than this property is read. */
export function personThen(key: string): string {
  const all = `(SELECT groupArray((id, properties['${key}'])) FROM analytics.person_contents WHERE team_id = {team:Int64})`;
  return `if(person_content = 0, person_properties['${key}'], transform(person_content, tupleElement(${all}, 1), tupleElement(${all}, 2), NULL))`;
}

/** A property of an event's person at that time, from the row or the stored content. Of large persons only this property is read. */
export function personThen(key: string): string {
  const all = `(SELECT groupArray((id, properties['${key}'])) FROM analytics.person_contents WHERE team_id = {team:Int64})`;
  return `if(person_content = 0, person_properties['${key}'], transform(person_content, tupleElement(${all}, 1), tupleElement(${all}, 2), NULL))`;
}

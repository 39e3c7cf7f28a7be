/** Names under which other clients send the time of an event. */
const namesOfTime = new Set('time $time ts date datetime eventtime createdat occurredat timestamp'.split(' '));

/** The field to write in place of another, by the other's name in lower case without `_` and `$`. */
const instead: Readonly<Record<string, string>> = {
  ...ofNames('properties', 'properties props eventproperties'),
  ...ofNames('event', 'event eventname'),
  ...ofNames('distinct_id', 'distinctid'),
  ...ofNames('uuid', 'uuid'),
  ...ofNames('offset', 'offset'),
  ...ofNames('$set', 'set traits userproperties personproperties'),
  ...ofNames('$set_once', 'setonce'),
  ...ofNames('$unset', 'unset'),
};

function ofNames(field: string, names: string): Record<string, string> {
  return Object.fromEntries(names.split(' ').map((name) => [name, field]));
}

/** The sentence for the sender of a field that no event has: its right name and place. */
export function fieldInstead(name: string, hasTime: boolean): string {
  const shown = JSON.stringify(name.slice(0, 100));
  const plain = name.toLowerCase().replaceAll(/[_$-]/g, '');
  if (!hasTime && namesOfTime.has(name.toLowerCase().replaceAll('_', '')))
    return `${shown} is not a field of an event, which has no timestamp. Write "timestamp" instead.`;
  const place =
    plain === 'groups'
      ? 'Write it in "properties" as "$groups"'
      : Object.hasOwn(instead, plain)
        ? `Write "${instead[plain]}" instead`
        : 'Write it in "properties"';
  return `${shown} is not a field of an event, and is not stored. ${place}.`;
}

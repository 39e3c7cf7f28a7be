import { automaticNames } from './automatic-names.ts';
import { storableJson } from './storable-json.ts';
import type { ClientProperties } from './client-properties.ts';

const initialNames: ReadonlyMap<string, string> = new Map(
  automaticNames.map((name) => [name, `$initial_${name.startsWith('$') ? name.slice(1) : name}`]),
);

/** Properties that describe the backend's machine when a backend sends them. */
const machineNames: ReadonlySet<string> = new Set(['$os', '$os_version']);

/** One property that rides along: its value, its own name, and its name as the first value ever seen. */
export interface AutomaticProperty {
  name: string;
  initialName: string;
  value: unknown;
}

/** The automatic person properties of an event, in the event's order. Nulls say nothing and are left out. */
export function automaticProperties(properties: ClientProperties): AutomaticProperty[] {
  const found: AutomaticProperty[] = [];
  const isServer = properties.get('$is_server') === true;
  properties.pick(initialNames, (name, sent) => {
    const value = isServer && machineNames.has(name) ? null : storableJson(sent);
    if (value === null) return;
    const initialName = initialNames.get(name) as string;
    found.push({ name, initialName, value });
    // Mobile clients name the system in their own way (contract/capture 2.6).
    if (name === '$os_name' && !isServer && !properties.has('$os'))
      found.push({ name: '$os', initialName: '$initial_os', value });
  });
  return found;
}

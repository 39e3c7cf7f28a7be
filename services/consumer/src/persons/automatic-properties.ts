import { storableJson } from '../json/clean-text.ts';
import type { ClientProperties } from '../json/client-properties.ts';

/** Properties of events that describe the person who sent them (contract/capture 2.7). */
export const automaticNames: readonly string[] = [
  '$app_build', '$app_name', '$app_namespace', '$app_version', '$browser', '$browser_version', '$device_type',
  '$current_url', '$pathname', '$os', '$os_name', '$os_version', '$referring_domain', '$referrer', '$screen_height',
  '$screen_width', '$viewport_height', '$viewport_width', '$raw_user_agent', 'utm_source', 'utm_medium', 'utm_campaign',
  'utm_content', 'utm_name', 'utm_term', 'gclid', 'gad_source', 'gclsrc', 'dclid', 'gbraid', 'wbraid', 'fbclid', 'msclkid',
  'twclid', 'li_fat_id', 'mc_cid', 'igshid', 'ttclid', 'rdt_cid', 'irclid', '_kx', 'epik', 'qclid', 'sccid',
];

const initialNames: ReadonlyMap<string, string> = new Map(
  automaticNames.map((name) => [name, `$initial_${name.startsWith('$') ? name.slice(1) : name}`]),
);

/** They describe the backend's machine when a backend sends them. */
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
    if (name === '$os_name' && !isServer && !properties.has('$os')) found.push({ name: '$os', initialName: '$initial_os', value });
  });
  return found;
}

import { join } from 'node:path';
import { readJson } from './data-folder.ts';
import type { EnginePorts } from './local-engines.ts';
import { type KnownPorts, usualPorts } from './ports.ts';

/** The ports of a data folder, kept in it between its starts. */
export interface KeptPorts {
  services: KnownPorts;
  engines: EnginePorts;
}

/** Where the clients of a folder's next start find it, unless a variable or another program decides otherwise. */
export const portsOf = (folder: string): KnownPorts['clients'] =>
  readJson<KeptPorts>(join(folder, 'ports.json'))?.services.clients ?? usualPorts;

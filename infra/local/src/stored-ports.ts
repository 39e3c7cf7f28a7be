import { join } from 'node:path';
import { readJson } from './data-folder.ts';
import type { EnginePorts } from './local-engines.ts';
import { type KnownPorts, defaultPorts } from './ports.ts';

/** The ports that a data folder stores for its next start. */
export interface StoredPorts {
  services: KnownPorts;
  engines: EnginePorts;
}

/** Clients' ports of the folder's next start, unless a variable sets others or another program has taken them. */
export const portsOf = (folder: string): KnownPorts['clients'] =>
  readJson<StoredPorts>(join(folder, 'ports.json'))?.services.clients ?? defaultPorts;

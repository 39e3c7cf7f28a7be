import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { images } from './images.ts';
import { installedLicenses } from './installed-licenses.ts';
import { kafkaJars } from './kafka-jars.ts';
import { npmPackages } from './npm-packages.ts';
import type { Part } from './part.ts';
import { toolchain } from './toolchain.ts';

/** Everything that a checkout names in its locks, its composition (with `.env`, if there is one) and its Dockerfile. Licences of npm packages are those of what is installed. */
export function collectParts(root: string): Part[] {
  const read = (file: string): string => readFileSync(join(root, file), 'utf8');
  const known = installedLicenses(root);
  return [
    ...npmPackages(read('pnpm-lock.yaml'), (id) => known.get(id)),
    ...toolchain(read('scripts/toolchain/package-lock.json')),
    ...kafkaJars(read('infra/kafka/jars.json')),
    ...images(
      read('docker-compose.yml'),
      read('infra/docker/Dockerfile'),
      existsSync(join(root, '.env')) ? parseEnv(read('.env')) : {},
    ),
  ];
}

import type { Part } from './part.ts';

/** The jars of the Kafka broker that people and tests run (`infra/kafka`); in production it is an image. Pure. */
export function kafkaJars(lockText: string): Part[] {
  const jars = JSON.parse(lockText) as {
    group: string;
    name: string;
    version: string;
    license: string;
    sha512: string;
  }[];
  return jars.map(({ sha512, group, name, version, license }) => ({
    kind: 'library',
    purl: `pkg:maven/${group}/${name}@${version}?type=jar`,
    group,
    name,
    version,
    license,
    hashes: { sha512 },
    scope: 'excluded',
    isDirect: true,
    needs: [],
  }));
}

import type { Seed, TestApi } from './test-api.ts';

/** Makes, if it is not there, the categorical score definition `Sample` of the seed's project. */
export async function makeScoreDefinition({ prisma }: TestApi, { projectId }: Seed): Promise<string> {
  const there = await prisma.scoreDefinition.findFirst({ where: { projectId }, orderBy: { createdAt: 'asc' } });
  if (there !== null) return there.id;
  const config = { options: [{ key: 'good', label: 'Good' }] };
  const versions = { create: { id: crypto.randomUUID(), version: 1, config } };
  const data = { id: crypto.randomUUID(), projectId, name: 'Sample', kind: 'categorical', versions };
  return (await prisma.scoreDefinition.create({ data })).id;
}

/** The first version of that definition. */
export async function makeScoreDefinitionVersion(api: TestApi, seed: Seed): Promise<string> {
  const definitionId = await makeScoreDefinition(api, seed);
  return (await api.prisma.scoreDefinitionVersion.findFirstOrThrow({ where: { definitionId, version: 1 } })).id;
}

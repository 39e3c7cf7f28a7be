import type { Seed, TestApi } from './test-api.ts';

const seen = { firstSeenAt: new Date('2026-01-02T03:00:00Z'), lastSeenAt: new Date('2026-01-03T04:00:00Z') };

/** Makes, if it is not there, the event `signed_up` of the seed's project. */
export async function makeEventDefinition({ prisma }: TestApi, { projectId }: Seed): Promise<string> {
  const name = 'signed_up';
  const where = { projectId_name: { projectId, name } };
  return (await prisma.eventDefinition.upsert({ where, create: { projectId, name, ...seen }, update: {} })).id;
}

/** Makes, if it is not there, the property `plan` of the events of the seed's project. */
export async function makePropertyDefinition({ prisma }: TestApi, { projectId }: Seed): Promise<string> {
  const key = { projectId, type: 'event', groupTypeIndex: -1, name: 'plan' };
  const where = { projectId_type_groupTypeIndex_name: key };
  return (await prisma.propertyDefinition.upsert({ where, create: { ...key, ...seen }, update: {} })).id;
}

import type { Prisma } from '@millrace/postgres/generated/client.ts';
import type { QueryColumn } from '@millrace/query-language/columns.ts';
import type { StoredEndpoint } from './endpoint.ts';

/** What is read of an endpoint with its current version. The highest version is the current one, always (contract/endpoints 0.3). */
export const withCurrent = {
  createdBy: true,
  versions: { orderBy: { version: 'desc' }, take: 1, include: { createdBy: true } },
  _count: { select: { versions: true } },
} as const satisfies Prisma.EndpointInclude;

/** A row read `withCurrent`, as the rest of the feature knows it. */
export function storedOf({ versions, _count, ...endpoint }: Prisma.EndpointGetPayload<{ include: typeof withCurrent }>): StoredEndpoint {
  const [current] = versions;
  if (current === undefined) throw new Error(`endpoint ${endpoint.id} has no version`);
  return { endpoint, current, versionsCount: _count.versions };
}

/** Columns as Prisma wants JSON. */
export function asJson(columns: readonly QueryColumn[]): Prisma.InputJsonObject[] {
  return columns.map((column) => ({ ...column }));
}

import type { Prisma } from '@millrace/postgres/generated/client.ts';
import type { QueryColumn } from '@millrace/query-language/columns.ts';
import type { StoredEndpoint } from '../endpoint.ts';

/** Relations that are read with an endpoint; its current version is read apart. */
export const withCount = {
  createdBy: true,
  _count: { select: { versions: true } },
} as const satisfies Prisma.EndpointInclude;

/** Relations that are read with a version. */
export const withMaterialization = {
  createdBy: true,
  // Without its layout, which may be long.
  materialization: {
    select: {
      id: true,
      status: true,
      tableName: true,
      lastMaterializedAt: true,
      error: true,
      hibernatedAt: true,
      bucketsRebuilt: true,
      rowsRead: true,
    },
  },
} as const satisfies Prisma.EndpointVersionInclude;

type EndpointWithCount = Prisma.EndpointGetPayload<{ include: typeof withCount }>;

/**
 * Endpoints that were read `withCount`, with their current versions, which are read by number: for the first in an
 * order Prisma reads all versions of each, and there may be thousands, of a megabyte. A version that an endpoint has
 * had stays.
 */
export async function readCurrent(
  { endpointVersion }: Pick<Prisma.TransactionClient, 'endpointVersion'>,
  rows: readonly EndpointWithCount[],
): Promise<StoredEndpoint[]> {
  if (rows.length === 0) return [];
  const current = rows.map(({ id, currentVersion }) => ({ endpointId: id, version: currentVersion }));
  const found = new Map(
    (await endpointVersion.findMany({ where: { OR: current }, include: withMaterialization })).map((version) => [
      version.endpointId,
      version,
    ]),
  );
  return rows.map(({ _count, ...endpoint }) => {
    const version = found.get(endpoint.id);
    if (version === undefined) throw new Error(`endpoint ${endpoint.id} has no version ${endpoint.currentVersion}`);
    return { endpoint, current: version, versionsCount: _count.versions };
  });
}

/** The same of one endpoint. */
export async function readCurrentOf(
  client: Pick<Prisma.TransactionClient, 'endpointVersion'>,
  row: EndpointWithCount,
): Promise<StoredEndpoint> {
  const [stored] = await readCurrent(client, [row]);
  return stored as StoredEndpoint;
}

/** Columns as Prisma wants JSON. */
export function asJson(columns: readonly QueryColumn[]): Prisma.InputJsonObject[] {
  return columns.map((column) => ({ ...column }));
}

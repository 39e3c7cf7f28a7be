import { Prisma, type PrismaClient } from '@millrace/postgres/generated/client.ts';
import type { Clock } from '@millrace/runtime/clock.ts';
import { uuidV7 } from '@millrace/runtime/ids.ts';
import { readLongRows, type Page } from '@millrace/http/pagination.ts';
import type { QueryColumn } from '@millrace/query-language/columns.ts';
import type { KeptTypes } from '@millrace/query-language/schema/learned-names.ts';
import { changeMaterialization } from '../../../materialization/change-materialization.ts';
import { makeRoom, tooManyVersions } from '../../../materialization/make-room.ts';
import { isUniqueViolation } from '../../../database/prisma-errors.ts';
import { changeEndpoint, type Decide, type StoredChange } from './change-endpoint.ts';
import type { StoredEndpoint, StoredVersion } from '../endpoint.ts';
import { asJson, readCurrent, readCurrentOf, withCount, withMaterialization } from './stored-endpoint.ts';

/** Input for a new endpoint. */
export interface NewEndpoint {
  projectId: number;
  userId: number;
  name: string;
  isActive: boolean;
  derivedFromInsight: string | null;
  tags: string[];
  query: Record<string, unknown>;
  description: string;
  dataFreshnessSeconds: number;
  optionalBreakdownProperties: string[];
  columns: QueryColumn[];
  propertyTypes: KeptTypes;
  isMaterialized: boolean;
  bucketOverrides: Record<string, string> | null;
}

export interface EndpointFilter {
  isActive?: boolean;
  createdBy?: number;
}

export type EndpointStore = ReturnType<typeof createEndpointStore>;

/** Endpoints and their versions in Postgres. Every read is of one project and leaves out what was deleted. */
export function createEndpointStore(
  prisma: PrismaClient,
  clock: Clock,
  { materializedMax }: { /** Most materialized versions of a project. */ materializedMax: number },
) {
  return {
    /** The endpoint with version 1, or null when the name is taken, even by a request at the same moment. */
    async create(endpoint: NewEndpoint): Promise<StoredEndpoint | null> {
      const nowMs = clock.nowMs();
      const { projectId, userId, name, isActive, derivedFromInsight, tags, isMaterialized, ...version } = endpoint;
      const id = uuidV7(nowMs);
      const firstVersion = {
        ...version,
        id: uuidV7(nowMs),
        version: 1,
        query: version.query as Prisma.InputJsonObject,
        columns: asJson(version.columns),
        propertyTypes: version.propertyTypes as Prisma.InputJsonObject,
        bucketOverrides: version.bucketOverrides ?? Prisma.DbNull,
        createdById: userId,
        createdAt: new Date(nowMs),
      };
      const dates = { createdAt: new Date(nowMs), updatedAt: new Date(nowMs) };
      try {
        const made = {
          data: {
            id,
            projectId,
            name,
            isActive,
            derivedFromInsight,
            tags,
            createdById: userId,
            ...dates,
            versions: { create: firstVersion },
          },
          include: withCount,
        } as const;
        const row = await (isMaterialized
          ? prisma.$transaction(async (transaction) => {
              if (!(await makeRoom(transaction, projectId, materializedMax))) throw tooManyVersions(materializedMax);
              const created = await transaction.endpoint.create(made);
              await changeMaterialization(transaction, 'enable', { versionId: firstVersion.id, endpointId: id });
              return created;
            })
          : prisma.endpoint.create(made));
        return await readCurrentOf(prisma, row);
      } catch (error) {
        if (isUniqueViolation(error)) return null;
        throw error;
      }
    },

    async find(projectId: number, name: string): Promise<StoredEndpoint | null> {
      const row = await prisma.endpoint.findFirst({ where: { projectId, name, deletedAt: null }, include: withCount });
      return row && (await readCurrentOf(prisma, row));
    },

    /** The endpoint of that id, whatever its name is now; null: deleted, or there is none. */
    async findById(id: string): Promise<StoredEndpoint | null> {
      const row = await prisma.endpoint.findFirst({ where: { id, deletedAt: null }, include: withCount });
      return row && (await readCurrentOf(prisma, row));
    },

    async findVersion(endpointId: string, version: number): Promise<StoredVersion | null> {
      return prisma.endpointVersion.findUnique({
        where: { endpointId_version: { endpointId, version } },
        include: withMaterialization,
      });
    },

    /** One page, newest first, and the count of all that match. */
    async list(
      projectId: number,
      filter: EndpointFilter,
      page: Page,
    ): Promise<{ count: number; endpoints: StoredEndpoint[] }> {
      const where = { projectId, deletedAt: null, ...matching(filter) };
      const [count, endpoints] = await Promise.all([
        prisma.endpoint.count({ where }),
        readLongRows(page, async ({ limit, offset }) =>
          readCurrent(
            prisma,
            await prisma.endpoint.findMany({
              where,
              include: withCount,
              orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
              take: limit,
              skip: offset,
            }),
          ),
        ),
      ]);
      return { count, endpoints };
    },

    /** One page of an endpoint's versions, newest first, and the count of all that match. */
    async listVersions(
      endpointId: string,
      filter: EndpointFilter,
      page: Page,
    ): Promise<{ count: number; versions: StoredVersion[] }> {
      const where = { endpointId, ...matching(filter) };
      const [count, versions] = await Promise.all([
        prisma.endpointVersion.count({ where }),
        readLongRows(page, ({ limit, offset }) =>
          prisma.endpointVersion.findMany({
            where,
            include: withMaterialization,
            orderBy: { version: 'desc' },
            take: limit,
            skip: offset,
          }),
        ),
      ]);
      return { count, versions };
    },

    /** Names of a project's endpoints, newest first, at most 1,000, for suggestions after a misspelt name. */
    async names(projectId: number): Promise<string[]> {
      const where = { projectId, deletedAt: null };
      const rows = await prisma.endpoint.findMany({
        where,
        select: { name: true },
        orderBy: { createdAt: 'desc' },
        take: 1_000,
      });
      return rows.map(({ name }) => name);
    },

    /** Last execution times of endpoints. Unknown endpoints and those that never ran are left out. */
    async lastExecutions(
      projectId: number,
      names: readonly string[],
    ): Promise<{ name: string; lastExecutedAt: Date }[]> {
      const where = { projectId, name: { in: [...names] }, deletedAt: null, lastExecutedAt: { not: null } };
      const rows = await prisma.endpoint.findMany({
        where,
        select: { name: true, lastExecutedAt: true },
        orderBy: { name: 'asc' },
      });
      return rows.flatMap(({ name, lastExecutedAt }) => (lastExecutedAt === null ? [] : [{ name, lastExecutedAt }]));
    },

    /** @throws what `decide` throws; {AppError} not_found, or 400 for a name that is taken */
    change: (
      address: { projectId: number; name: string; version: number | undefined },
      userId: number,
      decide: Decide,
    ): Promise<StoredChange> => changeEndpoint({ prisma, clock, materializedMax }, address, userId, decide),

    /** Marks the endpoint as deleted; false when it was not there any more. Its versions stay. */
    async softDelete(projectId: number, name: string): Promise<boolean> {
      const { count } = await prisma.endpoint.updateMany({
        where: { projectId, name, deletedAt: null },
        data: { deletedAt: new Date(clock.nowMs()) },
      });
      return count > 0;
    },
  };
}

function matching({ isActive, createdBy }: EndpointFilter) {
  return {
    ...(isActive === undefined ? {} : { isActive }),
    ...(createdBy === undefined ? {} : { createdById: createdBy }),
  };
}

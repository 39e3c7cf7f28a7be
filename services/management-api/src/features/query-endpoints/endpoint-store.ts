import type { Prisma, PrismaClient } from '@millrace/postgres/generated/client.ts';
import type { Clock } from '@millrace/runtime/clock.ts';
import { uuidV7 } from '@millrace/runtime/ids.ts';
import type { Page } from '@millrace/http/pagination.ts';
import { isUniqueViolation } from '../../prisma-errors.ts';
import type { Column, StoredEndpoint, StoredVersion } from './endpoint.ts';

/** What a new endpoint starts with. */
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
  columns: Column[];
}

export interface EndpointFilter {
  isActive?: boolean;
  createdBy?: number;
}

export type EndpointStore = ReturnType<typeof createEndpointStore>;

// The highest version is the current one, always (contract/endpoints 0.3).
const withCurrent = {
  createdBy: true,
  versions: { orderBy: { version: 'desc' }, take: 1, include: { createdBy: true } },
  _count: { select: { versions: true } },
} as const satisfies Prisma.EndpointInclude;

type RowWithCurrent = Prisma.EndpointGetPayload<{ include: typeof withCurrent }>;

/** Endpoints and their versions in Postgres. Every read is of one project and leaves out what was deleted. */
export function createEndpointStore(prisma: PrismaClient, clock: Clock) {
  return {
    /** The endpoint with version 1, or null when the name is taken, even by a request at the same moment. */
    async create(endpoint: NewEndpoint): Promise<StoredEndpoint | null> {
      const nowMs = clock.nowMs();
      const { projectId, userId, name, isActive, derivedFromInsight, tags, ...version } = endpoint;
      const firstVersion = {
        ...version,
        id: uuidV7(nowMs),
        version: 1,
        query: version.query as Prisma.InputJsonObject,
        createdById: userId,
        createdAt: new Date(nowMs),
      };
      const dates = { createdAt: new Date(nowMs), updatedAt: new Date(nowMs) };
      try {
        const row = await prisma.endpoint.create({
          data: { id: uuidV7(nowMs), projectId, name, isActive, derivedFromInsight, tags, createdById: userId, ...dates, versions: { create: firstVersion } },
          include: withCurrent,
        });
        return storedOf(row);
      } catch (error) {
        if (isUniqueViolation(error)) return null;
        throw error;
      }
    },

    async find(projectId: number, name: string): Promise<StoredEndpoint | null> {
      const row = await prisma.endpoint.findFirst({ where: { projectId, name, deletedAt: null }, include: withCurrent });
      return row && storedOf(row);
    },

    async findVersion(endpointId: string, version: number): Promise<StoredVersion | null> {
      return prisma.endpointVersion.findUnique({ where: { endpointId_version: { endpointId, version } }, include: { createdBy: true } });
    },

    /** One page, newest first, and the count of all that match. */
    async list(projectId: number, filter: EndpointFilter, { limit, offset }: Page): Promise<{ count: number; endpoints: StoredEndpoint[] }> {
      const where: Prisma.EndpointWhereInput = {
        projectId,
        deletedAt: null,
        ...(filter.isActive === undefined ? {} : { isActive: filter.isActive }),
        ...(filter.createdBy === undefined ? {} : { createdById: filter.createdBy }),
      };
      const [count, rows] = await Promise.all([
        prisma.endpoint.count({ where }),
        prisma.endpoint.findMany({ where, include: withCurrent, orderBy: [{ createdAt: 'desc' }, { id: 'desc' }], take: limit, skip: offset }),
      ]);
      return { count, endpoints: rows.map(storedOf) };
    },

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

function storedOf({ versions, _count, ...endpoint }: RowWithCurrent): StoredEndpoint {
  const [current] = versions;
  if (current === undefined) throw new Error(`endpoint ${endpoint.id} has no version`);
  return { endpoint, current, versionsCount: _count.versions };
}

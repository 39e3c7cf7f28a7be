import { Prisma, type PrismaClient } from '@millrace/postgres/generated/client.ts';
import { AppError } from '@millrace/http/errors/errors.ts';
import type { Clock } from '@millrace/runtime/clock.ts';
import { uuidV7 } from '@millrace/runtime/ids.ts';
import { isUniqueViolation } from '../../../database/prisma-errors.ts';
import { takenName } from '../body/endpoint-body.ts';
import type { EndpointChanges } from '../endpoint-changes.ts';
import type { StoredEndpoint, StoredVersion } from '../endpoint.ts';
import { makeRoom, tooManyVersions, tooManyWords } from '../../../materialization/make-room.ts';
import { changeMaterialization, type MaterializationChange } from '../../../materialization/change-materialization.ts';
import { asJson, readCurrentOf, withCount, withMaterialization } from './stored-endpoint.ts';

/** An endpoint after a change, and the version that the request named. */
export interface StoredChange {
  stored: StoredEndpoint;
  target: StoredVersion | null;
  /** Change of the table of the version `changedId`. */
  materialization: MaterializationChange;
  /** The version that is addressed, or that was made. */
  changedId: string;
  /** Why the new version is not materialized as the one before it; null: it is, or there is none. */
  materializationError: string | null;
}

type Addressed = Pick<StoredChange, 'stored' | 'target'>;

/** Says what is to be changed of an endpoint as it is now. `target` is null when no version is named, or the named one is not there. */
export type Decide = (stored: StoredEndpoint, target: StoredVersion | null) => EndpointChanges;

interface Address {
  projectId: number;
  name: string;
  version: number | undefined;
}

/**
 * Changes an endpoint, one request after the other: each decides on what the one before it has made.
 * @throws what `decide` throws; {AppError} not_found, or 400 for a name that is taken
 */
export async function changeEndpoint(
  { prisma, clock, materializedMax }: { prisma: PrismaClient; clock: Clock; materializedMax: number },
  address: Address,
  userId: number,
  decide: Decide,
): Promise<StoredChange> {
  let wantedName = address.name;
  try {
    return await prisma.$transaction(async (transaction) => {
      const [locked] = await transaction.$queryRaw<{ id: string }[]>`SELECT id FROM endpoints
        WHERE project_id = ${address.projectId} AND name = ${address.name} AND deleted_at IS NULL FOR UPDATE`;
      if (locked === undefined) throw new AppError('not_found');
      const before = await read(transaction, locked.id, address.version);
      const changes = decide(before.stored, before.target);
      wantedName = changes.endpoint.name ?? wantedName;
      const versionId = await write(transaction, before, changes, { userId, nowMs: clock.nowMs() });
      const materialized = await materialize(
        transaction,
        address.projectId,
        { changes, materializedMax },
        {
          versionId,
          endpointId: locked.id,
        },
      );
      return { ...(await read(transaction, locked.id, address.version)), ...materialized, changedId: versionId };
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw takenName(wantedName);
    throw error;
  }
}

async function read(
  transaction: Prisma.TransactionClient,
  id: string,
  version: number | undefined,
): Promise<Addressed> {
  const stored = await readCurrentOf(
    transaction,
    await transaction.endpoint.findUniqueOrThrow({ where: { id }, include: withCount }),
  );
  if (version === undefined) return { stored, target: null };
  const where = { endpointId_version: { endpointId: id, version } };
  return { stored, target: await transaction.endpointVersion.findUnique({ where, include: withMaterialization }) };
}

/** Writes the changes of endpoint and version. Returns the id of the version that they are about. */
async function write(
  transaction: Prisma.TransactionClient,
  { stored: { endpoint, current }, target }: Addressed,
  changes: EndpointChanges,
  { userId, nowMs }: { userId: number; nowMs: number },
): Promise<string> {
  const now = new Date(nowMs);
  const next = changes.newVersion && {
    ...storable(changes.newVersion),
    id: uuidV7(nowMs),
    query: changes.newVersion.query as Prisma.InputJsonObject,
    columns: asJson(changes.newVersion.columns),
    propertyTypes: changes.newVersion.propertyTypes as Prisma.InputJsonObject,
    version: current.version + 1,
  };
  const versionId = next?.id ?? (target ?? current).id;
  if (next !== null)
    await transaction.endpointVersion.create({
      data: { ...next, endpointId: endpoint.id, createdById: userId, createdAt: now },
    });
  else if (Object.keys(changes.version).length > 0) {
    await transaction.endpointVersion.update({
      where: { id: versionId },
      data: { ...storable(changes.version), updatedAt: now },
    });
  }
  await transaction.endpoint.update({
    where: { id: endpoint.id },
    data: { ...changes.endpoint, updatedAt: now, ...(next && { currentVersion: next.version }) },
  });
  return versionId;
}

/**
 * Changes the materialization of the version, after the version that it replaces is an old one. Returns what was changed, and why a new version
 * is not materialized.
 * @throws {AppError} 400 when another materialized version is too many, and no version was made
 */
async function materialize(
  transaction: Prisma.TransactionClient,
  projectId: number,
  { changes, materializedMax }: { changes: EndpointChanges; materializedMax: number },
  version: { versionId: string; endpointId: string },
): Promise<Pick<StoredChange, 'materialization' | 'materializationError'>> {
  if (changes.materialization === 'enable' && !(await makeRoom(transaction, projectId, materializedMax))) {
    if (changes.newVersion === null) throw tooManyVersions(materializedMax);
    return { materialization: null, materializationError: tooManyWords(materializedMax) };
  }
  await changeMaterialization(transaction, changes.materialization, version);
  return { materialization: changes.materialization, materializationError: changes.materializationError };
}

/** Fields with their JSON as Prisma wants it. */
function storable<Fields extends EndpointChanges['version']>({ bucketOverrides, ...fields }: Fields) {
  return { ...fields, ...(bucketOverrides !== undefined && { bucketOverrides: bucketOverrides ?? Prisma.DbNull }) };
}

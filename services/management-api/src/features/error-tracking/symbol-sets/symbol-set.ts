import { Boolean, Integer, Object as ObjectType, String as StringType, Union, Null, type Static } from 'typebox';
import { nullable } from '@millrace/http/nullable.ts';
import type { Prisma } from '@millrace/postgres/generated/client.ts';
import { Release, renderRelease } from '../releases/release.ts';

export const symbolSetsPath = '/api/projects/:project_id/error_tracking/symbol_sets';

/** Common to all its routes. */
export const symbolSetRoute = { tag: 'Error tracking', throttle: 'symbol_sets' } as const;

/** A source map, or other file with which stack frames are resolved (contract/orgs-errors 3.3). */
export const SymbolSet = ObjectType(
  {
    id: StringType({ format: 'uuid' }),
    ref: StringType({
      description: 'Chunk id, or the URL of a map.',
      examples: ['01980a3c-5f6e-7c1a-9b2d-3e4f5a6b7c8d'],
    }),
    team_id: Integer({ description: 'The project.' }),
    created_at: StringType({ format: 'date-time' }),
    last_used: nullable(StringType({ format: 'date-time', description: 'Rewritten at most every 12 hours.' })),
    failure_reason: nullable(
      StringType({ description: 'Reason of the last look-up that failed.', examples: ['no map'] }),
    ),
    has_uploaded_file: Boolean({ description: 'An upload of it was finished.' }),
    release: Union([Release, Null()]),
  },
  { title: 'SymbolSet' },
);

/** A row is read with its release. */
export const withRelease = { include: { release: true } } as const;

export type StoredSet = Prisma.SymbolSetGetPayload<typeof withRelease>;

/** Pure. */
export function renderSymbolSet(row: StoredSet): Static<typeof SymbolSet> {
  return {
    id: row.id,
    ref: row.ref,
    team_id: row.projectId,
    created_at: row.createdAt.toISOString(),
    last_used: row.lastUsedAt?.toISOString() ?? null,
    failure_reason: row.failureReason,
    has_uploaded_file: row.storageKey !== null,
    release: row.release && renderRelease(row.release),
  };
}

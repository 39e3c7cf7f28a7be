import {
  Integer,
  Object as ObjectType,
  Optional,
  Record as RecordType,
  String as StringType,
  Unknown,
  type Static,
} from 'typebox';
import { AppError } from '@millrace/http/errors/errors.ts';
import { nullable } from '@millrace/http/nullable.ts';
import { Prisma, type ErrorTrackingRelease as StoredRelease } from '@millrace/postgres/generated/client.ts';

export const releasesPath = '/api/projects/:project_id/error_tracking/releases';

const git = { git: { commit_id: '9f2c1e7', branch: 'main', repo_name: 'shop' } };
const metadata = (description?: string) =>
  nullable(RecordType(StringType(), Unknown(), { examples: [git], ...(description !== undefined && { description }) }));

/** A build of a program whose exceptions are tracked (contract/orgs-errors 4.5). */
export const Release = ObjectType(
  {
    id: StringType({ format: 'uuid' }),
    hash_id: StringType({ examples: ['5d41402abc4b2a76b9719d911017c592'] }),
    team_id: Integer({ description: 'The project.' }),
    created_at: StringType({ format: 'date-time' }),
    metadata: metadata(),
    version: StringType({ examples: ['1.4.2'] }),
    project: StringType({ description: 'Name of the program.', examples: ['shop-web'] }),
  },
  { title: 'Release' },
);

const textLengthMax = 1000;
/** UTF-8 bytes as JSON. Each row of a list of symbol sets shows the metadata of its release. */
const metadataBytesMax = 16_384;

const fields = {
  version: StringType({ minLength: 1, maxLength: textLengthMax, examples: ['1.4.2'] }),
  project: StringType({
    minLength: 1,
    maxLength: textLengthMax,
    description: 'Name of the program.',
    examples: ['shop-web'],
  }),
  hash_id: nullable(
    StringType({
      minLength: 1,
      maxLength: 128,
      description: 'Unique in the project; posthog-cli sends the SHA-512 of program and version. Default: the id.',
    }),
  ),
  metadata: metadata('At most 16,384 bytes as JSON. `git.commit_id` is found by searches of symbol sets.'),
};

/** Body of create. */
export const ReleaseBody = ObjectType(
  {
    version: fields.version,
    project: fields.project,
    hash_id: Optional(fields.hash_id),
    metadata: Optional(fields.metadata),
  },
  { title: 'ReleaseCreate' },
);

/** Body of PATCH and PUT: what is missing stays. */
export const ReleaseChange = ObjectType(
  {
    version: Optional(fields.version),
    project: Optional(fields.project),
    hash_id: Optional(fields.hash_id),
    metadata: Optional(fields.metadata),
  },
  { title: 'ReleaseUpdate' },
);

/** Metadata as it is stored; undefined: none is given. Pure. @throws {AppError} max_length on `metadata` */
export function readMetadata(
  value: Record<string, unknown> | null | undefined,
): Prisma.InputJsonValue | typeof Prisma.DbNull | undefined {
  if (value === undefined) return undefined;
  if (value === null) return Prisma.DbNull;
  if (Buffer.byteLength(JSON.stringify(value)) <= metadataBytesMax) return value as Prisma.InputJsonObject;
  throw new AppError('max_length', {
    attr: 'metadata',
    detail: `Ensure this field has no more than ${metadataBytesMax} bytes as JSON.`,
  });
}

/** Pure. */
export function renderRelease(row: StoredRelease): Static<typeof Release> {
  return {
    id: row.id,
    hash_id: row.hashId,
    team_id: row.projectId,
    created_at: row.createdAt.toISOString(),
    metadata: row.metadata as Record<string, unknown> | null,
    version: row.version,
    project: row.project,
  };
}

/** The fields that people change, for the activity log. Pure. */
export function describeRelease(row: StoredRelease) {
  const { hash_id, version, project, metadata } = renderRelease(row);
  return { hash_id, version, project, metadata };
}

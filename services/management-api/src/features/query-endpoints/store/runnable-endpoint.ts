import type { Pool } from '@millrace/postgres/pool.ts';
import type { EndpointVersion as VersionRow } from '@millrace/postgres/generated/client.ts';
import type { TableLayout } from '../../../materialization/build-request.ts';
import type { TablePlan } from '../../../queries/compile/compile-table.ts';

/** The fields of a version that a run needs. */
export type RunnableVersion = Pick<
  VersionRow,
  | 'id'
  | 'version'
  | 'query'
  | 'propertyTypes'
  | 'bucketOverrides'
  | 'isActive'
  | 'createdAt'
  | 'dataFreshnessSeconds'
  | 'optionalBreakdownProperties'
> & {
  /** null: it is not to be materialized. */
  materialization: RunnableMaterialization | null;
};

export interface RunnableMaterialization {
  /** null: none is built yet. */
  table: RunnableTable | null;
  /** Nobody ran it for long, so no table is built until somebody does. */
  isHibernated: boolean;
}

/** The table of a version, with the plan by which runs read it. */
export interface RunnableTable {
  /** The name of the table and of its view. */
  name: string;
  plan: TablePlan;
  /** Time at which its rows were read, in milliseconds since 1970. */
  builtAtMs: number;
}

/** The fields of an endpoint that a run needs. */
export interface RunnableEndpoint {
  endpoint: { id: string; name: string; isActive: boolean; currentVersion: number };
  /** The version that runs when none is named. */
  current: RunnableVersion;
}

export interface RunnableEndpoints {
  /** The endpoint of that name with its current version; null: unknown or deleted. */
  find(projectId: number, name: string): Promise<RunnableEndpoint | null>;
  /** One version of an endpoint; null: there is none of that number. */
  findVersion(endpointId: string, version: number): Promise<RunnableVersion | null>;
}

const versionColumns =
  'v.id AS version_id, v.version, v.query, v.property_types, v.bucket_overrides, v.is_active AS version_is_active, v.created_at AS version_created_at, v.data_freshness_seconds, v.optional_breakdown_properties, m.version_id IS NOT NULL AS is_materialized, m.table_name, m.layout, m.last_materialized_at, m.hibernated_at';
const itsMaterialization = 'LEFT JOIN materializations m ON m.version_id = v.id';

// Each is one statement, prepared once a connection. The highest version is the current one, always (contract/endpoints 0.3).
const find = {
  name: 'find-runnable-endpoint',
  text: `SELECT e.id, e.name, e.is_active, e.current_version, ${versionColumns}
    FROM endpoints e
    CROSS JOIN LATERAL (SELECT * FROM endpoint_versions WHERE endpoint_id = e.id ORDER BY version DESC LIMIT 1) v
    ${itsMaterialization}
    WHERE e.project_id = $1 AND e.name = $2 AND e.deleted_at IS NULL`,
};
const findVersion = {
  name: 'find-runnable-version',
  text: `SELECT ${versionColumns} FROM endpoint_versions v ${itsMaterialization} WHERE v.endpoint_id = $1 AND v.version = $2`,
};

interface VersionColumns {
  version_id: string;
  version: number;
  query: RunnableVersion['query'];
  property_types: RunnableVersion['propertyTypes'];
  bucket_overrides: RunnableVersion['bucketOverrides'];
  version_is_active: boolean;
  version_created_at: Date;
  data_freshness_seconds: number;
  optional_breakdown_properties: string[];
  is_materialized: boolean;
  table_name: string | null;
  /** JSON of a `TableLayout`. */
  layout: string | null;
  last_materialized_at: Date | null;
  hibernated_at: Date | null;
}

interface EndpointColumns extends VersionColumns {
  id: string;
  name: string;
  is_active: boolean;
  current_version: number;
}

/** Reads the stored endpoint without Prisma, whose statements for an endpoint with all its relations cost more than a small query (docs/performance.md#management-api). */
export function createRunnableEndpoints(pool: Pool): RunnableEndpoints {
  return {
    async find(projectId, name) {
      const [row] = (await pool.query<EndpointColumns>({ ...find, values: [projectId, name] })).rows;
      if (row === undefined) return null;
      return {
        endpoint: { id: row.id, name: row.name, isActive: row.is_active, currentVersion: row.current_version },
        current: versionOf(row),
      };
    },
    async findVersion(endpointId, version) {
      const [row] = (await pool.query<VersionColumns>({ ...findVersion, values: [endpointId, version] })).rows;
      return row === undefined ? null : versionOf(row);
    },
  };
}

function versionOf(row: VersionColumns): RunnableVersion {
  return {
    id: row.version_id,
    version: row.version,
    query: row.query,
    propertyTypes: row.property_types,
    bucketOverrides: row.bucket_overrides,
    isActive: row.version_is_active,
    createdAt: row.version_created_at,
    dataFreshnessSeconds: row.data_freshness_seconds,
    optionalBreakdownProperties: row.optional_breakdown_properties,
    materialization: row.is_materialized ? { table: tableOf(row), isHibernated: row.hibernated_at !== null } : null,
  };
}

function tableOf({ table_name: name, layout, last_materialized_at: builtAt }: VersionColumns): RunnableTable | null {
  if (name === null || layout === null || builtAt === null) return null;
  return { name, plan: (JSON.parse(layout) as TableLayout).plan as TablePlan, builtAtMs: builtAt.getTime() };
}

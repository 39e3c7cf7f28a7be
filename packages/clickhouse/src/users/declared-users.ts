import { createHash } from 'node:crypto';
import { allTables } from '@millrace/contracts/tables/all-tables.ts';
import type { DeclaredTable } from '@millrace/contracts/tables/declare-table.ts';
import { logEntries } from '@millrace/contracts/tables/log-entries.ts';
import { mirroredTables } from '@millrace/contracts/tables/mirrored-tables.ts';
import { queryLog } from '@millrace/contracts/tables/query-log.ts';
import { tenantHeaderNames, tenantTokenError } from './tenant-token.ts';

/** Passwords of ClickHouse's users, and the secret that tenants' capability tokens are made with. */
export interface ClickhouseSecrets {
  /** User `admin`: migrations. */
  admin: string;
  /** User `writer`: reads and inserts in `analytics`; the consumer. */
  writer: string;
  /** User `tenant`: users' queries, through the row policies. */
  tenant: string;
  /**
   * User `materializer`: fills tables in `internal` with results of users' queries, and makes views on them in `materialized`; reads tenants'
   * tables through the same row policies, stored ones through those views, and no table in `internal`.
   */
  materializer: string;
  /**
   * User `maintainer`: writes squashed person overrides, and stacks that were resolved anew, into events; of properties it reads those that are
   * waiting to be written (`late_events`).
   */
  maintainer: string;
  /** User `recorder`: adds to the logs of endpoints' runs and to the copies of reviews, and reads nothing; the management API. */
  recorder: string;
  /** Only the row policies and who sends tenants' queries know it. At least 16 characters of A–Z a–z 0–9 _ -. */
  tokenSecret: string;
}

/** Users that services log in as; the administrator is another one. */
type LoginUser = Exclude<keyof ClickhouseSecrets, 'admin' | 'tokenSecret'>;

type Value = string | number;

/** A settings profile. Values are those of ClickHouse's settings, in their own units. */
export interface DeclaredProfile {
  readonly name: string;
  readonly settings: Readonly<Record<string, Value>>;
  /** Settings that a query may send with it although the user only reads, some of them within bounds. */
  readonly constraints: readonly { readonly name: string; readonly min?: number; readonly max?: number }[];
}

export interface DeclaredUser {
  /** Nobody logs in as `definer`: views in `materialized` read their tables with its rights. */
  readonly name: LoginUser | 'definer';
  readonly profile: string;
  /** Rights as SQL between `GRANT` and `TO`. */
  readonly rights: readonly string[];
  /** Filters of the rows of tables in `analytics` that the user sees. */
  readonly policies: readonly { readonly table: string; readonly filter: string }[];
}

/** Users with their profiles, rights and row policies, whatever the form in which a server gets them. */
export interface DeclaredUsers {
  readonly profiles: readonly DeclaredProfile[];
  readonly users: readonly DeclaredUser[];
}

export interface DeclareUsersOptions {
  secrets: Pick<ClickhouseSecrets, 'tokenSecret'>;
  /** Tables with those that tenants may read, each of them only rows of their own. They may be made later. Default: all of ours. */
  tables?: readonly Pick<DeclaredTable, 'name' | 'tenantColumn'>[];
  /** Most bytes of memory that all queries of tenants take together; half of what the server has leaves inserts theirs. Default: half of the local server's. */
  tenantMemoryBytesMax?: number;
  /** Most concurrent queries of all tenants together; the server refuses more. Default 100, half of the local server's. */
  tenantQueriesMax?: number;
}

/** Limits of all queries of tenants together: half of the local ClickHouse, which has 2 GB and takes 200 queries at a time. */
const localShare = { memoryBytes: 1_000_000_000, queries: 100 };

/** Largest (and preset) values of what a tenant's query may send with it, in the setting's own unit. `0` cannot be sent. */
const tenantLimits = {
  max_execution_time: { preset: 60, max: 600 },
  max_memory_usage: { preset: 1_000_000_000, max: 4_000_000_000 },
  max_result_rows: { preset: 50_001, max: 1_000_000_000 },
  max_result_bytes: { preset: 200_000_000, max: 100_000_000_000 },
  max_rows_to_read: { preset: 2_000_000_000, max: 20_000_000_000 },
  max_bytes_to_read: { preset: 100_000_000_000, max: 1_000_000_000_000 },
  max_threads: { preset: 4, max: 16 },
  max_ast_elements: { preset: 50_000, max: 500_000 },
  max_query_size: { preset: 1_048_576, max: 8_388_608 },
} as const;

/** Constraint of the nice value of a tenant query's threads: 0, the default, to 19. */
const standingBack = { name: 'os_threads_nice_value_query', min: 0, max: 19 };

/** Settings without a limit that a tenant's query may send: the form of its result. */
const tenantChoices = [
  'result_overflow_mode',
  'output_format_json_quote_64bit_integers',
  'output_format_json_quote_denormals',
  'date_time_output_format',
  'format_template_resultset_format',
  'format_template_row_format',
  'format_template_rows_between_delimiter',
  'format_csv_null_representation',
  'output_format_csv_serialize_tuple_into_separate_columns',
  'session_timezone',
  'max_block_size',
  'send_progress_in_http_headers',
  'http_headers_progress_interval_ms',
  'cancel_http_readonly_queries_on_client_close',
  'replace_running_query',
  'enable_http_compression',
  'http_zlib_compression_level',
] as const;

/**
 * Settings of all who read through row policies. Without the cache of conditions: what a row policy hid from one tenant would be
 * taken for empty for the next. The policies read the token of a team out of a header.
 */
export const policySettings = { use_query_condition_cache: 0, allow_get_client_http_header: 1 } as const;

/** Compiled aggregations take times before 1970 for times after all others: `min` and `max` of a group are wrong (ClickHouse 26.7). */
const uncompiled = { compile_aggregate_expressions: 0 } as const;

/** A second look at the indexes while data is read: it took 15 of 50 ms of CPU of a query by trace id, and spared nothing (ClickHouse 26.7). */
const indexedOnce = { use_skip_indexes_on_data_read: 0 } as const;

/** A server may live in another time zone. */
const inUtc = { session_timezone: 'UTC' } as const;

/**
 * The users of the product on any ClickHouse. Pure.
 * @throws {Error} for a name of a table or column or a token secret with other characters than the ones allowed.
 */
export function declareUsers({
  secrets: { tokenSecret },
  tables = allTables,
  tenantMemoryBytesMax = localShare.memoryBytes,
  tenantQueriesMax = localShare.queries,
}: DeclareUsersOptions): DeclaredUsers {
  const readable = tables.flatMap(({ name, tenantColumn }) => (tenantColumn === null ? [] : [{ name, tenantColumn }]));
  for (const name of readable.flatMap((table) => Object.values(table))) {
    if (!/^[a-z][a-z0-9_]*$/.test(name)) throw new Error(`not a plain name of a table or column: ${name}`);
  }
  if (!/^[A-Za-z0-9_-]{16,}$/.test(tokenSecret)) {
    throw new Error('the token secret needs at least 16 characters, all of them letters, digits, _ or -');
  }
  const isOfTenant = isOfTeam(tokenSecret);
  const policies = readable.map(({ name, tenantColumn }) => ({ table: name, filter: tenantColumn + isOfTenant }));
  const reads = readable.map(({ name }) => `SELECT ON analytics.${name}`);
  const service = { profile: serviceProfile.name, policies: [] };
  return {
    profiles: [serviceProfile, tenantProfile(tenantMemoryBytesMax, tenantQueriesMax), recorderProfile],
    users: [
      { ...service, name: 'writer', rights: ['SELECT, INSERT ON analytics.*'] },
      { name: 'tenant', profile: 'millrace_tenant', rights: [...reads, 'SELECT ON materialized.*'], policies },
      { ...service, name: 'definer', rights: ['SELECT ON internal.*'] },
      { ...service, name: 'materializer', rights: [...reads, ...materializerRights], policies },
      { ...service, name: 'maintainer', rights: maintainerRights },
      { ...service, name: 'recorder', profile: recorderProfile.name, rights: recorderRights },
    ],
  };
}

// Tables of materialized endpoints live in `internal`, out of tenants' reach. In `materialized`, which tenants read, it may make views
// alone (`project-view.ts`). It sends queries of users, so it reads tables of a project as tenants do: through these views alone, which ask for
// the token of the project. Incremental builds copy by them.
const materializerRights = [
  'SELECT, CREATE VIEW, DROP VIEW ON materialized.*',
  'INSERT, CREATE TABLE, DROP TABLE ON internal.*',
  'SET DEFINER ON definer',
  'TABLE ENGINE ON MergeTree',
];

/** Hash of no known password, for a user as whom nobody logs in; it is let in from nowhere besides. */
const noPasswordHash = '0'.repeat(64);

/** The SHA-256 of a user's password. Pure. */
export function passwordHash(secrets: ClickhouseSecrets, name: DeclaredUser['name'] | 'admin'): string {
  return name === 'definer' ? noPasswordHash : createHash('sha256').update(secrets[name]).digest('hex');
}

// Rights that the squashing of overrides and the resolving anew need (consumer, `squash/` and `late-maps/`): none of them takes an event away, or
// shows a property in `events`. An update reads all columns of `late_events`: properties of the page that is being written.
const maintainerRights = [
  'SELECT(team_id, uuid, event, distinct_id, timestamp, person_id), ALTER UPDATE(person_id, properties_text, properties) ON analytics.events',
  'SELECT, ALTER DELETE ON analytics.late_events',
  'SELECT, ALTER DELETE ON analytics.person_overrides',
  'SELECT, INSERT, TRUNCATE ON analytics.person_folds',
  'SELECT ON system.mutations',
];

// Logs of runs, and copies of rows of Postgres (management-api, `mirror/`).
const recorderRights = [queryLog, logEntries, ...mirroredTables].map(({ fullName }) => `INSERT ON ${fullName}`);

const serviceProfile: DeclaredProfile = {
  name: 'millrace_service',
  settings: { ...policySettings, ...uncompiled, ...inUtc },
  constraints: [],
};

// Low priority: records of finished runs wait for running queries.
const recorderProfile: DeclaredProfile = {
  name: 'millrace_recorder',
  settings: { os_threads_nice_value_query: 10, ...inUtc },
  constraints: [],
};

function tenantProfile(memoryBytesMax: number, queriesMax: number): DeclaredProfile {
  const limits = Object.entries(tenantLimits);
  return {
    name: 'millrace_tenant',
    settings: {
      readonly: 1,
      allow_ddl: 0,
      allow_introspection_functions: 0,
      use_query_cache: 0,
      ...policySettings,
      ...uncompiled,
      ...indexedOnce,
      ...inUtc,
      max_memory_usage_for_user: memoryBytesMax,
      max_concurrent_queries_for_user: queriesMax,
      ...Object.fromEntries(limits.map(([name, { preset }]) => [name, preset])),
    },
    constraints: [
      // Zero means "no limit" to ClickHouse, hence the minimum.
      ...limits.map(([name, { max }]) => ({ name, min: 1, max })),
      standingBack,
      ...tenantChoices.map((name) => ({ name })),
    ],
  };
}

function isOfTeam(k: string): string {
  // The check is a set of one team, computed once per query: the primary key prunes by it. As a scalar, `= (SELECT …)`, its value
  // would be written into the policy itself by the table function merge(), for everybody; without a sub-query, EXPLAIN would show
  // the secret. `signed` is a column of the inner one, so that an error of throwIf() names that and not what it is made of.
  // A wrong token must be an error: a result without rows would be cached and shown as correct.
  const { team, token } = tenantHeaderNames;
  return (
    ` IN (SELECT toInt64OrZero(team) + throwIf(NOT signed, '${tenantTokenError}') FROM (SELECT getClientHTTPHeader('${team}') AS team, ` +
    `getClientHTTPHeader('${token}') = hex(SHA256(concat('${k}:team:', team, ':${k}'))) AS signed))`
  );
}

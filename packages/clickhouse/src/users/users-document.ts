import { createHash } from 'node:crypto';
import { allTables } from '@millrace/contracts/tables/all-tables.ts';
import type { DeclaredTable } from '@millrace/contracts/tables/declare-table.ts';
import { escapeXml } from '@millrace/runtime/xml.ts';
import { tenantHeaderNames, tenantTokenError } from './tenant-token.ts';

/** Passwords of ClickHouse's users, and the secret that tenants' capability tokens are made with. */
export interface ClickhouseSecrets {
  /** User `admin`: migrations. */
  admin: string;
  /** User `writer`: reads and inserts in `analytics`; the consumer. */
  writer: string;
  /** User `tenant`: users' queries, through the row policies. */
  tenant: string;
  /** User `materializer`: builds in `materialized` and `internal`; reads tenants' tables through the same row policies. */
  materializer: string;
  /** User `maintainer`: squashes person overrides into events; it may change nothing else of them. */
  maintainer: string;
  /** User `recorder`: adds to the logs of endpoints' runs, and reads nothing; the management API. */
  recorder: string;
  /** Only the row policies and who sends tenants' queries know it. At least 16 characters of A–Z a–z 0–9 _ -. */
  tokenSecret: string;
}

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

/**
 * How far the threads of a tenant's query stand back behind others: 0, which they are unless told, to 19. Nobody may stand in front.
 */
const standingBack =
  '<os_threads_nice_value_query><min>0</min><max>19</max><changeable_in_readonly/></os_threads_nice_value_query>';

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

type PolicyTable = Pick<DeclaredTable, 'name' | 'tenantColumn'>;

export interface ClickhouseUsersOptions {
  secrets: ClickhouseSecrets;
  /** Tables with those that tenants may read, each of them only rows of their own. They may be made later. Default: all of ours. */
  tables?: readonly PolicyTable[];
  /** Addresses that users may come from: of this machine alone, or any. Who may reach the port is then the network's to say. */
  from: 'loopback' | 'anywhere';
  /** Most bytes of memory that all queries of tenants take together; half of what the server has leaves inserts theirs. Default: half of the local server's. */
  tenantMemoryBytesMax?: number;
  /** Most queries of tenants at a time, whoever sends them: with more the server refuses them. Default 100, half of the local server's. */
  tenantQueriesMax?: number;
}

/** Limits of all queries of tenants together: half of the local ClickHouse, which has 2 GB and takes 200 queries at a time. */
const localShare = { memoryBytes: 1_000_000_000, queries: 100 };

/**
 * The users of ClickHouse, with profiles, grants and row policies: a document for the folder `users.d` of any server, a
 * local one or one in production. It takes the user `default` away, whom servers have without a password. Pure.
 * @throws {Error} for a name of a table or column or a token secret with other characters than the ones allowed.
 */
export function buildUsersXml({
  secrets,
  tables = allTables,
  from,
  tenantMemoryBytesMax = localShare.memoryBytes,
  tenantQueriesMax = localShare.queries,
}: ClickhouseUsersOptions): string {
  const readable = tables.flatMap(({ name, tenantColumn }) => (tenantColumn === null ? [] : [{ name, tenantColumn }]));
  for (const name of readable.flatMap((table) => Object.values(table))) {
    if (!/^[a-z][a-z0-9_]*$/.test(name)) throw new Error(`not a plain name of a table or column: ${name}`);
  }
  if (!/^[A-Za-z0-9_-]{16,}$/.test(secrets.tokenSecret)) {
    throw new Error('the token secret needs at least 16 characters, all of them letters, digits, _ or -');
  }
  const policies = rowPolicies(readable, secrets.tokenSecret);
  const readTables = readable.map(({ name }) => `GRANT SELECT ON analytics.${name}`);
  const user = (name: Exclude<keyof ClickhouseSecrets, 'tokenSecret'>, rights: string, profile = 'default'): string =>
    `<${name}><password_sha256_hex>${sha256(secrets[name])}</password_sha256_hex>${networks[from]}` +
    `<profile>${profile}</profile><quota>default</quota>${rights}</${name}>`;
  return `<clickhouse>
<profiles>
<default><use_query_condition_cache>0</use_query_condition_cache>${readsHeaders}</default>
${tenantProfile(tenantMemoryBytesMax, tenantQueriesMax)}
${recorderProfile}
</profiles>
<quotas>
<default/>
</quotas>
<users>
<default remove="remove"/>
${user('admin', '')}
${user('writer', grants(['GRANT SELECT, INSERT ON analytics.*']))}
${user('tenant', grants([...readTables, 'GRANT SELECT ON materialized.*']) + policies, 'tenant')}
${user('materializer', grants([...readTables, ...materializerGrants]) + policies)}
${user('maintainer', grants(maintainerGrants))}
${user('recorder', grants(recorderGrants), 'recorder')}
</users>
</clickhouse>
`;
}

// Tables of materialized endpoints live in `internal`, out of tenants' reach; `materialized` holds the views on them.
const materializerGrants = ['materialized', 'internal']
  .map(
    (database) =>
      `GRANT SELECT, INSERT, CREATE TABLE, CREATE VIEW, DROP TABLE, DROP VIEW, ALTER, TRUNCATE ON ${database}.*`,
  )
  .concat('GRANT SET DEFINER ON materializer', 'GRANT TABLE ENGINE ON *');

// Rights that the squashing of overrides needs (consumer, `squash/`): none of them shows or takes away an event.
const maintainerGrants = [
  'GRANT SELECT(team_id, distinct_id, timestamp, person_id), ALTER UPDATE(person_id) ON analytics.events',
  'GRANT SELECT, ALTER DELETE ON analytics.person_overrides',
  'GRANT SELECT, INSERT, TRUNCATE ON analytics.person_folds',
  'GRANT SELECT ON system.mutations',
];

// Notes of what was done stand back behind what is being done.
const recorderProfile = '<recorder><os_threads_nice_value_query>10</os_threads_nice_value_query></recorder>';

const recorderGrants = ['GRANT INSERT ON analytics.query_log', 'GRANT INSERT ON analytics.log_entries'];

function rowPolicies(tables: readonly { name: string; tenantColumn: string }[], k: string): string {
  // The check is a set of one team, computed once per query: the primary key prunes by it. As a scalar, `= (SELECT …)`, its value
  // would be written into the policy itself by the table function merge(), for everybody; without a sub-query, EXPLAIN would show
  // the secret. `signed` is a column of the inner one, so that an error of throwIf() names that and not what it is made of.
  // Without an error a wrong token would be an answer without rows, which is kept and shown as the truth.
  const { team, token } = tenantHeaderNames;
  const isOfTeam =
    ` IN (SELECT toInt64OrZero(team) + throwIf(NOT signed, '${tenantTokenError}') FROM (SELECT getClientHTTPHeader('${team}') AS team, ` +
    `getClientHTTPHeader('${token}') = hex(SHA256(concat('${k}:team:', team, ':${k}'))) AS signed))`;
  const policies = tables.map(
    ({ name, tenantColumn }) => `<${name}><filter>${escapeXml(tenantColumn + isOfTeam)}</filter></${name}>`,
  );
  return `<databases><analytics>${policies.join('')}</analytics></databases>`;
}

// Row policies read the token of a team out of one.
const readsHeaders = '<allow_get_client_http_header>1</allow_get_client_http_header>';

// Without the cache of conditions: what a row policy hid from one tenant would be taken for empty for the next.
function tenantProfile(memoryBytesMax: number, queriesMax: number): string {
  const limits = Object.entries(tenantLimits);
  const presets = limits.map(([name, { preset }]) => `<${name}>${preset}</${name}>`);
  // Zero means "no limit" to ClickHouse, hence the minimum.
  const bounds = limits.map(
    ([name, { max }]) => `<${name}><min>1</min><max>${max}</max><changeable_in_readonly/></${name}>`,
  );
  const choices = tenantChoices.map((name) => `<${name}><changeable_in_readonly/></${name}>`);
  return `<tenant>
<readonly>1</readonly><allow_ddl>0</allow_ddl><allow_introspection_functions>0</allow_introspection_functions><use_query_cache>0</use_query_cache><use_query_condition_cache>0</use_query_condition_cache>${readsHeaders}
<max_memory_usage_for_user>${memoryBytesMax}</max_memory_usage_for_user><max_concurrent_queries_for_user>${queriesMax}</max_concurrent_queries_for_user>
${presets.join('')}
<constraints>${bounds.join('')}${standingBack}${choices.join('')}</constraints>
</tenant>`;
}

const networks = {
  loopback: '<networks><ip>127.0.0.1</ip><ip>::1</ip></networks>',
  anywhere: '<networks><ip>::/0</ip></networks>',
};

function grants(queries: readonly string[]): string {
  return `<grants>${queries.map((query) => `<query>${escapeXml(query)}</query>`).join('')}</grants>`;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

import { createHash } from 'node:crypto';
import { escapeXml } from './xml.ts';

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
  /** Only the row policies and who sends tenants' queries know it. At least 16 characters of A–Z a–z 0–9 _ -. */
  tokenSecret: string;
}

/** Largest (and preset) values of what a tenant's query may send with it, in the setting's own unit. `0` cannot be sent. */
const tenantLimits = {
  max_execution_time: { preset: 60, max: 600 },
  max_memory_usage: { preset: 1_000_000_000, max: 4_000_000_000 },
  max_result_rows: { preset: 50_001, max: 1_000_000 },
  max_result_bytes: { preset: 200_000_000, max: 1_000_000_000 },
  max_rows_to_read: { preset: 2_000_000_000, max: 20_000_000_000 },
  max_bytes_to_read: { preset: 100_000_000_000, max: 1_000_000_000_000 },
  max_threads: { preset: 4, max: 16 },
  max_ast_elements: { preset: 50_000, max: 500_000 },
  max_query_size: { preset: 1_048_576, max: 8_388_608 },
} as const;

/** Settings without a limit that a tenant's query may send: its token, and the form of its result. */
const tenantChoices = [
  'log_comment',
  'result_overflow_mode',
  'output_format_json_quote_64bit_integers',
  'output_format_json_quote_denormals',
  'date_time_output_format',
  'session_timezone',
  'max_block_size',
  'send_progress_in_http_headers',
  'http_headers_progress_interval_ms',
  'cancel_http_readonly_queries_on_client_close',
  'enable_http_compression',
  'http_zlib_compression_level',
] as const;

export interface ClickhouseUsersOptions {
  secrets: ClickhouseSecrets;
  /** Tables of database `analytics` that tenants may read, each of them only the rows of its own `team_id`. They may be made later. */
  tenantTables: readonly string[];
}

/**
 * The `users_config` document of the local ClickHouse: users, profiles, grants and row policies, which are frozen at
 * start there (clickhouse.md, section 3). Pure.
 * @throws {Error} for a table name or a token secret with other characters than the ones allowed.
 */
export function buildUsersXml({ secrets, tenantTables }: ClickhouseUsersOptions): string {
  for (const table of tenantTables) {
    if (!/^[a-z][a-z0-9_]*$/.test(table)) throw new Error(`not a plain table name: ${table}`);
  }
  if (!/^[A-Za-z0-9_-]{16,}$/.test(secrets.tokenSecret)) {
    throw new Error('the token secret needs at least 16 characters, all of them letters, digits, _ or -');
  }
  const policies = rowPolicies(tenantTables, secrets.tokenSecret);
  const readTables = tenantTables.map((table) => `GRANT SELECT ON analytics.${table}`);
  return `<clickhouse>
<profiles>
<default/>
${starterProfile()}
${tenantProfile()}
</profiles>
<quotas>
<default/>
<starter><interval><duration>1000000000</duration><queries>2</queries></interval></starter>
</quotas>
<users>
${starter()}
${user('admin', secrets.admin, 'default', '')}
${user('writer', secrets.writer, 'default', grants(['GRANT SELECT, INSERT ON analytics.*']))}
${user('tenant', secrets.tenant, 'tenant', grants([...readTables, 'GRANT SELECT ON materialized.*']) + policies)}
${user('materializer', secrets.materializer, 'default', grants([...readTables, ...materializerGrants]) + policies)}
</users>
</clickhouse>
`;
}

// Tables of materialized endpoints live in `internal`, out of tenants' reach; `materialized` holds the views on them.
const materializerGrants = ['materialized', 'internal']
  .map((database) => `GRANT SELECT, INSERT, CREATE TABLE, CREATE VIEW, DROP TABLE, DROP VIEW, ALTER, TRUNCATE ON ${database}.*`)
  .concat('GRANT SET DEFINER ON materializer', 'GRANT TABLE ENGINE ON *');

function rowPolicies(tables: readonly string[], k: string): string {
  // The token's check is a scalar of its own, computed once per query: the primary key still prunes by its result.
  const filter =
    `team_id = (SELECT if(p[2] = lower(hex(SHA256(concat('${k}', ':', p[1], ':', '${k}')))), toInt64OrZero(p[1]), -1) ` +
    `FROM (SELECT splitByChar('.', getSetting('log_comment')) AS p))`;
  const policy = (table: string): string => `<${table}><filter>${escapeXml(filter)}</filter></${table}>`;
  return `<databases><analytics>${tables.map(policy).join('')}</analytics></databases>`;
}

function tenantProfile(): string {
  const limits = Object.entries(tenantLimits);
  const presets = limits.map(([name, { preset }]) => `<${name}>${preset}</${name}>`);
  // Zero means "no limit" to ClickHouse, hence the minimum.
  const bounds = limits.map(([name, { max }]) => `<${name}><min>1</min><max>${max}</max><changeable_in_readonly/></${name}>`);
  const choices = tenantChoices.map((name) => `<${name}><changeable_in_readonly/></${name}>`);
  return `<tenant>
<readonly>1</readonly><allow_ddl>0</allow_ddl><allow_introspection_functions>0</allow_introspection_functions><use_query_cache>0</use_query_cache>
${presets.join('')}
<constraints>${bounds.join('')}${choices.join('')}</constraints>
</tenant>`;
}

// The process starts its two first statements as `default`, which must therefore exist without a password (its session
// comes from 127.0.0.1 as others' do). It is left with no rights, no way to write a query that calls a function with
// an argument (seven elements; `file('/path')` needs no grant), and no statement more than those two.
function starterProfile(): string {
  return '<starter><max_ast_elements>6</max_ast_elements><constraints><max_ast_elements><const/></max_ast_elements></constraints></starter>';
}

function starter(): string {
  const rights = grants(['GRANT SYSTEM LISTEN ON *.*', 'GRANT CREATE TEMPORARY TABLE ON *.*', 'GRANT TABLE ENGINE ON *']);
  return `<default><password></password>${localOnly}<profile>starter</profile><quota>starter</quota>${rights}</default>`;
}

const localOnly = '<networks><ip>127.0.0.1</ip><ip>::1</ip></networks>';

function user(name: string, password: string, profile: string, rights: string): string {
  const credentials = `<password_sha256_hex>${sha256(password)}</password_sha256_hex>`;
  return `<${name}>${credentials}${localOnly}<profile>${profile}</profile><quota>default</quota>${rights}</${name}>`;
}

function grants(queries: readonly string[]): string {
  return `<grants>${queries.map((query) => `<query>${escapeXml(query)}</query>`).join('')}</grants>`;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

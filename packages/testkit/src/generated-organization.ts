/** A connection, or a pool of one. */
interface Database {
  query(sql: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
}

// Names are put together of syllables, so that searches meet many, some and few; which ones, a hash of the number says: every
// run has the same. The lists' lengths are in the statement.
const syllables = {
  first: [
    'an',
    'be',
    'cla',
    'do',
    'el',
    'fre',
    'ge',
    'ha',
    'in',
    'jo',
    'ka',
    'lu',
    'mi',
    'no',
    'ol',
    'pe',
    'ro',
    'sa',
    'to',
    'ul',
    'ad',
    'bri',
    'chri',
    'di',
    'em',
    'fa',
    'gi',
    'hu',
    'is',
    'ju',
    'kri',
    'le',
    'mo',
    'na',
    'os',
    'phi',
    'ru',
    'ste',
    'ti',
    'vi',
  ],
  second: ['na', 'ra', 'to', 'li', 'mas', 'der', 'son', 'vin', 'ke', 'la'],
  end: ['', 'n', 's', 'ine'],
  family: [
    'mil',
    'sch',
    'bau',
    'kow',
    'lind',
    'har',
    'ber',
    'wein',
    'gar',
    'fisch',
    'tor',
    'mar',
    'lop',
    'nak',
    'yam',
    'ivan',
    'pet',
    'sven',
    'olu',
    'ade',
    'abr',
    'bro',
    'cas',
    'dub',
    'ell',
    'fer',
    'gon',
    'hoff',
    'ish',
    'jens',
    'klu',
    'lam',
    'mull',
    'nov',
    'ort',
    'pav',
    'rich',
    'salv',
    'tan',
    'wu',
  ],
  familyEnd: [
    'ler',
    'mann',
    'ski',
    'qvist',
    'ton',
    'ger',
    'stein',
    'cia',
    'er',
    'res',
    'tin',
    'ez',
    'amura',
    'ov',
    'sson',
    'wale',
    'land',
    'ford',
    'by',
    'well',
  ],
};

const pick = (list: number, salt: number): string =>
  `($${list}::text[])[1 + abs(hashint4(n + ${salt}) % cardinality($${list}::text[]))]`;

/**
 * Fills an organization with users who are its members: one joined a minute before the other, one in 500 an administrator,
 * eight of ten with an address of `domain`. Their numbers begin with `from`; numbers and domains must be new. Within `fillTables`.
 */
export async function generateMembers(
  database: Database,
  {
    organizationId,
    domain,
    members,
    from = 1,
  }: { organizationId: string; domain: string; members: number; from?: number },
): Promise<void> {
  const { first, second, end, family, familyEnd } = syllables;
  const sql = `
    WITH named AS (
      SELECT n, initcap(${pick(6, 0)} || ${pick(7, 1_000_000)} || ${pick(8, 2_000_000)}) AS first_name, initcap(${pick(9, 3_000_000)} || ${pick(10, 4_000_000)}) AS last_name
      FROM generate_series($3::integer, $4::integer) n
    ), people AS (
      INSERT INTO users (uuid, email, first_name, last_name, is_active)
      SELECT gen_random_uuid(), lower(first_name || '.' || last_name || n || '@' || CASE WHEN n % 10 < 8 THEN $2 ELSE 'partner' || n % 10 || '.' || $2 END), first_name, last_name, n % 50 <> 0
      FROM named RETURNING id
    ), numbered AS (SELECT id, row_number() OVER (ORDER BY id) AS n FROM people)
    INSERT INTO memberships (id, organization_id, user_id, level, joined_at)
    SELECT gen_random_uuid(), $1::uuid, id, CASE WHEN n % 500 = 7 THEN 8 ELSE 1 END, $5::timestamptz - n * interval '1 minute' FROM numbered`;
  await database.query(sql, [
    organizationId,
    domain,
    from,
    from + members - 1,
    '2026-01-01T00:00:00Z',
    first,
    second,
    end,
    family,
    familyEnd,
  ]);
  await database.query(
    'SELECT list_members(ARRAY(SELECT id FROM memberships WHERE organization_id = $1 AND id NOT IN (SELECT membership_id FROM listed_members)))',
    [organizationId],
  );
  await database.query(
    'INSERT INTO listed_member_counts (organization_id, members) SELECT organization_id, count(*) FROM listed_members WHERE organization_id = $1 GROUP BY 1',
    [organizationId],
  );
}

/** Fills an organization with projects: names of three words and a number, two tags each, one in 20 private, one in 100 without events. Numbers must be new. Within `fillTables`. */
export async function generateProjects(
  database: Database,
  { organizationId, projects, from = 1 }: { organizationId: string; projects: number; from?: number },
): Promise<void> {
  const words = [
    ['Web', 'Mobile', 'Desktop', 'Kiosk', 'Partner', 'Internal', 'Legacy', 'Beta'],
    ['shop', 'checkout', 'portal', 'landing', 'billing', 'search', 'support', 'docs', 'blog', 'admin'],
    ['Europe', 'America', 'Asia', 'Africa', 'Oceania'],
  ];
  const sql = `
    INSERT INTO projects (uuid, organization_id, name, api_token, tags, access_control, ingested_event)
    SELECT gen_random_uuid(), $1::uuid, concat_ws(' ', ${pick(4, 0)}, ${pick(5, 1_000_000)}, ${pick(6, 2_000_000)}, n), 'phc_generated_' || n,
      ARRAY[lower(${pick(6, 2_000_000)}), CASE WHEN n % 3 = 0 THEN 'staging' ELSE 'production' END], n % 20 = 0, n % 100 <> 0
    FROM generate_series($2::integer, $3::integer) n`;
  await database.query(sql, [organizationId, from, from + projects - 1, ...words]);
}

/**
 * Does the work, which generates, on a connection of a superuser: without triggers and checks of foreign keys, and without the
 * indexes of searches, which are created again. That is ten times as fast for many rows. Then what autovacuum does.
 */
export async function fillTables(database: Database, work: () => Promise<void>): Promise<void> {
  const { rows } = await database.query(
    "SELECT indexname AS name, indexdef AS sql FROM pg_indexes WHERE indexdef LIKE '%gin_trgm_ops%'",
  );
  for (const { name } of rows) await database.query(`DROP INDEX ${String(name)}`);
  await database.query('SET session_replication_role = replica');
  await work();
  await database.query('RESET session_replication_role');
  for (const { sql } of rows) await database.query(String(sql));
  // Without this the plans would be those of empty tables.
  await database.query('VACUUM ANALYZE');
}

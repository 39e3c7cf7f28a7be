/** How a join prints, and on which side of it rows may be missing. */
export interface JoinType {
  sql:
    'FROM' | 'CROSS JOIN' | `${'INNER' | 'LEFT' | 'RIGHT' | 'FULL'} ${'' | 'ANY ' | 'SEMI ' | 'ANTI ' | 'ASOF '}JOIN`;
  /** Columns of the tables before it may be NULL. */
  earlierMayMiss: boolean;
  /** Columns of its own table may be NULL. */
  ownMayMiss: boolean;
  /** The last comparison picks the nearest row. */
  nearest: boolean;
}

/** The published names of joins, OUTER aside. SEMI and ANTI keep or drop rows of the tables before them unless they say RIGHT. */
const joinTypes: ReadonlyMap<string, JoinType> = new Map([
  ...inner('INNER JOIN', 'JOIN', 'INNER JOIN', 'ALL INNER JOIN'),
  ...inner('INNER ANY JOIN', 'ANY INNER JOIN'),
  ...inner('LEFT SEMI JOIN', 'SEMI JOIN', 'LEFT SEMI JOIN'),
  ...inner('RIGHT SEMI JOIN', 'RIGHT SEMI JOIN'),
  ...left('LEFT JOIN', 'LEFT JOIN', 'LEFT ALL JOIN'),
  ...left('LEFT ANY JOIN', 'LEFT ANY JOIN'),
  ...left('LEFT ANTI JOIN', 'ANTI JOIN', 'LEFT ANTI JOIN'),
  ...right('RIGHT JOIN', 'RIGHT JOIN', 'RIGHT ALL JOIN'),
  ...right('RIGHT ANY JOIN', 'RIGHT ANY JOIN'),
  ...right('RIGHT ANTI JOIN', 'RIGHT ANTI JOIN'),
  ...named({ sql: 'FULL JOIN', earlierMayMiss: true, ownMayMiss: true, nearest: false }, 'FULL JOIN', 'FULL ALL JOIN'),
  ...named({ sql: 'INNER ASOF JOIN', earlierMayMiss: false, ownMayMiss: false, nearest: true }, 'ASOF INNER JOIN'),
  ...named({ sql: 'LEFT ASOF JOIN', earlierMayMiss: false, ownMayMiss: true, nearest: true }, 'LEFT ASOF JOIN'),
  ...inner('CROSS JOIN', 'CROSS JOIN'),
]);

function inner(sql: JoinType['sql'], ...names: string[]): [string, JoinType][] {
  return named({ sql, earlierMayMiss: false, ownMayMiss: false, nearest: false }, ...names);
}

function left(sql: JoinType['sql'], ...names: string[]): [string, JoinType][] {
  return named({ sql, earlierMayMiss: false, ownMayMiss: true, nearest: false }, ...names);
}

function right(sql: JoinType['sql'], ...names: string[]): [string, JoinType][] {
  return named({ sql, earlierMayMiss: true, ownMayMiss: false, nearest: false }, ...names);
}

function named(type: JoinType, ...names: string[]): [string, JoinType][] {
  return names.map((name) => [name, type]);
}

/** The join of a published name; `undefined` for those that the engine has not (FULL ANY, RIGHT ASOF). The first table has none. */
export function joinTypeOf(published: string | undefined): JoinType | undefined {
  if (published === undefined) return { sql: 'FROM', earlierMayMiss: false, ownMayMiss: false, nearest: false };
  return joinTypes.get(published.replace(' OUTER', ''));
}

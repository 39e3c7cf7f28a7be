import { groupTypesMax } from '@millrace/contracts/limits.ts';
import type { Clock } from '@millrace/runtime/clock.ts';
import type { Queryable } from '../database.ts';

/** Group types of projects, each with its index. */
export interface GroupTypes {
  /**
   * The indexes of these types, by `typeText`. A type that is new gets the next free index, first come, first served; null:
   * the project has five others. Throws what `pg` throws.
   */
  load(types: readonly GroupTypeKey[]): Promise<ReadonlyMap<string, number | null>>;
}

export interface GroupTypeKey {
  teamId: number;
  type: string;
}

/** The same for equal keys. */
export function typeText({ teamId, type }: GroupTypeKey): string {
  return `${teamId}:${type}`;
}

/** A refusal is asked about again after this time; what was given an index keeps it for ever. */
const refusalAgeMs = 30_000;
const entriesMax = 50_000;

interface Entry {
  index: number | null;
  until: number;
}

/** A batch whose types are all known costs no statement. */
export function createGroupTypes(db: Queryable, clock: Clock): GroupTypes {
  const entries = new Map<string, Entry>();

  function remember(type: GroupTypeKey, index: number | null): void {
    if (entries.size > entriesMax) entries.clear();
    entries.set(typeText(type), { index, until: index === null ? clock.nowMs() + refusalAgeMs : Infinity });
  }

  return {
    async load(types) {
      const isKnown = (type: GroupTypeKey): boolean => (entries.get(typeText(type))?.until ?? 0) > clock.nowMs();
      const unknown = types.filter((type) => !isKnown(type));
      const found = unknown.length === 0 ? new Map<string, number>() : await find(db, unknown);
      const answer = new Map(types.map((type) => [typeText(type), entries.get(typeText(type))?.index ?? null]));
      // Whoever knows a project's public token may name any number of types: a statement for each would hold up everybody.
      const full = new Set<number>();
      for (const type of unknown) {
        const index = found.get(typeText(type)) ?? (full.has(type.teamId) ? null : await claim(db, type));
        if (index === null) full.add(type.teamId);
        remember(type, index);
        answer.set(typeText(type), index);
      }
      return answer;
    },
  };
}

interface FoundType {
  team_id: number;
  group_type: string;
  index: number;
}

async function find(db: Queryable, types: readonly GroupTypeKey[]): Promise<Map<string, number>> {
  const { rows } = await db.query<FoundType>({
    name: 'find-group-types',
    text: `SELECT team_id, group_type, index FROM unnest($1::int[], $2::text[]) AS wanted(team_id, group_type) JOIN group_types USING (team_id, group_type)`,
    values: [types.map(({ teamId }) => teamId), types.map(({ type }) => type)],
  });
  return new Map(rows.map(({ team_id: teamId, group_type: type, index }) => [typeText({ teamId, type }), index]));
}

/**
 * Gives a new type the next free index. Two at once may want the same one: the second of them is left without a row and
 * tries for the one after. Only types that get one, and one refusal, are claimed: a few statements in the life of a project.
 */
async function claim(db: Queryable, type: GroupTypeKey): Promise<number | null> {
  for (let attempt = 0; attempt <= 2 * groupTypesMax; attempt++) {
    await db.query({
      name: 'claim-group-type',
      text: `INSERT INTO group_types (team_id, group_type, index)
  SELECT $1::int, $2::text, count(*) FROM group_types WHERE team_id = $1::int HAVING count(*) < $3::int
  ON CONFLICT DO NOTHING`,
      values: [type.teamId, type.type, groupTypesMax],
    });
    const { rows } = await db.query<{ index: number | null; taken: number }>({
      name: 'read-group-type',
      text: `SELECT max(index) FILTER (WHERE group_type = $2::text) AS index, count(*)::int AS taken FROM group_types WHERE team_id = $1::int`,
      values: [type.teamId, type.type],
    });
    const index = rows[0]?.index ?? null;
    if (index !== null || (rows[0]?.taken ?? 0) >= groupTypesMax) return index;
  }
  throw new Error('the indexes of group types kept being taken');
}

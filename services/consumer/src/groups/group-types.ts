import { groupTypesMax } from '@millrace/contracts/limits.ts';
import type { Clock } from '@millrace/runtime/clock.ts';
import type { Queryable } from '../database.ts';

/** Group types of projects, each with its index. */
export interface GroupTypes {
  /**
   * The indexes of these types, by `typeText`. A type that is new gets the next free index, first come, first served; it is not
   * there when the project has five others. Throws what `pg` throws.
   */
  load(types: readonly GroupTypeKey[]): Promise<ReadonlyMap<string, number>>;
}

export interface GroupTypeKey {
  teamId: number;
  type: string;
}

/** A text that is equal for equal keys. */
export function typeText({ teamId, type }: GroupTypeKey): string {
  return `${teamId}:${type}`;
}

/** A project that has five types is read again after this time; a type that was given an index keeps it for ever. */
const fullMs = 30_000;
const projectsMax = 50_000;

/** The types of one project, five at most. Senders may name any number of others, which cost nothing. */
interface ProjectTypes {
  readonly indexes: Map<string, number>;
  /** No type is new before this time. */
  fullUntilMs: number;
}

/** A batch whose types are all known costs no statement. */
export function createGroupTypes(db: Queryable, clock: Clock): GroupTypes {
  const projects = new Map<number, ProjectTypes>();
  const knownIndex = ({ teamId, type }: GroupTypeKey): number | undefined => projects.get(teamId)?.indexes.get(type);
  const isFull = ({ teamId }: GroupTypeKey): boolean => (projects.get(teamId)?.fullUntilMs ?? 0) > clock.nowMs();

  function record(teamId: number, indexes: Map<string, number>): void {
    projects.set(teamId, { indexes, fullUntilMs: indexes.size < groupTypesMax ? 0 : clock.nowMs() + fullMs });
  }

  async function readProjects(teamIds: readonly number[]): Promise<void> {
    const found = new Map(teamIds.map((teamId) => [teamId, new Map<string, number>()]));
    for (const { team_id: teamId, group_type: type, index } of await findTypes(db, teamIds))
      found.get(teamId)?.set(type, index);
    for (const [teamId, indexes] of found) record(teamId, indexes);
  }

  async function claimed(key: GroupTypeKey): Promise<number | undefined> {
    const index = await claim(db, key);
    // Somebody else took the last one: of the five that there are now some are not known here.
    if (index === null) await readProjects([key.teamId]);
    else record(key.teamId, new Map([...(projects.get(key.teamId)?.indexes ?? []), [key.type, index]]));
    return index ?? undefined;
  }

  return {
    async load(types) {
      if (projects.size > projectsMax) projects.clear();
      const result = new Map<string, number>();
      // Other batches change `projects` at each wait: what is known is taken at once.
      const add = (key: GroupTypeKey, index = knownIndex(key)): boolean => {
        if (index !== undefined) result.set(typeText(key), index);
        return index !== undefined;
      };
      const open = types.filter((key) => !add(key) && !isFull(key));
      if (open.length > 0) await readProjects([...new Set(open.map(({ teamId }) => teamId))]);
      for (const key of open) if (!add(key) && !isFull(key)) add(key, await claimed(key));
      return result;
    },
  };
}

interface FoundType {
  team_id: number;
  group_type: string;
  index: number;
}

async function findTypes(db: Queryable, teamIds: readonly number[]): Promise<FoundType[]> {
  const { rows } = await db.query<FoundType>({
    name: 'find-group-types',
    text: 'SELECT team_id, group_type, index FROM group_types WHERE team_id = ANY($1::int[])',
    values: [teamIds],
  });
  return rows;
}

/**
 * Gives a new type the next free index. Two at once may want the same one: the second of them is left without a row and
 * tries for the one after. Only types that get one, and one that is refused, are claimed: a few statements in the life
 * of a project.
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

import type { PersonalApiKey, Prisma } from '@millrace/postgres/generated/client.ts';
import { randomToken } from '@millrace/runtime/ids.ts';
import { recordActivities, type Actor, type Activity } from '../activity-log.ts';
import { hashKey, maskKey } from '../auth/key-hash.ts';

/** Input for a new key. Empty limits: it is not limited. */
export interface WantedKey {
  userId: number;
  label: string;
  scopes: readonly string[];
  scopedTeams: readonly number[];
  scopedOrganizations: readonly string[];
  expiresAt: Date | null;
}

/** A key with its value, which is nowhere else: only its hash is stored (contract/orgs-errors 1.2). */
export interface NewKey {
  value: string;
  key: PersonalApiKey;
}

/** Makes a key, and writes that down. */
export async function makeKey(transaction: Prisma.TransactionClient, actor: Actor, wanted: WantedKey): Promise<NewKey> {
  const { value, stored } = newValue();
  const { scopes, scopedTeams, scopedOrganizations } = wanted;
  const lists = { scopes: [...scopes], scopedTeams: [...scopedTeams], scopedOrganizations: [...scopedOrganizations] };
  const key = await transaction.personalApiKey.create({
    data: { id: randomToken('', 12), ...wanted, ...lists, ...stored },
  });
  await recordKey(transaction, actor, key, (reach) => ({ activity: 'created', after: shownKey(key, reach) }));
  return { value, key };
}

/** Gives the key another value; the old one is worth nothing from the commit on. */
export async function rollKey(
  transaction: Prisma.TransactionClient,
  actor: Actor,
  id: string,
  nowMs: number,
): Promise<NewKey> {
  const { value, stored } = newValue();
  const before = await transaction.personalApiKey.findUniqueOrThrow({ where: { id } });
  const key = await transaction.personalApiKey.update({
    where: { id },
    data: { ...stored, lastRolledAt: new Date(nowMs), lastUsedAt: null },
  });
  const masks = { before: { mask_value: before.maskValue }, after: { mask_value: key.maskValue } };
  await recordKey(transaction, actor, key, () => ({ activity: 'rolled', ...masks }));
  return { value, key };
}

/** Changes what is given of the key, and writes down what became another. */
export async function changeKey(
  transaction: Prisma.TransactionClient,
  actor: Actor,
  before: PersonalApiKey,
  data: Prisma.PersonalApiKeyUpdateInput,
): Promise<PersonalApiKey> {
  const key = await transaction.personalApiKey.update({ where: { id: before.id }, data });
  await recordKey(transaction, actor, before, (reach) => ({
    activity: 'updated',
    before: shownKey(before, reach),
    after: shownKey(key, reach),
  }));
  return key;
}

/** Ends the key. Within a second it is worth nothing in every process; mostly it takes milliseconds. */
export async function removeKey(
  transaction: Prisma.TransactionClient,
  actor: Actor,
  key: PersonalApiKey,
): Promise<void> {
  await transaction.personalApiKey.delete({ where: { id: key.id } });
  await recordKey(transaction, actor, key, (reach) => ({ activity: 'deleted', before: shownKey(key, reach) }));
}

/** Ends all keys of a user and writes each down: a thousand at a time, because there may be very many. */
export async function removeKeysOf(transaction: Prisma.TransactionClient, actor: Actor, userId: number): Promise<void> {
  for (let after = '', read = keysAtOnce; read === keysAtOnce;) {
    const keys = await transaction.personalApiKey.findMany({
      where: { userId, id: { gt: after } },
      orderBy: { id: 'asc' },
      take: keysAtOnce,
    });
    await recordKeys(transaction, actor, userId, keys, (key, reach) => ({
      activity: 'deleted',
      before: shownKey(key, reach),
    }));
    after = keys.at(-1)?.id ?? '';
    read = keys.length;
  }
  await transaction.personalApiKey.deleteMany({ where: { userId } });
}

const keysAtOnce = 1_000;

function newValue(): { value: string; stored: { secureValue: string; maskValue: string } } {
  const value = randomToken('phx_', 35);
  return { value, stored: { secureValue: hashKey(value), maskValue: maskKey(value) } };
}

/** An organization that a key may use, with the key's projects in it. */
interface KeyReach {
  organizationId: string;
  projectIds: readonly number[];
}

/**
 * Activity log's view of a key in one organization: nothing of other organizations, only whether it is limited at all.
 * Null: in no organization, so all.
 */
function shownKey(
  { label, userId, maskValue, scopes, scopedTeams, scopedOrganizations, expiresAt }: PersonalApiKey,
  reach: KeyReach | null,
): Record<string, unknown> {
  const limits = {
    limited_to_projects: scopedTeams.length > 0,
    scoped_teams: scopedTeams.filter((id) => reach?.projectIds.includes(id) ?? true),
    limited_to_organizations: scopedOrganizations.length > 0,
    scoped_organizations: scopedOrganizations.filter((id) => reach === null || id === reach.organizationId),
  };
  return {
    label,
    user_id: userId,
    mask_value: maskValue,
    scopes,
    ...limits,
    expires_at: expiresAt?.toISOString() ?? null,
  };
}

type KeyActivity = Pick<Activity, 'activity' | 'before' | 'after'>;

/** A key concerns every organization that it may use: the administrators of each see it in their log. */
async function recordKey(
  transaction: Prisma.TransactionClient,
  actor: Actor,
  key: PersonalApiKey,
  activityAt: (reach: KeyReach | null) => KeyActivity,
): Promise<void> {
  await recordKeys(transaction, actor, key.userId, [key], (_key, reach) => activityAt(reach));
}

async function recordKeys(
  transaction: Prisma.TransactionClient,
  actor: Actor,
  userId: number,
  keys: readonly PersonalApiKey[],
  activityAt: (key: PersonalApiKey, reach: KeyReach | null) => KeyActivity,
): Promise<void> {
  const reachesOf = await findReaches(transaction, userId, keys);
  const activities = keys.flatMap((key) => {
    const reaches = reachesOf(key);
    return (reaches.length === 0 ? [null] : reaches).map(
      (reach) =>
        ({
          organizationId: reach?.organizationId ?? null,
          itemType: 'personal_api_key',
          itemId: key.id,
          ...activityAt(key, reach),
        }) as const,
    );
  });
  await recordActivities(transaction, actor, activities);
}

/** Finds the organizations that each of the user's keys may use. */
async function findReaches(
  transaction: Prisma.TransactionClient,
  userId: number,
  keys: readonly PersonalApiKey[],
): Promise<(key: PersonalApiKey) => KeyReach[]> {
  const memberships = await transaction.membership.findMany({
    where: { userId },
    select: { organizationId: true },
    orderBy: { joinedAt: 'asc' },
  });
  const named = [...new Set(keys.flatMap(({ scopedTeams }) => scopedTeams))];
  const projects =
    named.length === 0
      ? []
      : await transaction.project.findMany({
          where: { id: { in: named }, organizationId: { in: memberships.map(({ organizationId }) => organizationId) } },
          select: { id: true, organizationId: true },
        });
  const organizationOf = new Map(projects.map(({ id, organizationId }) => [id, organizationId]));
  return ({ scopedTeams, scopedOrganizations }) =>
    memberships
      .filter(({ organizationId: id }) => scopedOrganizations.length === 0 || scopedOrganizations.includes(id))
      .map(({ organizationId }) => ({
        organizationId,
        projectIds: scopedTeams.filter((id) => organizationOf.get(id) === organizationId),
      }))
      .filter(({ projectIds }) => scopedTeams.length === 0 || projectIds.length > 0);
}

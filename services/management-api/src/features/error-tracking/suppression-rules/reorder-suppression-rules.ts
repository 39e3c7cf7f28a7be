import { Boolean, Object as ObjectType, Optional, Unsafe } from 'typebox';
import { AppError } from '@millrace/http/errors/errors.ts';
import type { Prisma } from '@millrace/postgres/generated/client.ts';
import { isUuid } from '@millrace/runtime/ids.ts';
import { recordActivities } from '../../../activity-log.ts';
import { projectRoute } from '../../../context.ts';
import { lockProject } from '../../../database/lock-project.ts';

const keyMax = 2_147_483_647;

export const reorderSuppressionRules = projectRoute({
  operationId: 'reorder_suppression_rules',
  method: 'patch',
  path: '/api/projects/:project_id/error_tracking/suppression_rules/reorder',
  access: { scope: 'error_tracking:write' },
  tag: 'Error tracking',
  summary: 'Set the order in which suppression rules apply',
  description: 'Rules that the body does not name keep their `order_key`; ids that are unknown here are ignored.',
  body: ObjectType(
    {
      orders: Optional(
        Unsafe<Record<string, unknown>>({
          type: 'object',
          description: 'The `order_key` of each rule, by its id.',
          examples: [{ '01980a3c-5f6e-7c1a-9b2d-3e4f5a6b7c8d': 1 }],
        }),
      ),
    },
    { title: 'SuppressionRuleOrder' },
  ),
  responses: { 200: ObjectType({ ok: Boolean({ examples: [true] }) }) },
  async handler({ auth: { project, caller }, context: { prisma: client, clock }, body }) {
    const orders = readOrders(body.orders ?? {});
    const now = new Date(clock.nowMs());
    await client.$transaction(async (prisma) => {
      await lockProject(prisma, project.id);
      const moved = await setOrders(prisma, { projectId: project.id, orders, now });
      await recordActivities(
        prisma,
        caller,
        moved.map(({ id, before, after }) => ({
          organizationId: project.organizationId,
          projectId: project.id,
          itemType: 'suppression_rule',
          itemId: id,
          activity: 'updated',
          before: { order_key: before },
          after: { order_key: after },
        })),
      );
    });
    return { ok: true };
  },
});

/** Keys by id in lower case; what is no id names no rule. Pure. @throws {AppError} invalid_input on `orders` */
function readOrders(given: Record<string, unknown>): ReadonlyMap<string, number> {
  const entries = Object.entries(given).map(([id, key]): [string, number] => {
    if (typeof key !== 'number' || !Number.isInteger(key) || Math.abs(key) > keyMax)
      throw new AppError('invalid_input', {
        attr: 'orders',
        detail: `The order of a rule is a whole number up to ${keyMax}.`,
      });
    return [id.toLowerCase(), key];
  });
  return new Map(entries.filter(([id]) => isUuid(id)));
}

interface Moved {
  id: string;
  before: number;
  after: number;
}

/** Rules whose key is another one now. */
async function setOrders(
  prisma: Prisma.TransactionClient,
  { projectId, orders, now }: { projectId: number; orders: ReadonlyMap<string, number>; now: Date },
): Promise<Moved[]> {
  return await prisma.$queryRaw<Moved[]>`
    WITH wanted AS (
      SELECT r.id, r.order_key AS before, given.key AS after
      FROM unnest(${[...orders.keys()]}::uuid[], ${[...orders.values()]}::integer[]) AS given(id, key)
      JOIN suppression_rules r ON r.id = given.id AND r.project_id = ${projectId} AND r.order_key <> given.key
    )
    UPDATE suppression_rules r SET order_key = wanted.after, updated_at = ${now} FROM wanted WHERE r.id = wanted.id
    RETURNING r.id::text, wanted.before, wanted.after`;
}

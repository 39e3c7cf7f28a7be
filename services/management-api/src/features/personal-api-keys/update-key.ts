import { changeKey } from '../../accounts/key-store.ts';
import { userRoute } from '../../context.ts';
import { findKey, lockKeys } from './find-key.ts';
import { requireVisible, wantedPower } from './key-limits.ts';
import { requireWithin } from './key-power.ts';
import { KeyChangeBody, OtherKeyParameter, PersonalApiKey, renderKey } from './personal-api-key.ts';

export const updateKey = userRoute({
  operationId: 'update_key',
  method: 'patch',
  path: '/api/personal_api_keys/:key_id',
  access: { scope: 'personal_api_key:write' },
  tag: 'Personal API keys',
  summary: 'Rename a key of yours, or make it open less',
  description: 'Scopes can be taken away, limits made narrower, the end earlier; never the other way.',
  params: { key_id: OtherKeyParameter },
  body: KeyChangeBody,
  responses: { 200: PersonalApiKey },
  find: async ({ params, auth: { caller }, context }) => await findKey(context.prisma, caller, params.key_id),
  async handler({ params, auth: { caller }, context, body }) {
    const key = await context.prisma.$transaction(async (transaction) => {
      const { key: before } = await lockKeys(transaction, caller, params.key_id);
      const { scopes, scopedTeams, scopedOrganizations, expiresAt } = wantedPower(body, before, context.clock.nowMs());
      const power = {
        scopes: [...scopes],
        scopedTeams: [...scopedTeams],
        scopedOrganizations: [...scopedOrganizations],
        expiresAt,
      };
      requireWithin(before, power);
      if (body.scoped_teams || body.scoped_organizations) await requireVisible(transaction, caller.userId, power);
      return await changeKey(transaction, caller, before, {
        ...power,
        ...(body.label === undefined ? {} : { label: body.label }),
      });
    });
    return renderKey(key);
  },
});

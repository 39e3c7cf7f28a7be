import { Boolean, Integer, Optional } from 'typebox';
import { pageQuery } from '@millrace/http/pagination.ts';
import type { EndpointFilter } from './store/endpoint-store.ts';

/** Query parameters of the lists of endpoints and of versions. */
export const filterQuery = {
  ...pageQuery,
  created_by: Optional(
    Integer({ minimum: -2_147_483_648, maximum: 2_147_483_647, description: 'Only those made by this user.' }),
  ),
  is_active: Optional(Boolean({ description: 'Only the active or only the inactive ones.' })),
};

/** Pure. */
export function filterOf({
  created_by: createdBy,
  is_active: isActive,
}: {
  created_by?: number;
  is_active?: boolean;
}): EndpointFilter {
  return { ...(createdBy === undefined ? {} : { createdBy }), ...(isActive === undefined ? {} : { isActive }) };
}

import { AppError } from '@millrace/http/errors.ts';
import { checkQuery } from './check-query.ts';
import { dataFreshnessDefault, type EndpointBody } from './endpoint-body.ts';
import type { EndpointStore } from './endpoint-store.ts';
import type { StoredEndpoint } from './endpoint.ts';

/** Names that are paths of their own below the collection. */
const reservedNames = new Set(['materialization_conditions', 'last_execution_times']);

/**
 * Makes an endpoint with its version 1 from a body whose form is checked (contract/endpoints 1).
 * @throws {AppError} 400: a reserved or taken name, a query that cannot be used, options that belong to other kinds
 */
export async function saveEndpoint(store: EndpointStore, author: { projectId: number; userId: number }, body: EndpointBody): Promise<StoredEndpoint> {
  if (reservedNames.has(body.name)) throw new AppError('invalid_input', { attr: 'name', detail: `The name "${body.name}" is reserved.` });
  refuseMaterialization(body);
  if (body.optional_breakdown_properties?.length) {
    throw new AppError('invalid_input', { attr: 'optional_breakdown_properties', detail: 'SQL endpoints have no breakdown properties.' });
  }
  const { query, columns } = checkQuery(body.query);
  const stored = await store.create({
    ...author,
    name: body.name,
    isActive: body.is_active ?? true,
    derivedFromInsight: body.derived_from_insight ?? null,
    tags: [...new Set(body.tags ?? [])].sort(),
    query,
    description: body.description ?? '',
    dataFreshnessSeconds: body.data_freshness_seconds ?? dataFreshnessDefault,
    columns,
  });
  if (stored === null) throw new AppError('unique', { attr: 'name', detail: `There is an endpoint with the name "${body.name}" already.` });
  return stored;
}

function refuseMaterialization(body: EndpointBody): void {
  if (!body.is_materialized) return;
  const detail =
    body.is_active === false ? 'An inactive endpoint cannot be materialized.' : 'Materialization is not available yet: leave is_materialized out.';
  throw new AppError('invalid_input', { attr: 'is_materialized', detail });
}

import type { PreparedEndpointQuery } from '../../../queries/compile/prepared-endpoint-query.ts';
import type { DeclaredVariable, VariableValue } from '../../../queries/definition/variables.ts';
import type { Context } from '../context.ts';
import type { RunnableVersion } from '../store/runnable-endpoint.ts';

/**
 * The variables of a version as its runs demand them. A materialized one has no defaults, whether there is a table or not: what answers a run
 * must not change what it is asked for (contract/endpoints 0.5). A variable that an empty text switches off may be left out,
 * and so may an optional breakdown.
 * @throws {AppError} as `QueryCompiler.preview` does
 */
export async function demandedVariables(
  { materializability }: Pick<Context, 'materializability'>,
  version: Pick<RunnableVersion, 'id' | 'query' | 'materialization' | 'optionalBreakdownProperties'>,
  { variables, insight }: Pick<PreparedEndpointQuery, 'variables' | 'insight'>,
  organizationId: string,
  given: Readonly<Record<string, unknown>> = {},
): Promise<readonly DeclaredVariable[]> {
  const { materialization } = version;
  if (materialization === null) return variables;
  if (insight !== undefined) return insight.demanded(version.optionalBreakdownProperties);
  const { table } = materialization;
  const optional =
    table === null
      ? await materializability.optionalVariables(version, organizationId)
      : table.plan.keys.filter(({ isOptional }) => isOptional).map(({ variable }) => variable);
  return variables.map((variable) => ({
    ...variable,
    fallback: optional.includes(variable.name) ? defaultOf(variable, given) : undefined,
  }));
}

/** Its own default, so that no run has other rows when its version is materialized. Null switches the filter off, as an empty text does. */
const defaultOf = ({ name, fallback }: DeclaredVariable, given: Readonly<Record<string, unknown>>): VariableValue =>
  given[name] === null ? '' : (fallback ?? '');

import type { PrismaClient } from '@millrace/postgres/generated/client.ts';

/** A variable of the project, as far as queries take it over. */
export interface SharedVariable {
  id: string;
  codeName: string;
  type: string;
  defaultValue: unknown;
}

export async function sharedVariables(
  { insightVariable }: Pick<PrismaClient, 'insightVariable'>,
  projectId: number,
): Promise<SharedVariable[]> {
  return await insightVariable.findMany({
    where: { projectId },
    select: { id: true, codeName: true, type: true, defaultValue: true },
    orderBy: { codeName: 'asc' },
  });
}

/**
 * A query's declarations with what the project knows of the same variables: those that it does not declare, and the type
 * and default that a declaration leaves out (contract/endpoints 2.2, 2.3). Pure. What is no object is left as it is.
 */
export function withShared(variables: unknown, shared: readonly SharedVariable[]): unknown {
  if (shared.length === 0) return variables;
  if (typeof variables !== 'object' || Array.isArray(variables))
    return variables === undefined ? withShared({}, shared) : variables;
  const given = Object.entries((variables ?? {}) as Record<string, unknown>);
  const declared = new Map(given);
  // The first of those that declare one name.
  const byName = new Map(given.toReversed().map((entry) => [nameOf(entry[1]), entry]));
  for (const variable of shared) {
    const known = {
      code_name: variable.codeName,
      type: variable.type,
      ...(variable.defaultValue !== null && { value: variable.defaultValue }),
    };
    const [id, declaration] = byName.get(variable.codeName) ?? [variable.id, {}];
    declared.set(id, { ...known, ...withoutNothing(declaration as Record<string, unknown>) });
  }
  return Object.fromEntries(declared);
}

function nameOf(declaration: unknown): unknown {
  return typeof declaration === 'object' && declaration !== null
    ? (declaration as Record<string, unknown>)['code_name']
    : undefined;
}

// Null fields of a declaration count as missing; NULL as a default is `isNull`.
function withoutNothing(declaration: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(declaration).filter(([, value]) => value !== null && value !== undefined));
}

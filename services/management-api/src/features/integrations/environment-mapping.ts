/** The environments of a provider, each of which sends its events to one project. */
export const environments = ['production', 'preview', 'development'] as const;
type Environment = (typeof environments)[number];

/** Project of each environment. */
export type EnvironmentMapping = Record<Environment, number>;

interface ProjectToken {
  projectId: number;
  token: string;
}

/** The tokens that a provider gets: that of production, and those of other environments where they are of another project. */
export type EnvironmentTokens = { production: ProjectToken } & Partial<Record<Environment, ProjectToken>>;

/**
 * The complete mapping of a request: an environment that is not named is where production is (contract/orgs-errors
 * 2.1). Pure.
 */
export function readMapping(body: {
  production: number;
  preview?: number | null;
  development?: number | null;
}): EnvironmentMapping {
  const { production } = body;
  return { production, preview: body.preview ?? production, development: body.development ?? production };
}

/** The first environment whose project is none of these; undefined: all are. Pure. */
export function unknownEnvironment(
  mapping: EnvironmentMapping,
  projectIds: ReadonlySet<number>,
): Environment | undefined {
  return environments.find((environment) => !projectIds.has(mapping[environment]));
}

/** The part of the mapping that the provider gets. Pure. @throws when a project has no token */
export function tokensFor(mapping: EnvironmentMapping, tokens: ReadonlyMap<number, string>): EnvironmentTokens {
  const tokenOf = (environment: Environment): ProjectToken => {
    const projectId = mapping[environment];
    const token = tokens.get(projectId);
    if (token === undefined) throw new Error(`project ${projectId} has no token`);
    return { projectId, token };
  };
  const overrides = environments
    .filter((environment) => mapping[environment] !== mapping.production)
    .map((environment) => [environment, tokenOf(environment)] as const);
  return { production: tokenOf('production'), ...Object.fromEntries(overrides) };
}

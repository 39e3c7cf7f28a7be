import {
  type ClickhouseSecrets,
  type DeclaredProfile,
  type DeclaredUser,
  declareUsers,
  passwordHash,
  type DeclareUsersOptions,
} from './declared-users.ts';

/**
 * The same users as SQL, for a server of which an administrator is known: statements in their order, each of which can be repeated.
 * A user gets rights last, so nobody reads a table before its row policy is there. What a former release gave is replaced. Pure.
 * Passwords are in it as hashes; the token's secret is in it in clear.
 * @throws {Error} as `declareUsers` does.
 */
export function buildUserStatements(options: DeclareUsersOptions & { secrets: ClickhouseSecrets }): string[] {
  const { profiles, users } = declareUsers(options);
  return [
    ...profiles.flatMap(profileStatements),
    ...users.flatMap((user) => userStatements(user, passwordHash(options.secrets, user.name))),
    ...users.flatMap(policyStatements),
    ...users.map(({ name, rights }) => `GRANT ${rights.join(', ')} TO ${name} WITH REPLACE OPTION`),
  ];
}

// Never OR REPLACE: that is a new profile or user, of which those who refer to the old one know nothing.
function profileStatements({ name, settings, constraints }: DeclaredProfile): string[] {
  const bounds = new Map(constraints.map(({ name: setting, min, max }) => [setting, boundsOf(min, max)]));
  const values = Object.entries(settings).map(([setting, value]) => {
    const bound = bounds.get(setting);
    bounds.delete(setting);
    return `${setting} = ${typeof value === 'number' ? value : quoted(value)}${bound ?? ''}`;
  });
  const rest = [...bounds].map(([setting, bound]) => `${setting}${bound}`);
  return createThenAlter('SETTINGS PROFILE', name, `SETTINGS ${[...values, ...rest].join(', ')}`);
}

const boundsOf = (min: number | undefined, max: number | undefined): string =>
  `${min === undefined ? '' : ` MIN ${min}`}${max === undefined ? '' : ` MAX ${max}`} CHANGEABLE_IN_READONLY`;

function userStatements({ name, profile }: DeclaredUser, hash: string): string[] {
  const from = name === 'definer' ? 'NONE' : 'ANY';
  return createThenAlter(
    'USER',
    name,
    `IDENTIFIED WITH sha256_hash BY '${hash}' HOST ${from} SETTINGS PROFILE ${quoted(profile)}`,
  );
}

function policyStatements({ name, policies }: DeclaredUser): string[] {
  return policies.flatMap(({ table, filter }) =>
    createThenAlter('ROW POLICY', `${name} ON analytics.${table}`, `FOR SELECT USING ${filter} TO ${name}`),
  );
}

const createThenAlter = (kind: string, name: string, as: string): string[] => [
  `CREATE ${kind} IF NOT EXISTS ${name} ${as}`,
  `ALTER ${kind} ${name} ${as}`,
];

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

import { escapeXml } from '@millrace/runtime/xml.ts';
import {
  type ClickhouseSecrets,
  type DeclaredProfile,
  type DeclaredUser,
  declareUsers,
  passwordHash,
  type DeclareUsersOptions,
  policySettings,
} from './declared-users.ts';

export interface ClickhouseUsersOptions extends DeclareUsersOptions {
  secrets: ClickhouseSecrets;
  /** Addresses that users may come from: of this machine alone, or any. Who may reach the port is then the network's to say. */
  from: 'loopback' | 'anywhere';
}

/**
 * The users of ClickHouse, with profiles, grants and row policies: a document for the folder `users.d` of a server that is the
 * product's alone, a local one or one in production. It takes the user `default` away, whom servers have without a password, and adds
 * `admin`. Pure.
 * @throws {Error} for a name of a table or column or a token secret with other characters than the ones allowed.
 */
export function buildUsersXml(options: ClickhouseUsersOptions): string {
  const own: DeclaredProfile = { name: 'default', settings: policySettings, constraints: [] };
  const admin = userXml('admin', passwordHash(options.secrets, 'admin'), options.from, {
    profile: 'default',
    rights: [],
    policies: [],
  });
  return documentOf(options, { profiles: profileXml(own), users: `<default remove="remove"/>\n${admin}` });
}

/** The same for a server that has users of its own: it adds those of the services, and changes nothing else. Pure. */
export function buildAddedUsersXml(options: ClickhouseUsersOptions): string {
  return documentOf(options, { profiles: '', users: '' });
}

function documentOf(options: ClickhouseUsersOptions, more: { profiles: string; users: string }): string {
  const { profiles, users } = declareUsers(options);
  const lines = (given: string, printed: readonly string[]): string => [given, ...printed].filter(Boolean).join('\n');
  return `<clickhouse>
<profiles>
${lines(more.profiles, profiles.map(profileXml))}
</profiles>
<quotas>
<default/>
</quotas>
<users>
${lines(
  more.users,
  users.map((user) => userXml(user.name, passwordHash(options.secrets, user.name), options.from, user)),
)}
</users>
</clickhouse>
`;
}

function userXml(
  name: string,
  hash: string,
  from: ClickhouseUsersOptions['from'],
  { profile, rights, policies }: Pick<DeclaredUser, 'profile' | 'rights' | 'policies'>,
): string {
  const grants = rights.map((right) => `<query>${escapeXml(`GRANT ${right}`)}</query>`).join('');
  const filters = policies.map(({ table, filter }) => `<${table}><filter>${escapeXml(filter)}</filter></${table}>`);
  return (
    `<${name}><password_sha256_hex>${hash}</password_sha256_hex>${networks[name === 'definer' ? 'nowhere' : from]}` +
    `<profile>${profile}</profile><quota>default</quota>` +
    // Without the element a user has all rights.
    (grants === '' ? '' : `<grants>${grants}</grants>`) +
    (filters.length === 0 ? '' : `<databases><analytics>${filters.join('')}</analytics></databases>`) +
    `</${name}>`
  );
}

function profileXml({ name, settings, constraints }: DeclaredProfile): string {
  const values = Object.entries(settings).map(([setting, value]) => element(setting, escapeXml(String(value))));
  const bounds = constraints.map(({ name: setting, min, max }) =>
    element(
      setting,
      `${min === undefined ? '' : element('min', min)}${max === undefined ? '' : element('max', max)}<changeable_in_readonly/>`,
    ),
  );
  const within = bounds.length === 0 ? '' : element('constraints', bounds.join(''));
  return element(name, values.join('') + within);
}

const element = (name: string, content: string | number): string => `<${name}>${content}</${name}>`;

const networks = {
  loopback: '<networks><ip>127.0.0.1</ip><ip>::1</ip></networks>',
  anywhere: '<networks><ip>::/0</ip></networks>',
  nowhere: '<networks></networks>',
};

import { withoutEnd } from '@millrace/runtime/without-end.ts';

/** Address of a ClickHouse of the user's own, with the login of its administrator. */
export interface ClickhouseAddress {
  /** Without user and password. */
  url: string;
  user: string;
  password: string;
}

/** Address of a Postgres of the user's own. */
export interface PostgresAddress {
  /** The URL of the product's database, with the administrator's login and password. */
  url: string;
  /** `host:port/database`. */
  shown: string;
}

/** Parts of `http://user:password@host:port`; without a user it is `default`. Pure. */
export function clickhouseAddress(text: string): ClickhouseAddress {
  const { origin, pathname, username, password } = new URL(text);
  return {
    url: withoutEnd(origin + pathname, '/'),
    user: decodeURIComponent(username) || 'default',
    password: decodeURIComponent(password),
  };
}

/** Parts of `postgres://user:password@host:port/database`; without a database it is `millrace`. Pure. */
export function postgresAddress(text: string): PostgresAddress {
  const url = new URL(text);
  if (url.pathname === '' || url.pathname === '/') url.pathname = '/millrace';
  return {
    url: url.href,
    shown: `${url.hostname}:${url.port || '5432'}${decodeURIComponent(url.pathname)}`,
  };
}

/** Engines of the user's own; null: the engine from npm. */
export interface GivenEngines {
  clickhouse: ClickhouseAddress | null;
  postgres: PostgresAddress | null;
}

import { withoutEnd } from '@millrace/runtime/without-end.ts';

/** A ClickHouse of the user's own, as its administrator reaches it. */
export interface ClickhouseAddress {
  /** Without user and password. */
  url: string;
  user: string;
  password: string;
}

/** A Postgres of the user's own. */
export interface PostgresAddress {
  /** As its administrator, with the database of the product: holds the password. */
  url: string;
  /** `host:port/database`. */
  shown: string;
}

/** Parts of `http://user:password@host:port`; a ClickHouse without a user has `default`. Pure. */
export function clickhouseAddress(text: string): ClickhouseAddress {
  const { origin, pathname, username, password } = new URL(text);
  return {
    url: withoutEnd(origin + pathname, '/'),
    user: decodeURIComponent(username) || 'default',
    password: decodeURIComponent(password),
  };
}

/** The address with the database `millrace`, when it names none. Pure. */
export function postgresAddress(text: string): PostgresAddress {
  const url = new URL(text);
  if (url.pathname === '' || url.pathname === '/') url.pathname = '/millrace';
  return {
    url: url.href,
    shown: `${url.hostname}:${url.port || '5432'}${decodeURIComponent(url.pathname)}`,
  };
}

import { createHttpClient } from './http-client.ts';

export interface ClickhouseUser {
  name: string;
  password: string;
}

interface Query {
  sql: string;
  params?: Readonly<Record<string, unknown>>;
  settings?: Readonly<Record<string, string>>;
  /** Such as those that open a tenant's rows. */
  headers?: Readonly<Record<string, string>>;
  /** Rows of an insert; the SQL goes in the URL then. */
  rows?: Uint8Array;
}

export interface Clickhouse {
  /** The answer as ClickHouse sends it. @throws what it refuses */
  send(query: Query): Promise<Buffer>;
  /** The one number that the query answers. */
  number(query: Query): Promise<number>;
  close(): void;
}

/** ClickHouse's own HTTP interface as one of its users, with nothing of ours between. */
export function openClickhouse(url: string, { name, password }: ClickhouseUser): Clickhouse {
  const http = createHttpClient(url);
  const login = { 'x-clickhouse-user': name, 'x-clickhouse-key': password };
  const send = ({ sql, params = {}, settings = {}, headers = {}, rows }: Query): Promise<Buffer> => {
    const search = new URLSearchParams(settings);
    for (const [key, value] of Object.entries(params)) search.set(`param_${key}`, String(value));
    if (rows !== undefined) search.set('query', sql);
    return http.send({
      method: 'POST',
      path: `/?${search.toString()}`,
      headers: { ...login, ...headers },
      body: rows ?? sql,
    });
  };
  return {
    send,
    number: async (query) => Number((await send(query)).toString()),
    close: () => http.close(),
  };
}

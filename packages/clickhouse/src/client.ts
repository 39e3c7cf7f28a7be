import { ClickHouseLogLevel, createClient, type ClickHouseClient } from '@clickhouse/client';

/** Address, login and timeouts of a server. */
export interface ClickhouseOptions {
  /** `http://host:port`. */
  url: string;
  user: string;
  password: string;
  /** Shown in the server's query log. */
  applicationName?: string;
  /** Milliseconds without a response after which a request fails. */
  requestTimeoutMs?: number;
  /** Most connections at a time. */
  connectionsMax?: number;
}

// Servers and the proxies before them close idle connections after 10 s or more: ours go first, so that no request
// meets a closing one.
const idleSocketMs = 5_000;

/** A client over keep-alive connections. It connects with the first request; `close()` ends its connections. */
export function createClickhouse({
  url,
  user,
  password,
  applicationName,
  requestTimeoutMs,
  connectionsMax,
}: ClickhouseOptions): ClickHouseClient {
  return createClient({
    url,
    username: user,
    password,
    application: applicationName ?? 'millrace',
    request_timeout: requestTimeoutMs ?? 30_000,
    max_open_connections: connectionsMax ?? 10,
    keep_alive: { enabled: true, idle_socket_ttl: idleSocketMs },
    // Errors are thrown. Callers log them, because they know what they mean.
    log: { level: ClickHouseLogLevel.OFF },
  });
}

import { escapeXml } from '@millrace/runtime/xml.ts';

export interface ClickhouseServerOptions {
  dataDir: string;
  usersFile: string;
  port: number;
  /** Bytes that the whole server may use. Default 2 GB: queries and inserts beyond it fail, the machine stays usable. */
  memoryBytesMax?: number | undefined;
}

/**
 * The configuration document of the local ClickHouse: one HTTP port on the loopback interface, caches sized for a
 * developer's machine (the presets are gigabytes), no system log tables, nothing that wakes up often. Pure.
 */
export function buildServerXml({
  dataDir,
  usersFile,
  port,
  memoryBytesMax = 2_000_000_000,
}: ClickhouseServerOptions): string {
  const settings: Record<string, string | number> = {
    path: dataDir,
    users_config: usersFile,
    http_port: port,
    listen_host: '127.0.0.1',
    max_server_memory_usage: memoryBytesMax,
    mark_cache_size: 67_108_864,
    primary_index_cache_size: 67_108_864,
    index_mark_cache_size: 16_777_216,
    compiled_expression_cache_size: 16_777_216,
    // Looks at the process's memory this often; its preset of 50 ms is most of an idle server's work.
    memory_worker_period_ms: 500,
    // With its local preset of 2 every table's background task is put off time and again, with a warning each time.
    background_schedule_pool_size: 16,
    // Threads of all queries together, as many as cores (but each query has one): more gain nothing, and a short query waits for them all.
    concurrent_threads_soft_limit_ratio_to_cores: 1,
    concurrent_threads_scheduler: 'max_min_fair',
    max_thread_pool_size: 1_000,
    max_concurrent_queries: 200,
    keep_alive_timeout: 30,
  };
  const lines = Object.entries(settings).map(([name, value]) => `<${name}>${escapeXml(String(value))}</${name}>`);
  return `<clickhouse>\n${lines.join('\n')}\n<logger><level>warning</level><console>1</console></logger>\n</clickhouse>\n`;
}

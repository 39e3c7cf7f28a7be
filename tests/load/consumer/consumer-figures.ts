import { createHttpClient } from '../http-client.ts';
import type { SystemUnderTest } from '../system-under-test.ts';

/** Sum of a counter of all the consumer's processes, over its labels. */
export async function consumerCounter(system: SystemUnderTest, name: string): Promise<number> {
  return sumOf(name, await scrape(system.local.operationsUrls.consumer));
}

async function scrape(url: string): Promise<string> {
  const http = createHttpClient(url);
  try {
    return (await http.send({ method: 'GET', path: '/metrics' })).toString();
  } finally {
    http.close();
  }
}

/** Sum of a metric over its labels in Prometheus' text format. Pure. @throws when the text does not know it */
export function sumOf(name: string, text: string): number {
  if (!text.includes(`# TYPE ${name} `)) throw new Error(`there is no metric ${name}`);
  const lines = text.split('\n').filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`));
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
}

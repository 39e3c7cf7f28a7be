import { isDeepStrictEqual } from 'node:util';
import { delay } from '../../packages/runtime/src/clock.ts';

/** Calls of functions: by the file's address, the function's name, its begin and its end, with blanks between. */
export type Calls = ReadonlyMap<string, number>;

/** Counts the calls of each function of a running Node process. */
export interface CallCounter {
  /** Calls since the last time. */
  take(): Promise<Calls>;
  /** Ends the counting, and closes the port that it opened. */
  stop(): Promise<void>;
}

interface Coverage {
  result: {
    url: string;
    functions: { functionName: string; ranges: { startOffset: number; endOffset: number; count: number }[] }[];
  }[];
}

/** Node's own, where SIGUSR1 opens its inspector. */
const address = 'http://127.0.0.1:9229';

/**
 * Opens the inspector of the process by SIGUSR1 and counts calls by V8's precise coverage: the process runs as usual, but slower.
 * @throws when the port belongs to another process
 */
export async function countCalls(pid: number): Promise<CallCounter> {
  process.kill(pid, 'SIGUSR1');
  const { request, close } = await connect(await socketAddress());
  const response = await request<{ result: { value: number } }>('Runtime.evaluate', { expression: 'process.pid' });
  if (!isDeepStrictEqual(response.result.value, pid))
    throw new Error(`port 9229 belongs to process ${response.result.value}, not to ${pid}`);
  await request('Profiler.enable');
  await request('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  return {
    async take() {
      const { result } = await request<Coverage>('Profiler.takePreciseCoverage');
      return new Map(result.flatMap(({ url, functions }) => functions.flatMap((found) => callsOf(url, found))));
    },
    async stop() {
      await request('Profiler.stopPreciseCoverage');
      // The inspector closes only when no client is connected.
      const expression = `setTimeout(() => process.getBuiltinModule('node:inspector').close(), 100)`;
      await request('Runtime.evaluate', { expression });
      close();
    },
  };
}

function callsOf(url: string, { functionName, ranges }: Coverage['result'][number]['functions'][number]) {
  return ranges
    .slice(0, 1)
    .filter(({ count }) => count > 0)
    .map(({ startOffset, endOffset, count }) => [`${url} ${functionName} ${startOffset} ${endOffset}`, count] as const);
}

async function socketAddress(): Promise<string> {
  for (const deadline = Date.now() + 10_000; ; await delay(50)) {
    try {
      const [target] = (await (await fetch(`${address}/json/list`)).json()) as { webSocketDebuggerUrl: string }[];
      if (target) return target.webSocketDebuggerUrl;
    } catch (error) {
      if (Date.now() > deadline) throw new Error('the inspector did not open within 10 s', { cause: error });
    }
  }
}

interface ProtocolResponse {
  id?: number;
  result?: unknown;
  error?: { message: string };
}

/** Sends requests of the inspector's protocol, over one connection. */
interface Inspector {
  request: <Result>(method: string, params?: object) => Promise<Result>;
  close: () => void;
}

async function connect(url: string): Promise<Inspector> {
  const socket = new WebSocket(url);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true });
    socket.addEventListener('error', () => reject(new Error(`no connection to ${url}`)), { once: true });
  });
  const waiting = new Map<number, (reply: ProtocolResponse) => void>();
  socket.addEventListener('message', ({ data }) => {
    const response = JSON.parse(String(data)) as ProtocolResponse;
    if (response.id !== undefined) waiting.get(response.id)?.(response);
  });
  let last = 0;
  return {
    request<Result>(method: string, params: object = {}): Promise<Result> {
      const id = ++last;
      return new Promise((resolve, reject) => {
        waiting.set(id, ({ result, error }) => {
          waiting.delete(id);
          if (error) reject(new Error(`${method}: ${error.message}`));
          else resolve(result as Result);
        });
        socket.send(JSON.stringify({ id, method, params }));
      });
    },
    close: () => socket.close(),
  };
}

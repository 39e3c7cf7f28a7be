/** The arguments after `npm start --` cannot be used. The message shows the usage. */
export class ArgumentError extends Error {
  override name = 'ArgumentError';
}

const usage = `Usage: npm start [-- --kafka HOST:PORT[,HOST:PORT…]] [--clickhouse URL] [--postgres URL]
  --kafka       the event log is in Kafka, at these brokers (as KAFKA_BROKERS); without it in the data folder
  --clickhouse  a ClickHouse of your own, as its administrator: http://user:password@host:port (as MILLRACE_CLICKHOUSE_URL)
  --postgres    a Postgres of your own, as its administrator: postgres://user:password@host:port/database (as MILLRACE_POSTGRES_URL)
  --help        shows this, with the data folder and the ports

npm prints its arguments, so put a password into the variables.
Everything else is set by variables, see .env.example.`;

/** The usage, with the path of the data folder and the ports of its next start. */
export function usageWith(folder: string, ports: { capture: number; 'management-api': number }): string {
  return `${usage}

Data folder   ${folder}
              (MILLRACE_DATA_DIR; in the checkout .millrace)
Ports         ${ports.capture} capture (CAPTURE_PORT), ${ports['management-api']} management API (API_PORT);
              a taken one is replaced by the next free one, unless its variable names it
While it runs npm run --silent millrace -- status    addresses, token, key, what is ready
              npm run --silent millrace -- stop      ends it, as Ctrl-C does`;
}

/** The values of the arguments of `npm start`; null: not given. */
export interface LauncherArguments {
  /** Brokers as `host:port`, separated by commas. */
  kafka: string | null;
  /** Addresses of engines of the user's own, with their passwords. */
  clickhouse: string | null;
  postgres: string | null;
  /** `--help` is given: only the usage is shown. */
  isHelp: boolean;
}

type Option = 'kafka' | 'clickhouse' | 'postgres';

const options: Record<Option, { fits: (value: string) => boolean; needs: (value: string) => string }> = {
  kafka: {
    fits: areAddresses,
    needs: (value) => `the brokers as host:port, with commas between, not "${value}"`,
  },
  // These messages do not repeat the value, because it may hold a password.
  clickhouse: {
    fits: (value) => isUrl(value, ['http:', 'https:']),
    needs: () => "its administrator's address: http://user:password@host:port",
  },
  postgres: {
    fits: (value) => isUrl(value, ['postgres:', 'postgresql:']),
    needs: () => "its administrator's address: postgres://user:password@host:port/database",
  },
};

/** Parses the arguments of `npm start`. @throws {ArgumentError} for an unknown argument or a missing or wrong value */
export function parseArguments(given: readonly string[]): LauncherArguments {
  const values: Record<Option, string | null> = { kafka: null, clickhouse: null, postgres: null };
  for (let at = 0; at < given.length; at++) {
    const [name, inline] = split(given[at] ?? '');
    if (name === '--help' || name === '-h') return { kafka: null, clickhouse: null, postgres: null, isHelp: true };
    const option = (Object.keys(options) as Option[]).find((known) => name === `--${known}`);
    if (option === undefined) throw new ArgumentError(`npm start does not know "${name}".\n\n${usage}`);
    if (values[option] !== null) throw new ArgumentError(`${name} is given twice.\n\n${usage}`);
    const value = inline ?? given[++at] ?? '';
    const { fits, needs } = options[option];
    if (!fits(value)) throw new ArgumentError(`${name} needs ${needs(value)}.\n\n${usage}`);
    values[option] = value;
  }
  return { ...values, isHelp: false };
}

function split(argument: string): [name: string, value: string | undefined] {
  const at = argument.indexOf('=');
  return at < 0 ? [argument, undefined] : [argument.slice(0, at), argument.slice(at + 1)];
}

function isUrl(value: string, protocols: readonly string[]): boolean {
  return URL.canParse(value) && protocols.includes(new URL(value).protocol) && new URL(value).hostname !== '';
}

function areAddresses(brokers: string): boolean {
  return brokers.split(',').every((broker) => {
    const port = Number(/^\s*(?:\[[\da-f:.]+\]|[\w.-]+):(\d{1,5})\s*$/i.exec(broker)?.[1]);
    return port >= 1 && port <= 65_535;
  });
}

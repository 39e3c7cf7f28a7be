/** What was typed behind `npm start --` cannot be used; the message says how to go on. */
export class ArgumentError extends Error {
  override name = 'ArgumentError';
}

/** What `npm start` takes, for people. */
const usage = `Usage: npm start [-- --kafka HOST:PORT[,HOST:PORT…]]
  --kafka   the event log is in Kafka, at these brokers (as KAFKA_BROKERS); without it in the data folder
  --help    shows this, with the data folder and the ports

Everything else is set by variables, see .env.example.`;

/** The same, with where everything is: the folder's path, and the ports that it has (those of its next start). */
export function usageWith(folder: string, ports: { capture: number; 'management-api': number }): string {
  return `${usage}

Data folder   ${folder}
              (MILLRACE_DATA_DIR; in the checkout .millrace)
Ports         ${ports.capture} capture (CAPTURE_PORT), ${ports['management-api']} management API (API_PORT);
              a taken one is replaced by the next free one, unless its variable names it
While it runs npm run --silent millrace -- status    addresses, token, key, what is ready
              npm run --silent millrace -- stop      ends it, as Ctrl-C does`;
}

/** The arguments of `npm start`. */
export interface LauncherArguments {
  /** Brokers with commas between, or null. */
  kafka: string | null;
  /** Only the usage is asked for. */
  isHelp: boolean;
}

/** @throws {ArgumentError} when something is unknown or misses its value. */
export function parseArguments(given: readonly string[]): LauncherArguments {
  let kafka: string | null = null;
  for (let at = 0; at < given.length; at++) {
    const [name, inline] = split(given[at] ?? '');
    if (name === '--help' || name === '-h') return { kafka: null, isHelp: true };
    if (name !== '--kafka') throw new ArgumentError(`npm start does not know "${given[at]}".\n\n${usage}`);
    if (kafka !== null) throw new ArgumentError(`--kafka is given twice.\n\n${usage}`);
    kafka = inline ?? given[++at] ?? '';
    if (!areAddresses(kafka))
      throw new ArgumentError(
        `--kafka needs the brokers as host:port, with commas between, not "${kafka}".\n\n${usage}`,
      );
  }
  return { kafka, isHelp: false };
}

function split(argument: string): [name: string, value: string | undefined] {
  const at = argument.indexOf('=');
  return at < 0 ? [argument, undefined] : [argument.slice(0, at), argument.slice(at + 1)];
}

function areAddresses(brokers: string): boolean {
  return brokers.split(',').every((broker) => {
    const port = Number(/^\s*(?:\[[\da-f:.]+\]|[\w.-]+):(\d{1,5})\s*$/i.exec(broker)?.[1]);
    return port >= 1 && port <= 65_535;
  });
}

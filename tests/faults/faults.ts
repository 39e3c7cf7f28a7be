// npm run faults [-- --scenario NAME --minutes N …]: hurts the whole product under load, and compares the replies to clients
// with what is stored. Exit code 1 when anything did not hold.
import { deleteLog } from '@millrace/event-log/kafka/testing/test-broker.ts';
import { hasRedis, hasS3, missingFor, missingForBroker } from './available.ts';
import { FaultsArgumentError, type FaultsArguments, faultsUsage, readFaultsArguments } from './faults-arguments.ts';
import { modelDoes, modelLine, modelName, type ModelOutcome, runModel } from './model.ts';
import { reportOf, type Skipped } from './report.ts';
import { type LogKind, type Rig, type RigOptions, startRig } from './rig/rig.ts';
import { type Outcome, runScenario } from './run-scenario.ts';
import { bothLogs, type Scenario } from './stage/scenario.ts';
import { scenarios } from './scenarios.ts';

const say = (line: string): void => void process.stderr.write(`${line}\n`);
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => stop.abort(new Error('stopped')));
/** For what cannot be called off. Engines and services end with this process. */
const stopMsMax = 20_000;
stop.signal.addEventListener('abort', () => setTimeout(() => process.exit(130), stopMsMax).unref());
// The bootstrap that started this process is gone.
if (process.connected) process.on('disconnect', () => stop.abort(new Error('stopped')));

try {
  const requested = readFaultsArguments(process.argv.slice(2), [...scenarios.map(({ name }) => name), modelName]);
  if (requested.isHelp) process.stdout.write(`${faultsUsage}\n`);
  process.exit(requested.isHelp ? 0 : requested.list ? list() : await run(requested));
} catch (error) {
  if (!(error instanceof FaultsArgumentError) && !stop.signal.aborted) throw error;
  say(error instanceof Error ? error.message : String(error));
  process.exit(stop.signal.aborted ? 130 : 2);
}

function list(): number {
  for (const { number, name, logs, does } of scenarios)
    process.stdout.write(`${String(number).padStart(2)}  ${name}  (${logs.join(', ')})\n      ${does}\n`);
  process.stdout.write(`    ${modelName}  (embedded)\n      ${modelDoes}\n`);
  return 0;
}

async function run(queried: FaultsArguments): Promise<number> {
  const outcomes: Outcome[] = [];
  const skipped: Skipped[] = [];
  for (const log of queried.log === null ? bothLogs : [queried.log]) {
    const wanted = scenarios.filter(({ name, logs }) => queried.names.includes(name) && logs.includes(log));
    const missing = log === 'kafka' && queried.brokers === null ? missingForBroker() : null;
    const options = { log, brokers: queried.brokers };
    const why = (scenario: Scenario): string | null => missing ?? missingFor(scenario, options);
    skipped.push(
      ...wanted.flatMap((scenario) =>
        why(scenario) === null ? [] : [{ scenario: scenario.name, log, why: why(scenario) ?? '' }],
      ),
    );
    outcomes.push(
      ...(await runOn(
        options,
        wanted.filter((scenario) => why(scenario) === null),
        queried,
      )),
    );
  }
  const model = queried.names.includes(modelName) && queried.log !== 'kafka' ? await reportModel(queried) : null;
  const below = model === null ? '' : `${outcomes.length + skipped.length > 0 ? '\n' : ''}${modelLine(model)}\n`;
  const table = outcomes.length + skipped.length > 0 || model === null ? `${reportOf(outcomes, skipped)}\n` : '';
  process.stdout.write(
    queried.json
      ? `${JSON.stringify({ date: new Date().toISOString(), outcomes, skipped, model }, null, 2)}\n`
      : table + below,
  );
  return outcomes.some(({ wrong }) => wrong.length > 0) || (model?.failed ?? 0) > 0 ? 1 : 0;
}

function reportModel({ minutes }: FaultsArguments): Promise<ModelOutcome> {
  say(`${modelName}: ${modelDoes} …`);
  return runModel(minutes === null ? null : minutes * 60_000, stop.signal);
}

/**
 * One system for all short forms, each scenario with projects of its own; a new one after a failure, and for what needs a small
 * disk. Each long form has its own: thousands of unmerged parts (`store.ts`) of those before it would be asked for each
 * event that it has read again.
 */
async function runOn(
  options: RigOptions & { log: LogKind },
  wanted: readonly Scenario[],
  { minutes }: FaultsArguments,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  let rig: Rig | null = null;
  try {
    for (const scenario of wanted) {
      stop.signal.throwIfAborted();
      const smallDisk = scenario.needs?.smallDisk === true;
      if (rig !== null && smallDisk) rig = await end(rig, options);
      say(`${scenario.name} (${options.log}): ${scenario.does} …`);
      rig ??= await startRig({ ...options, smallDisk, redis: hasRedis(), s3: hasS3(options.log) });
      const outcome = await runScenario(scenario, rig, {
        forMs: minutes === null ? null : minutes * 60_000,
        say: (line) => say(`  ${line}`),
        stop: stop.signal,
      });
      outcomes.push(outcome);
      say(`${scenario.name} (${options.log}): ${outcome.wrong.length === 0 ? 'ok' : outcome.wrong.join('; ')}`);
      if (outcome.wrong.length > 0) say(`its ledger and the logs are kept in ${rig.keepEvidence()}`);
      if (outcome.wrong.length > 0 || smallDisk || minutes !== null) rig = await end(rig, options);
    }
  } finally {
    if (rig !== null) await end(rig, options);
  }
  return outcomes;
}

async function end(rig: Rig, { brokers }: RigOptions): Promise<null> {
  await rig.close();
  const { KAFKA_TOPIC_PREFIX: topicPrefix } = rig.logSettings;
  if (brokers && topicPrefix !== undefined) await deleteLog({ brokers: brokers.split(','), topicPrefix });
  return null;
}

import type { Scenario } from './stage/scenario.ts';
import { brokerAway } from './scenarios/broker-away.ts';
import { clickhouseAway } from './scenarios/clickhouse-away.ts';
import { clickhouseDies } from './scenarios/clickhouse-dies.ts';
import { clickhouseRefuses } from './scenarios/clickhouse-refuses.ts';
import { clockJumps } from './scenarios/clock-jumps.ts';
import { compileBombs } from './scenarios/compile-bombs.ts';
import { diskFull } from './scenarios/disk-full.ts';
import { exceptions } from './scenarios/exceptions.ts';
import { hugePersons } from './scenarios/huge-persons.ts';
import { killBroker } from './scenarios/kill-broker.ts';
import { killCapture } from './scenarios/kill-capture.ts';
import { killConsumer } from './scenarios/kill-consumer.ts';
import { longCalls } from './scenarios/long-calls.ts';
import { lostReplies } from './scenarios/lost-answers.ts';
import { poison } from './scenarios/poison.ts';
import { postgresAway } from './scenarios/postgres-away.ts';
import { randomKeys } from './scenarios/random-keys.ts';
import { rebalanceStorm } from './scenarios/rebalance-storm.ts';
import { redisAway } from './scenarios/redis-away.ts';
import { repeatedRequests } from './scenarios/repeated-requests.ts';
import { rewind } from './scenarios/rewind.ts';
import { silentBroker } from './scenarios/silent-broker.ts';
import { slowBroker } from './scenarios/slow-broker.ts';
import { stalledBodies } from './scenarios/stalled-bodies.ts';
import { stopServices } from './scenarios/stop-services.ts';
import { unreadStreams } from './scenarios/unread-streams.ts';

/** Every scenario, in the order of their numbers. */
export const scenarios: readonly Scenario[] = [
  killConsumer,
  killCapture,
  stopServices,
  brokerAway,
  killBroker,
  slowBroker,
  silentBroker,
  clickhouseAway,
  clickhouseDies,
  clickhouseRefuses,
  lostReplies,
  postgresAway,
  redisAway,
  rewind,
  repeatedRequests,
  rebalanceStorm,
  poison,
  diskFull,
  clockJumps,
  stalledBodies,
  unreadStreams,
  compileBombs,
  longCalls,
  hugePersons,
  randomKeys,
  exceptions,
];

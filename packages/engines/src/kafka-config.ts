export interface KafkaServerOptions {
  dataDir: string;
  port: number;
  controllerPort: number;
  /** Settings of the broker that win over those here, by Kafka's own names. */
  settings?: Readonly<Record<string, string | number>> | undefined;
}

/** The `server.properties` of a single broker that is its own controller, on the loopback interface. Pure. */
export function buildServerProperties({ dataDir, port, controllerPort, settings = {} }: KafkaServerOptions): string {
  const properties: Record<string, string | number> = {
    'process.roles': 'broker,controller',
    'node.id': 1,
    'controller.quorum.voters': `1@127.0.0.1:${controllerPort}`,
    'controller.listener.names': 'CONTROLLER',
    listeners: `PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}`,
    'advertised.listeners': `PLAINTEXT://127.0.0.1:${port}`,
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
    'log.dirs': dataDir,
    'auto.create.topics.enable': 'false',
    // With one broker there is one copy of everything.
    'offsets.topic.replication.factor': 1,
    'transaction.state.log.replication.factor': 1,
    'transaction.state.log.min.isr': 1,
    'share.coordinator.state.topic.replication.factor': 1,
    'share.coordinator.state.topic.min.isr': 1,
    // Few files and short waits, for a developer's machine: the presets are 50 partitions and 3 s.
    'offsets.topic.num.partitions': 1,
    'transaction.state.log.num.partitions': 1,
    'group.initial.rebalance.delay.ms': 0,
    // A group may choose to notice a dead member sooner than after the preset's 6 s.
    'group.min.session.timeout.ms': 1_000,
    // After a kill the broker waits until its earlier registration has run out; the preset is 9 s.
    'broker.session.timeout.ms': 3_000,
    'broker.heartbeat.interval.ms': 500,
    ...settings,
  };
  const escape = (value: string | number): string => String(value).replaceAll('\\', '\\\\');
  return Object.entries(properties)
    .map(([name, value]) => `${name}=${escape(value)}\n`)
    .join('');
}

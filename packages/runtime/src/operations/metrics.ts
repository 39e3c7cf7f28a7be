import { collectDefaultMetrics, Registry, type Metric } from 'prom-client';

export { AggregatorRegistry, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** A registry whose metrics are labelled with the service. */
export function createMetrics(service: string): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  return registry;
}

/**
 * Adds the metrics of this process: CPU, memory, event loop, collections. Once a process: it is watched from here on until it ends,
 * a hundred times a second.
 */
export function addProcessMetrics(registry: Registry): void {
  collectDefaultMetrics({ register: registry });
}

/**
 * Shows metrics under their former names too, for one release (CHANGELOG, "Before an upgrade"). Both names have the same values.
 * @param formerNames former name by name
 * @throws {Error} when the registry has no metric of a name.
 */
export function keepFormerNames(registry: Registry, formerNames: Readonly<Record<string, string>>): void {
  for (const [name, formerName] of Object.entries(formerNames)) {
    const metric = registry.getSingleMetric(name);
    if (metric === undefined) throw new Error(`no metric ${name}`);
    registry.registerMetric(underFormerName(metric, name, formerName));
  }
}

// The metric itself, but for what a scrape reads: a scrape of one name changes nothing of the other.
function underFormerName(metric: Metric, name: string, formerName: string): Metric {
  const former = Object.create(metric) as Metric & { name: string; help: string };
  const help = `Former name of ${name}, gone in the next release`;
  // A scrape reads histograms past `get`, with these two.
  former.name = formerName;
  former.help = help;
  former.get = async () => {
    const { values, ...shown } = await metric.get();
    const renamed = values.map((value) =>
      'metricName' in value && typeof value.metricName === 'string'
        ? { ...value, metricName: value.metricName.replace(name, formerName) }
        : value,
    );
    return { ...shown, values: renamed, name: formerName, help };
  };
  return former;
}

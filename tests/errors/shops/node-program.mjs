import { PostHog } from 'posthog-node';

// Arguments: address of capture, token, name of the run, path of the bundle, and the scenario whose failure nobody catches. Without one every
// scenario's error is the cause of an exception that is captured.
const [, , host, token, run, bundle, uncaught] = process.argv;
const posthog = new PostHog(token, {
  host,
  enableExceptionAutocapture: true,
  // What nobody catches has no place for properties of ours.
  before_send: (event) => {
    const ours = uncaught === undefined ? {} : { scenario: uncaught, way: 'uncaught' };
    return event && { ...event, properties: { ...event.properties, ...ours, run } };
  },
});

await import(bundle);
const { scenarios } = globalThis;
// Not in the module itself, where an error is a rejected promise of the import.
if (uncaught !== undefined) setImmediate(() => scenarios[uncaught]());
else {
  for (const [scenario, fail] of Object.entries(scenarios)) {
    try {
      await fail();
    } catch (cause) {
      posthog.captureException(new Error('it failed', { cause }), 'ann', { scenario, way: 'cause' });
    }
  }
  await posthog.shutdown();
}

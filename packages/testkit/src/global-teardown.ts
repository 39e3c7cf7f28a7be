import { startedEngines } from './global-setup.ts';

/** Stops the engines and removes what they left. */
export default async function globalTeardown(): Promise<void> {
  await startedEngines.current?.stop();
}

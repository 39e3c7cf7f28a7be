import { openSdkFiles } from '../web-sdk/sdk-files.ts';
import { token } from './capture-under-test.ts';

const values: Record<string, string> = { token, file: 'array.js', version: openSdkFiles().version };

/** A path that is there, for the path of a route: its parameters have values. @throws for a parameter that has none here */
export function addressOf(path: string): string {
  return path.replaceAll(/:(\w+)/g, (_parameter, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`tests have no value for :${name}`);
    return value;
  });
}

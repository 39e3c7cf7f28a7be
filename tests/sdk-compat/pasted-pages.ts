import { readFileSync } from 'node:fs';
import { join } from 'node:path';

// Pages of web sites without a build, as their owners paste them together.

/**
 * As the makers' snippet does it: calls are recorded in an array until the SDK is there, which is loaded from the host
 * that takes the events. The SDK is set to let robots through: while a page is left, the browser of this test is one
 * again.
 */
export const snippet = (token: string, host: string): string => `<script>
  (function (sdk) {
    window.posthog = sdk;
    sdk._i = [];
    sdk.__SV = 1;
    sdk.people = sdk.people || [];
    ['capture', 'identify', 'register', 'group', 'people.set'].forEach(function (name) {
      var parts = name.split('.');
      var target = parts.length === 2 ? sdk[parts[0]] : sdk;
      target[parts[parts.length - 1]] = function () {
        target.push([parts[parts.length - 1]].concat(Array.prototype.slice.call(arguments)));
      };
    });
    sdk.init = function (token, options) {
      var script = document.createElement('script');
      script.async = true;
      script.crossOrigin = 'anonymous';
      script.src = options.api_host + '/static/array.js';
      var first = document.getElementsByTagName('script')[0];
      first.parentNode.insertBefore(script, first);
      sdk._i.push([token, options, 'posthog']);
    };
  })(window.posthog || []);
  posthog.init('${token}', { api_host: '${host}', opt_out_useragent_filter: true });
  posthog.register({ run: 'snippet' });
  posthog.identify('ann', { plan: 'pro' });
</script>`;

/** The example of docs/capture.md, and calls before the SDK is there. */
export function documented(token: string, host: string): string {
  const document = readFileSync(join(import.meta.dirname, '../../docs/capture.md'), 'utf8');
  const example = /```html\n(.*?)```/s.exec(document)?.[1];
  if (example === undefined) throw new Error('docs/capture.md has no example of a page');
  const page = example
    .replace('<project token>', token)
    .replace("{ api_host: 'https://events.example.com' }", `{ api_host: '${host}', opt_out_useragent_filter: true }`)
    .replace('https://events.example.com', host);
  return `${page}<script>posthog.push(['register', { run: 'documented' }]); posthog.push(['identify', 'bea']);</script>`;
}

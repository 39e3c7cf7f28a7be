// Loaded before Prisma's command line, which imports its Studio and its local database server whatever it is asked to do.
// `.pnpmfile.cjs` keeps both from being installed: empty modules take their place.
import { registerHooks } from 'node:module';

const absent = /^(@prisma\/(dev|studio-core)|mysql2|postgres)(\/|$)/;
const empty = 'millrace:empty';

registerHooks({
  resolve: (specifier, context, next) =>
    absent.test(specifier)
      ? { url: `${empty}/${specifier}`, format: 'commonjs', shortCircuit: true }
      : next(specifier, context),
  load: (url, context, next) =>
    url.startsWith(empty)
      ? { format: 'commonjs', source: 'module.exports = {};', shortCircuit: true }
      : next(url, context),
});

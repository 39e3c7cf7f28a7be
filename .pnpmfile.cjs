// Asked by pnpm about every package that it installs.
module.exports = {
  hooks: {
    readPackage(manifest) {
      // The client of the database runs without Prisma's command line (240 MB with what that brings): whoever installs it
      // for production is not to get it as well, only because it is here for the development of packages/postgres.
      if (manifest.name === '@prisma/client')
        Object.assign(manifest, { peerDependencies: {}, peerDependenciesMeta: {} });
      // Its command line only generates the client here: Prisma Studio, the local database server and the drivers that those
      // two connect with (150 MB with what they bring) are never run.
      if (manifest.name === 'prisma')
        for (const name of ['@prisma/dev', '@prisma/studio-core', 'mysql2', 'postgres'])
          delete manifest.dependencies[name];
      // Its built scripts are served and loaded as they are: what they were built of (core-js, React's types, …) is in them.
      if (manifest.name === 'posthog-js')
        Object.assign(manifest, { dependencies: {}, peerDependencies: {}, peerDependenciesMeta: {} });
      // Its chat completions need none of what it can work with: AWS, Google, zod, WebSockets.
      if (manifest.name === 'openai') Object.assign(manifest, { peerDependencies: {}, peerDependenciesMeta: {} });
      return manifest;
    },
  },
};

import { describeIdentityModel } from './test/identity-model-suite.ts';

describeIdentityModel(1_000, 600_000, (line) => process.stderr.write(`${line}\n`));

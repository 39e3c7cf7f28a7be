import { describeIdentityModel } from './test-support/identity-model-suite.ts';

describeIdentityModel(100, 60_000);

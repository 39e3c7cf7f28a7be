import v8 from 'node:v8';
import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';

// With hidden classes alive for two collections after their last object, contexts of former test files pile up, each held by the next:
// 2.5 GB after 60 files, marked again and again.
v8.setFlagsFromString('--retain-maps-for-n-gc=0');

type Arguments = ConstructorParameters<typeof TestEnvironment>;

/**
 * The environment of a test file: jest's own for Node, in a context whose global object is an ordinary one. With jest's, each
 * use of a global (`Buffer`, `JSON`, `Math`) goes through an interceptor that no compiler can remove: code that works the
 * processor takes two to three times as long in tests as in the product.
 */
export default class PlainEnvironment extends TestEnvironment {
  constructor(config: Arguments[0], context: Arguments[1]) {
    const { createContext } = vm;
    vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
    try {
      super(config, context);
    } finally {
      vm.createContext = createContext;
    }
  }
}

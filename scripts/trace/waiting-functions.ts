import ts from 'typescript';

/** A function that ran: its name and its place in its file. */
export interface TracedFunction {
  name: string;
  begin: number;
  end: number;
}

/**
 * Finds the functions that return a promise: a request that is in them waits for what they call. Types are stripped to
 * blanks when a file is loaded, so places in the source are those that V8 tells.
 */
export function waitingFunctions(
  traced: ReadonlyMap<string, readonly TracedFunction[]>,
): Map<string, TracedFunction[]> {
  const program = ts.createProgram([...traced.keys()], {
    target: ts.ScriptTarget.ES2024,
    lib: ['lib.es2024.d.ts'],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    types: ['node'],
    strict: true,
    allowImportingTsExtensions: true,
    noEmit: true,
    skipLibCheck: true,
  });
  const checker = program.getTypeChecker();
  const found = new Map<string, TracedFunction[]>();
  for (const [file, functions] of traced) {
    const source = program.getSourceFile(file);
    if (source === undefined) throw new Error(`${file} is not TypeScript`);
    const waiting = new Set<number>();
    const visit = (node: ts.Node): void => {
      if (ts.isFunctionLike(node) && isPromised(node, checker)) waiting.add(node.end);
      ts.forEachChild(node, visit);
    };
    visit(source);
    const those = functions.filter(({ end }) => waiting.has(end));
    if (those.length > 0) found.set(file, those);
  }
  return found;
}

function isPromised(node: ts.SignatureDeclaration, checker: ts.TypeChecker): boolean {
  const signature = checker.getSignatureFromDeclaration(node);
  if (signature === undefined) return false;
  const returned = checker.getReturnTypeOfSignature(signature);
  const kinds = returned.isUnion() ? returned.types : [returned];
  return kinds.some((kind) => kind.getProperty('then') !== undefined || kind.symbol?.name === 'AsyncGenerator');
}

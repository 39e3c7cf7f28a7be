import { projectRoute } from '../context.ts';
import { findSymbolSet, SymbolSetId } from './find-symbol-set.ts';
import { renderSymbolSet, SymbolSet, symbolSetRoute, symbolSetsPath } from './symbol-set.ts';

export const retrieveSymbolSet = projectRoute({
  ...symbolSetRoute,
  operationId: 'retrieve_symbol_set',
  method: 'get',
  path: `${symbolSetsPath}/:symbol_set_id`,
  params: { symbol_set_id: SymbolSetId },
  access: { scope: 'error_tracking:read' },
  summary: 'Show a symbol set',
  responses: { 200: SymbolSet },
  find: findSymbolSet,
  handler: ({ found }) => renderSymbolSet(found),
});

import { permissionNames } from '../../../core/schema/account/rights.ts';
import type { Rights } from '../../../core/schema/api/acting/rights.ts';
import type { AddRoute } from '../../route.ts';

/** Adds `GET /api/rights`: what the sender may do, so that a page offers nothing else. */
export const addRights: AddRoute = (
  app,
  { may = () => true, asking, isBegunByWorkers = false, person, isReadingFiles = true },
) => {
  app.get('/api/rights', async ({ json }) => {
    const name = await person?.();
    const rights: Rights = {
      may: permissionNames.filter(may),
      canAsk: (asking !== undefined || isBegunByWorkers) && may('run'),
      person: name,
      canEditFiles: isReadingFiles && asking !== undefined && may('edit'),
    };
    return json(rights);
  });
};

// `npm run server`: a server for a team on this machine, without containers.
import { pinnedNode, runInRoot, setUp } from './set-up.mjs';

setUp();
process.exitCode = runInRoot(pinnedNode(), ['scripts/serve-team.ts', ...process.argv.slice(2)]);

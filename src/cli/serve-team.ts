import { once } from 'node:events';
import { isWithoutPeople, mainProject } from '../privacy/accounts/accounts.ts';
import { storeOrigin } from '../privacy/accounts/origin.ts';
import { addPerson } from '../privacy/accounts/manage.ts';
import { loadOidc } from '../server/team/load-oidc.ts';
import { openPlacedStore, openStoreOfProject } from '../library/config/open-store-of.ts';
import { applyDaily, type RetentionPass } from '../privacy/retention/apply-retention.ts';
import { TouchstoneError } from '../core/errors.ts';
import { readAssets } from '../server/assets.ts';
import { connectProvider } from '../server/team/oidc-provider.ts';
import { callbackOf } from '../server/team/oidc-routes.ts';
import { type Rates, usualRates } from '../server/team/shared-rates.ts';
import { serveTeam } from '../server/team/serve-team.ts';
import type { Store } from '../stores/store.ts';
import { listenForInterrupts } from './interrupts.ts';
import { findWritableStore } from '../library/api/open-store.ts';
import type { Output } from './output.ts';
import { createProjectStores } from './server-projects.ts';
import { formatError } from './print-error.ts';

/** Where and how a team is served. */
interface TeamServer {
  readonly store?: string;
  readonly port?: number;
  readonly host?: string;
  readonly url?: string;
  readonly behindProxy?: boolean;
  readonly oidc?: string;
  readonly rate?: readonly string[];
  /** The largest run that may be sent, in MB. */
  readonly largestRun?: number;
}

/** Serves a team until the user interrupts it. Returns the exit code. */
export async function serveTeamUntilStopped(flags: TeamServer, output: Output): Promise<number> {
  const oidc =
    flags.oidc === undefined ? undefined : await connectProvider(await loadOidc(flags.oidc, process.env));
  const place = await findWritableStore({ store: flags.store });
  const home = openPlacedStore(place);
  const { openProject, close } = createProjectStores(place, home);
  try {
    // Creates the tables before anyone waits for them.
    const isNew = await isWithoutPeople(home.accounts);
    // In PostgreSQL, the role of the project main gets its rights, which the login of its workers has.
    await (await openStoreOfProject(place, mainProject)).close();
    const server = await serveTeam({
      assets: readAssets(),
      home,
      openProject,
      port: flags.port,
      host: flags.host,
      url: flags.url,
      isBehindProxy: flags.behindProxy === true,
      oidc,
      rates: parseRates(flags.rate ?? []),
      mostRunBytes: flags.largestRun === undefined ? undefined : flags.largestRun * 1_000_000,
      onFault: (fault) => console.error(formatError(fault, false)),
    });
    await storeOrigin(home.accounts, server.origin);
    const signals = listenForInterrupts(() => {});
    const endRetention = retainDaily({ home, openProject, who: 'server' });
    try {
      const first = isNew ? `First administrator: ${await inviteFirst(home, server.origin)}\n` : '';
      const back =
        oidc === undefined
          ? ''
          : `People come back from ${oidc.settings.name} to: ${callbackOf(server.origin).href}\n`;
      await output.write(`The server: ${server.origin}\n${back}${first}Ctrl-C ends it.\n`);
      if (!signals.stop.aborted) await once(signals.stop, 'abort');
      return 0;
    } finally {
      signals.release();
      await server.close();
      await endRetention();
    }
  } finally {
    await close();
  }
}

/** Invites the first administrator, who invites the others. */
async function inviteFirst({ accounts }: Store, origin: string): Promise<string> {
  const actor = { who: 'command line', address: null, project: mainProject };
  const secret = await addPerson(accounts, actor, { name: 'admin', role: 'admin' });
  return `${origin}/invitations/${secret}`;
}

/** Reads rates such as `api=50`. Throws `usage-invalid`. */
function parseRates(texts: readonly string[]): Rates {
  const rates: { -readonly [Use in keyof Rates]: number } = { ...usualRates };
  for (const rate of texts) {
    const [, use, number] = /^(ingest|api|login)=([1-9]\d{0,5})$/.exec(rate) ?? [];
    if (use === undefined)
      throw new TouchstoneError('usage-invalid', `${JSON.stringify(rate)} is no rate of requests.`, {
        remedy: 'Write `ingest`, `api` or `login` and a number: `--rate api=50`.',
      });
    rates[use as keyof Rates] = Number(number);
  }
  return rates;
}

const hourMs = 3_600_000;

/** Removes what is too old now and every day. Returns a function that ends it, once a pass under way is over. */
function retainDaily(pass: RetentionPass): () => Promise<void> {
  let under: Promise<unknown> = Promise.resolve();
  const look = () => {
    under = applyDaily(pass).catch((error: unknown) => console.error(formatError(error, false)));
  };
  look();
  const timer = setInterval(look, hourMs);
  return async () => {
    clearInterval(timer);
    await under;
  };
}

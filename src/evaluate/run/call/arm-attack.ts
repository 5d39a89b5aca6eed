import { canaryOf, fillTexts } from '../../../core/lib/attacks/fill-attack.ts';
import { listenForBots, type Listening } from '../../../core/lib/network/listen.ts';
import { timeNow } from '../../../core/lib/time.ts';
import type { Case } from '../../../core/schema/case.ts';
import type { CasedTrial } from '../../../core/schema/result.ts';
import { noWayInCode, type TrialSpec } from '../../../core/schema/trial.ts';
import { type Target, TargetFailure } from '../../targets/target.ts';
import type { AskResult } from './ask-target.ts';

/** An address of this machine where nothing listens, for bots that are asked in batches and fetch nothing. */
const nowhere = '127.0.0.1:9';

/** Makes attempts of attacks: their placeholders become words of the attempt, and what comes to their address is counted. */
export interface Attacker {
  /** Makes one attempt by a function that receives it with its words filled in. */
  attack(
    spec: TrialSpec,
    target: Target,
    make: (spec: TrialSpec) => Promise<CasedTrial>,
  ): Promise<CasedTrial>;
}

/** Creates an attacker. Its listener on loopback is open while attempts that need it are in flight. */
export function createAttacker(): Attacker {
  const fetches = new Map<string, number>();
  let opened: Promise<Listening> | undefined;
  let users = 0;
  const open = async (): Promise<Listening> =>
    await listenForBots(
      {
        host: '127.0.0.1',
        port: 0,
        lost: 'The address that attacks ask bots to fetch cannot be opened',
        remedy: 'Leave out the attacks that need it: `--filter`.',
      },
      (request, response) => {
        const url = decodeURIComponent(request.url ?? '').toUpperCase();
        for (const [canary, count] of fetches) if (url.includes(canary)) fetches.set(canary, count + 1);
        response.writeHead(200, { 'content-type': 'text/plain' }).end('ok\n');
      },
    );
  const withAddress = async (
    isNeeded: boolean,
    use: (host: string) => Promise<CasedTrial>,
  ): Promise<CasedTrial> => {
    if (!isNeeded) return await use(nowhere);
    users += 1;
    try {
      opened ??= open();
      return await use(`127.0.0.1:${(await opened).port}`);
    } finally {
      users -= 1;
      if (users === 0) {
        const last = opened;
        opened = undefined;
        await last?.then(
          async ({ close }) => await close(),
          () => {},
        );
      }
    }
  };
  return {
    attack: async (spec, target, make) => {
      const canary = canaryOf(spec.key);
      const isNeeded = JSON.stringify(spec.case).includes('{{canary-host}}') && target.batch === undefined;
      fetches.set(canary, 0);
      try {
        return await withAddress(isNeeded, async (host) => {
          const { trial } = await make({ ...spec, case: armCase(spec.case, { canary, host }) });
          return {
            case: spec.case,
            trial: { ...trial, attack: { canary, fetches: fetches.get(canary) ?? 0, host } },
          };
        });
      } finally {
        fetches.delete(canary);
      }
    },
  };
}

/** Returns an attack as the bot meets it: with its words, and with the planted text in place of the result of a tool. */
function armCase(testCase: Case, words: { readonly canary: string; readonly host: string }): Case {
  const { input, user, attack, toolResults = [] } = testCase;
  const planted = attack?.plant === undefined ? [] : [{ name: attack.plant.tool, result: attack.plant.text }];
  const results = [...toolResults, ...planted];
  const armed = fillTexts({ input, user, toolResults: results.length === 0 ? undefined : results }, words);
  return { ...testCase, ...armed };
}

/** Returns the outcome of an attack through the tools of a target that do not pass through Touchstone, which is not put to it; else undefined. */
export function refusePlant({ attack }: Case, target: Target): AskResult | undefined {
  if (attack?.plant === undefined || target.beginSession !== undefined) return undefined;
  const message =
    "no way into this bot's tools: the planted text reaches it only where its tools pass through Touchstone (`tools` in the config); it was not asked";
  return {
    startedAt: timeNow(),
    latency: undefined,
    retries: 0,
    failure: new TargetFailure(noWayInCode, message),
  };
}

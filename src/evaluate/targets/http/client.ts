import type { Agent } from 'undici';
import { TouchstoneError } from '../../../core/errors.ts';
import { createAgent } from '../../../core/lib/network/agent.ts';
import { findUnreachable } from '../../../core/lib/network/connection-error.ts';
import type { Json } from '../../../core/schema/json.ts';
import { processRateLimiter, type RateLimitedAccount } from '../../models/account/rate-limiter.ts';
import type { TargetNeeds, TargetSession } from '../target.ts';
import { type BotSession, createSessions } from './bot-session.ts';
import { type LogIn, openLogIn, openTokenCommand } from './log-in.ts';
import type { LogInSettings } from './log-in-option.ts';
import { createRedactor, type Redactor } from './read-http-reply.ts';
import { planRequests, type RequestPlan, type RequestSettings, sampleRequest } from './request-plan.ts';

/** The connections of one target, with what its requests are built from. */
export interface Client {
  readonly plan: RequestPlan;
  readonly agent: Agent;
  /** Removes the secrets of the config. */
  readonly redactor: Redactor;
  /** The account of the server. All calls of the same server share its limits. */
  readonly account: RateLimitedAccount;
  /** Finds what the bot knows a conversation by. */
  readonly sessionOf: (session: TargetSession) => BotSession;
  /** Makes sure that the bot can be reached, and logs in. Throws `target-unreachable` or `login-failed`. */
  open(): Promise<void>;
}

/** The settings of a target that its connections depend on. */
export interface ClientSettings extends Omit<RequestSettings, 'body' | 'before'> {
  readonly body?: Json;
  readonly before?: LogInSettings;
  readonly cookies?: boolean;
  readonly maxConcurrency?: number;
  readonly requestsPerMinute?: number;
  readonly tokensPerMinute?: number;
}

/** Creates a client. No connection is made before it is opened or asked. Throws `target-invalid` or `environment-missing`. */
export async function createClient(settings: ClientSettings, needs: TargetNeeds): Promise<Client> {
  const { before, cookies, maxConcurrency, requestsPerMinute, tokensPerMinute } = settings;
  const { environment, rateLimiter = processRateLimiter } = needs;
  const plan = planRequests({ body: undefined, ...settings, before: namesFrom(before) }, environment);
  const logInPlan = before?.url === undefined ? undefined : planLogIn(before, before.url, environment);
  const variables = new Map([...plan.variables, ...(logInPlan?.variables ?? [])]);
  const redactor = createRedactor(variables, secretsIn(logInPlan));
  const agent = await createAgent(maxConcurrency);
  const { origin } = plan.origin;
  const limits = { requestsPerMinute, tokensPerMinute };
  const account = rateLimiter.findAccount(origin, limits, redactor.text(origin));

  const openOne = (): LogIn | undefined => {
    if (before?.token !== undefined) return openTokenCommand(before.token, needs);
    if (before === undefined || logInPlan === undefined) return undefined;
    const { origin: address } = logInPlan.origin;
    const own = rateLimiter.findAccount(`${address} log-in`, {}, redactor.text(address));
    return openLogIn({ settings: before, plan: logInPlan, agent, redactor, account: own });
  };
  const isShared = before?.per !== 'conversation';
  // The log-in of all conversations, or the log-in of the first.
  let first = openOne();
  const logInOfNext = () => {
    const own = first ?? openOne();
    if (!isShared) first = undefined;
    return own;
  };
  const secrets = { variables, redactor, arrived: secretsIn(logInPlan) };
  const sessionOf = createSessions({
    agent,
    secrets,
    keepsCookies: cookies !== false,
    isShared,
    logInOfNext,
  });
  return {
    plan,
    agent,
    redactor,
    account,
    sessionOf,
    open: async () => {
      await checkReachable(plan.origin);
      if (logInPlan?.dependsOnRequest === true) await checkReachable(logInPlan.origin);
      else await first?.read(sampleRequest, new AbortController().signal);
    },
  };
}

/** Returns the names under which a log-in gives values. */
function namesFrom(before: LogInSettings | undefined): string[] {
  return before?.token === undefined ? Object.keys(before?.keep ?? {}) : ['token'];
}

function planLogIn(
  { method = 'POST', headers = {}, body, form, basic }: LogInSettings,
  url: string,
  environment: TargetNeeds['environment'],
): RequestPlan {
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  const isForm = form !== undefined;
  const settings = {
    url,
    method,
    headers: { ...(isForm && type), ...headers },
    body: isForm ? formText(form) : (body ?? ''),
    ...(basic && { basic }),
    prefix: 'before.',
  };
  return planRequests(settings, environment);
}

/** Returns the fields of a form as a text, whose placeholders are encoded when they are filled. */
function formText(form: Readonly<Record<string, string>>): string {
  const encode = (value: string) =>
    value.replaceAll(/\{\{[^{}]*\}\}|(?:(?!\{\{)[^])+/g, (part) =>
      part.startsWith('{{') ? part : encodeURIComponent(part.toWellFormed()),
    );
  return Object.entries(form)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encode(value)}`)
    .join('&');
}

/** Returns what a log-in sends that is a secret in another form than a variable, by value. */
function secretsIn(plan: RequestPlan | undefined): ReadonlyMap<string, string> {
  if (plan === undefined || plan.dependsOnRequest) return new Map();
  const [, sent] = /^Basic (.+)$/.exec(plan.build(sampleRequest).headers['authorization'] ?? '') ?? [];
  return new Map(sent === undefined ? [] : [[sent, 'before.basic']]);
}

/** Throws `target-unreachable` with host, port and reason when nothing listens at a URL. */
async function checkReachable(url: URL): Promise<void> {
  const reason = await findUnreachable(url);
  if (reason !== undefined) throw new TouchstoneError('target-unreachable', reason);
}

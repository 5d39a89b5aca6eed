import path from 'node:path';
import { z } from 'zod';
import { TouchstoneError } from '../../core/errors.ts';
import { projectNameSchema } from '../../core/schema/account/account.ts';
import { type Role, roles } from '../../core/schema/account/rights.ts';
import { ConfigProblem, describeIssues, explainProblems } from '../../library/config/config-problem.ts';
import { loadConfig } from '../../library/config/load-config.ts';

/** The variable with the secret of the client. */
const secretVariable = 'TOUCHSTONE_OIDC_SECRET';

/** The schema of roles by project. */
const rolesSchema = z.record(projectNameSchema, z.enum(roles));

/** The schema of the settings for signing in with OpenID Connect. */
const oidcSchema = z
  .strictObject({
    issuer: z.string().refine(isSafeIssuer, {
      error: 'expected the https address of the provider, exactly as in its own metadata',
    }),
    clientId: z.string().min(1),
    name: z.string().min(1).max(60).optional(),
    scopes: z.array(z.string().regex(/^[!#-[\]-~]+$/)).default(['openid', 'profile', 'email']),
    groupsClaim: z.string().min(1).default('groups'),
    groups: z.record(z.string(), rolesSchema).default({}),
    others: rolesSchema.default({}),
    contact: z.string().min(1).max(200).default('an administrator of this server'),
  })
  .refine(
    ({ groups, others }) => [others, ...Object.values(groups)].some((each) => Object.keys(each).length > 0),
    {
      path: ['groups'],
      error: 'no group has a role, so that no one could sign in',
    },
  );

/** The settings for signing in with OpenID Connect, with the secret of the client. */
export interface OidcSettings {
  /** The address of the provider, which its id tokens name. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The name of the provider on the page for signing in. */
  readonly name: string;
  readonly scopes: readonly string[];
  /** The claim with the groups of a person: a list of names, or a name. */
  readonly groupsClaim: string;
  /** The roles that each group gives, by project. */
  readonly groups: Readonly<Record<string, Readonly<Record<string, Role>>>>;
  /** The roles of everybody whom the provider knows; none when people of no group are refused. */
  readonly others: Readonly<Record<string, Role>>;
  /** The person or place to ask for access. */
  readonly contact: string;
}

/** Returns whether an issuer is an https address, or a server on this machine, without anything that would be dropped. */
function isSafeIssuer(issuer: string): boolean {
  if (!URL.canParse(issuer)) return false;
  const { protocol, hostname, username, search, hash, pathname } = new URL(issuer);
  const isLoopback = protocol === 'http:' && /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
  const isPlain = username === '' && search === '' && hash === '' && !pathname.includes('/.well-known/');
  return (protocol === 'https:' || isLoopback) && isPlain;
}

/**
 * Loads the settings for signing in with OpenID Connect from a file, and the secret of the client from the environment. Throws
 * `config-unreadable`, `config-invalid` or `environment-missing`.
 */
export async function loadOidc(
  file: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<OidcSettings> {
  const { written, locate } = await loadConfig(path.resolve(file));
  const settings = await explainProblems(locate, async () => {
    const parsed = oidcSchema.safeParse(written);
    if (parsed.success) return parsed.data;
    throw new ConfigProblem(describeIssues(parsed.error, written, oidcSchema), {
      remedy: 'See docs/server.md for the settings.',
    });
  });
  const clientSecret = environment[secretVariable];
  if (clientSecret === undefined || clientSecret === '')
    throw new TouchstoneError(
      'environment-missing',
      `The secret of the client \`${settings.clientId}\` is read from ${secretVariable}, which is not set.`,
    );
  return { ...settings, clientSecret, name: settings.name ?? new URL(settings.issuer).host };
}

import { z } from 'zod';
import { lazily } from '../../../core/lib/lazily.ts';
import { jsonSchema, nonEmpty } from '../../../core/schema/json.ts';
import { replyPathOption } from '../reply/reply-path.ts';

const secretsHint = 'A secret is written as `{{env.NAME}}`.';

const kept = z.union([
  z.string().regex(/^header:[\w-]+$/i, 'must be `header:` and the name of a header'),
  replyPathOption,
]);

/** The option of a target that says how it logs in. */
export const logInOption = lazily(() =>
  z
    .strictObject({
      url: nonEmpty().optional().describe('The address of the log-in, or of the server that gives tokens.'),
      method: z.enum(['GET', 'POST', 'PUT']).optional().describe('The HTTP method; POST by default.'),
      headers: z.record(nonEmpty(), z.string()).optional().describe(`Headers to send. ${secretsHint}`),
      body: jsonSchema.optional().describe(`The body, JSON or text. ${secretsHint}`),
      form: z
        .record(nonEmpty(), z.string())
        .optional()
        .describe(`The fields of a form, in place of \`body\`. ${secretsHint}`),
      basic: z
        .strictObject({ user: nonEmpty(), password: z.string() })
        .optional()
        .describe(`The user name and the password of the client, sent as RFC 6749 says. ${secretsHint}`),
      keep: z
        .record(z.string().regex(/^[A-Za-z_]\w*$/, 'must be a name such as `token`'), kept)
        .optional()
        .describe(
          'The values of the reply that requests use as `{{before.NAME}}`: a path each, or `header:NAME`. ' +
            '`expiresIn` is a number of seconds, before the end of which it is done again.',
        ),
      per: z
        .enum(['target', 'conversation'])
        .optional()
        .describe('How often: once for all questions (`target`, the default), or for each conversation.'),
      token: z
        .strictObject({
          command: z
            .union([nonEmpty(), z.array(z.string()).min(1)])
            .describe('The program that prints the token, and its arguments. No shell is involved.'),
          forMs: z.number().positive().describe('For how many milliseconds the token is used.'),
        })
        .optional()
        .describe(
          'A command that prints a token, for `{{before.token}}`, in place of `url`: `{ command: gcloud auth print-access-token, forMs: 3000000 }`.',
        ),
    })
    .superRefine((settings, context) => {
      const issue = issueOf(settings);
      if (issue !== undefined) context.addIssue({ code: 'custom', message: issue });
    })
    .optional()
    .describe(
      'The log-in before the first question, done again when it ends (`expiresIn`) or the bot answers 401: ' +
        'a request whose reply gives values for `{{before.NAME}}`, or cookies.',
    ),
);

/** The settings with which a target logs in. */
export type LogInSettings = NonNullable<z.output<ReturnType<typeof logInOption>>>;

function issueOf({ url, token, ...request }: Readonly<Record<string, unknown>>): string | undefined {
  if ((url === undefined) === (token === undefined)) return 'needs `url` or `token`, and not both';
  const [other] = Object.keys(request).filter((name) => request[name] !== undefined);
  if (token !== undefined && other !== undefined)
    return `has a \`token\`, with which \`${other}\` has no meaning`;
  if (request['form'] !== undefined && request['body'] !== undefined)
    return 'needs `form` or `body`, and not both';
  const hasBody = request['form'] !== undefined || request['body'] !== undefined;
  return request['method'] === 'GET' && hasBody ? 'with GET has no `body` and no `form`' : undefined;
}

import type { Context } from 'hono';
import { html } from 'hono/html';
import { TouchstoneError } from '../../core/errors.ts';
import type { Store } from '../../stores/store.ts';
import type { Assets } from '../assets.ts';
import type { OidcProvider } from './oidc-provider.ts';
import type { Rates } from './shared-rates.ts';

/** The parts of a server for a team. */
export interface TeamParts {
  readonly assets: Assets;
  /** The store with the accounts and the audit log. */
  readonly home: Store;
  /** Returns the store of a project. */
  readonly openProject: (project: string) => Promise<Store>;
  /** The address that people open, without a path, such as `https://evals.example.org`. */
  readonly origin: string;
  /** The identity provider at which people can sign in as well. */
  readonly oidc?: OidcProvider;
  /** True when a proxy in front of the server says from which address a request comes. */
  readonly isBehindProxy?: boolean;
  /** The requests that are answered in a second, and attempts to sign in a minute; the usual ones by default. */
  readonly rates?: Rates;
  /** The size of the largest run that may be sent, in bytes; 4 GB by default. */
  readonly mostRunBytes?: number;
  /** Receives faults that are bugs of Touchstone, for standard error. */
  readonly onFault?: (fault: unknown) => void;
}

type Html = ReturnType<typeof html>;

/** The policy of pages with forms: no script at all, and forms that are sent to this server alone. */
const policy =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** The address of the style of these pages. */
export const stylePath = '/account.css';

/** Sends a page with forms, in the style of the dashboard. Values in `content` are escaped. */
export async function sendPage(
  context: Context,
  { title, content, assets, status = 200 }: PageParts,
): Promise<Response> {
  const styles = Array.from(assets.files.keys()).filter((name) => name.endsWith('.css'));
  context.header('Content-Security-Policy', policy);
  context.header('Cache-Control', 'no-store');
  // Without a referrer, browsers would send forms from the origin `null`.
  context.header('Referrer-Policy', 'same-origin');
  return context.html(
    html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Touchstone</title>
${[...styles, stylePath].map((name) => html`<link rel="stylesheet" href="${name}">`)}
</head>
<body class="account">
<main>
<p class="brand">Touchstone</p>
<h1>${title}</h1>
${content}
</main>
</body>
</html>`,
    status,
  );
}

/** A page with forms. */
export interface PageParts {
  readonly title: string;
  readonly content: Html;
  readonly assets: Assets;
  readonly status?: 200 | 400 | 403 | 429 | 503;
}

/** The longest form, in bytes. */
const longestForm = 20_000;

/** Reads the fields of a form. Throws `request-invalid` for anything else. */
export async function readForm({ req }: Context): Promise<URLSearchParams> {
  const type = req.header('content-type') ?? '';
  const length = Number(req.header('content-length') ?? Number.POSITIVE_INFINITY);
  if (!/^application\/x-www-form-urlencoded\b/i.test(type) || !(length <= longestForm))
    throw new TouchstoneError('request-invalid', 'The request does not send a short form.', {
      remedy: 'Use the pages of this server.',
    });
  return new URLSearchParams(await req.text());
}

/** The style of these pages, over the colours of the dashboard. */
export const style = `
.account main { max-width: 56rem; margin: 0 auto; padding: 2rem 1rem 4rem; }
.account main > form.sign-in { max-width: 24rem; }
.account main:has(> form.sign-in) { max-width: 26rem; }
.account a { color: var(--accent); }
.account .brand { color: var(--quiet); font-weight: 600; margin: 0 0 1.5rem; }
.account h1 { font-size: 1.5rem; font-weight: 600; margin: 0 0 1rem; }
.account h2 { font-size: 1.1rem; font-weight: 600; margin: 2.5rem 0 0.75rem; }
.account p { margin: 0.5rem 0; }
.account .quiet, .account th { color: var(--quiet); font-weight: 400; }
.account .notice { background: var(--accent-soft); border-radius: 6px; padding: 0.75rem 1rem; }
.account .refused { color: var(--bad); margin-bottom: 1rem; }
.account code { font-family: ui-monospace, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
.account label { display: block; margin: 0.75rem 0 0; }
.account input:not([type=checkbox]), .account select { font: inherit; color: inherit; background: var(--page);
  border: 1px solid var(--line); border-radius: 6px; padding: 0.4rem 0.6rem; min-height: 2.25rem; }
.account form.sign-in input { display: block; width: 100%; margin-top: 0.25rem; }
.account button { font: inherit; background: var(--surface); color: inherit; border: 1px solid var(--line);
  border-radius: 6px; padding: 0.4rem 0.9rem; min-height: 2.25rem; }
.account button:hover { background: var(--hover); }
.account button.main { background: var(--accent); border-color: var(--accent); color: var(--page); }
.account form.sign-in button { margin-top: 1rem; }
.account a.button { display: block; text-align: center; text-decoration: none; border: 1px solid; border-radius: 6px;
  padding: 0.5rem 0.9rem; }
.account a.button.main { background: var(--accent); border-color: var(--accent); color: var(--page); }
.account .or { margin: 1.25rem 0 0; text-align: center; }
.account .row { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: end; }
.account .bar { align-items: center; }
.account .wide + form.row { margin-top: 1rem; }
.account .row label { margin: 0; }
.account .row label:has(> [type=checkbox]) { min-height: 2.25rem; align-content: center; }
.account .row label > input:not([type=checkbox]), .account .row label > select { display: block; margin-top: 0.25rem; }
.account .wide { overflow-x: auto; }
.account table { border-collapse: collapse; width: 100%; }
.account th, .account td { text-align: left; padding: 0.4rem 1rem 0.4rem 0; border-bottom: 1px solid var(--line);
  vertical-align: middle; white-space: nowrap; }
`;

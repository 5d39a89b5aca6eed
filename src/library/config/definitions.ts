import type { Definition } from '../../core/lib/define.ts';
import * as scorecards from '../../decide/scorecards/registry.ts';
import * as judges from '../../evaluate/judges/registry.ts';
import * as metrics from '../../evaluate/metrics/registry.ts';
import * as embedders from '../../evaluate/models/embedders/registry.ts';
import { providerModels } from '../../evaluate/models/providers/provider-models.ts';
import * as models from '../../evaluate/models/registry.ts';
import * as targets from '../../evaluate/targets/registry.ts';
import * as users from '../../evaluate/users/registry.ts';
import * as stores from '../../stores/registry.ts';

/** A definition of any kind. Its schema checks the options before `create` gets them. */
export type AnyDefinition = Definition<string, never, unknown, never>;

type Registry = Readonly<Record<string, { readonly definition: unknown }>>;

/** The registries of everything that a config can name with `use`, by kind. */
export const registries = {
  target: targets,
  metric: metrics,
  scorecard: scorecards,
  judge: judges,
  user: users,
  model: { ...models, ...providerModels },
  embedder: embedders,
  store: stores,
} satisfies Readonly<Record<string, Registry>>;

/** A kind of extension that a config can name. */
export type ExtensionKind = keyof typeof registries;

/** Returns the definitions of a kind, by name. */
export function definitionsOf(kind: ExtensionKind): AnyDefinition[] {
  return Object.values<{ readonly definition: unknown }>(registries[kind])
    .map(({ definition }) => definition as AnyDefinition)
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

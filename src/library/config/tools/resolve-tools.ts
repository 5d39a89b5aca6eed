import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { TouchstoneError } from '../../../core/errors.ts';
import { hashContent, hashText } from '../../../core/lib/content-hash.ts';
import { createSecretRedactor } from '../../../core/lib/redact-secrets.ts';
import { didYouMean } from '../../../core/lib/text/nearest-name.ts';
import type { RunTools } from '../../../core/schema/tools/run-tools.ts';
import type { Json } from '../../../core/schema/json.ts';
import type { ResolvedTarget } from '../../../evaluate/run/evaluation.ts';
import { refuseWrittenSecrets } from '../../../evaluate/targets/chat/mcp-options.ts';
import { type Cassette, hashRecordings, readCassette } from '../../../evaluate/tools/cassette.ts';
import { ToolHub } from '../../../evaluate/tools/hub.ts';
import type { Door } from '../../../evaluate/tools/door.ts';
import { createHttpDoor } from '../../../evaluate/tools/http/http-door.ts';
import { createMcpDoor, type DoorNeeds } from '../../../evaluate/tools/mcp/mcp-door.ts';
import { functionsName, type ToolServer, type ToolsSetting } from '../../../evaluate/tools/tools-setting.ts';
import { withTools } from '../../../evaluate/tools/with-tools.ts';
import { ConfigProblem } from '../config-problem.ts';
import { listSecrets } from '../known-secrets.ts';
import type { ResolveNeeds } from '../resolve-use.ts';

/** The tools of an evaluation. */
export interface ResolvedTools {
  readonly hub: ToolHub;
  readonly record: RunTools;
  /** The file of the cassette, and what it holds now. */
  readonly file: string | undefined;
  readonly cassette: Cassette | undefined;
  /** True where no server is started or reached. */
  readonly isOffline: boolean;
  /** Returns true once a target has tools that pass through the hub. */
  isUsed(): boolean;
  /** Returns a target whose tools pass through the hub. */
  wrap(target: ResolvedTarget): ResolvedTarget;
}

/** The parts of a config that have to do with tools. */
interface ToolsConfig {
  readonly tools?: ToolsSetting;
  readonly targets: readonly unknown[];
}

/** Resolves the `tools` setting; undefined without one. Throws `ConfigProblem` or `TouchstoneError`. */
export function resolveTools(
  config: ToolsConfig,
  { folder, environment }: Pick<ResolveNeeds, 'folder' | 'environment'>,
): ResolvedTools | undefined {
  const { tools: setting } = config;
  checkPlaceholders(config);
  if (setting === undefined) return undefined;
  for (const server of Object.values(setting.servers)) checkServer(server);
  const file = setting.cassette === undefined ? undefined : path.resolve(folder, setting.cassette);
  const cassette = openCassette(setting, file);
  const redactor = createSecretRedactor(listSecrets(config, environment), (name) => `«${name}»`);
  const isOffline = setting.mode === 'replay' && setting.missing !== 'real';
  const hub = new ToolHub({
    setting,
    cassette,
    redactor,
    environment,
    createDoor: (name, server) => createDoor(name, server, { folder, environment, isOffline }),
  });
  const identity = identify(setting);
  let isUsed = false;
  return {
    hub,
    isOffline,
    isUsed: () => isUsed,
    record: recordTools(setting, cassette),
    file,
    cassette,
    wrap: (resolved) => {
      const { target, fingerprint } = resolved;
      const { holdsConversation, recordedAt, batch } = target;
      // Recorded answers use no tools, and batches none that could be reached.
      if (holdsConversation === true || (recordedAt ?? batch) !== undefined) return resolved;
      isUsed = true;
      const own = identity === undefined ? fingerprint : hashContent({ of: fingerprint, tools: identity });
      return { ...resolved, fingerprint: own, target: withTools(target, hub) };
    },
  };
}

/** Creates the door of a server by its kind. Throws `target-invalid` or `environment-missing`. */
function createDoor(name: string, server: ToolServer, needs: DoorNeeds): Door {
  const { mcp, http } = server;
  if (mcp !== undefined) return createMcpDoor(name, mcp, needs);
  return createHttpDoor(name, { ...server, http: http ?? '' }, needs);
}

/** Reads the recorded results that a replay needs. Throws `cassette-invalid`. */
function openCassette(
  { mode, cassette: shown = '', match }: ToolsSetting,
  file: string | undefined,
): Cassette | undefined {
  if (file === undefined || (mode !== 'replay' && mode !== 'record-missing')) return undefined;
  if (existsSync(file)) return readCassette(readFileSync(file, 'utf8'), shown, match);
  if (mode === 'record-missing') return undefined;
  throw new TouchstoneError('cassette-invalid', `There is no cassette ${shown} to replay the tools from.`);
}

function recordTools(setting: ToolsSetting, cassette: Cassette | undefined): RunTools {
  const { mode, servers, listen, cassette: file } = setting;
  const recordings = cassette && hashRecordings(cassette);
  const hash = cassette && hashContent([cassette.servers, recordings]).slice(0, 8);
  return {
    mode,
    servers: Object.keys(servers),
    cassette: file === undefined ? undefined : { path: file, hash },
    recordings,
    listen: listen?.url,
    fingerprint: hashText(`${hashContent(identify(setting) ?? null)} ${hash ?? ''}`),
  };
}

/**
 * Returns what changes what a bot gets from its tools; undefined where nothing does: observing and recording change nothing. The
 * recorded results are part of the keys of attempts, question by question.
 */
function identify(setting: ToolsSetting): Json | undefined {
  const { mode, missing, mocks, allow, deny, act, maxCalls, denyMustNot, servers } = setting;
  const isPlain = mode === 'observe' || mode === 'record';
  const changes = {
    allow,
    deny,
    act,
    maxCalls,
    ...(denyMustNot && { denyMustNot }),
    ...(mocks.length > 0 && { mocks }),
  };
  const hasChanges = Object.values(changes).some((value) => value !== undefined);
  if (isPlain && !hasChanges) return undefined;
  const addresses = Object.entries(servers).map(([name, { mcp, http }]) => [
    name,
    http ?? mcp?.url ?? mcp?.command ?? null,
  ]);
  const replay = isPlain ? {} : { mode, missing };
  return JSON.parse(
    JSON.stringify({ ...changes, ...replay, addresses: Object.fromEntries(addresses) as Json }),
  ) as Json;
}

function checkServer({ mcp, http }: ToolsSetting['servers'][string]): void {
  if (mcp !== undefined) refuseWrittenSecrets(mcp);
  const url = http === undefined ? undefined : new URL(http);
  if (url === undefined || url.username + url.password === '') return;
  throw new TouchstoneError(
    'target-invalid',
    `The address ${url.host} of a tool contains a user name or a password.`,
    {
      remedy: 'Keep them in an environment variable, and name that in `headersFromEnv`.',
    },
  );
}

/** Throws `ConfigProblem` for a target that names a server of tools that does not exist. */
function checkPlaceholders({ tools, targets }: ToolsConfig): void {
  const known = [...Object.keys(tools?.servers ?? {}), functionsName, 'mcpConfig'];
  for (const [index, target] of targets.entries()) {
    for (const [, name = ''] of JSON.stringify(target).matchAll(/\{\{\s*tools\.([^{}\s]*)\s*\}\}/g)) {
      if (tools !== undefined && known.includes(name)) continue;
      const message =
        tools === undefined
          ? `{{tools.${name}}} needs the setting \`tools\`, such as \`tools: { servers: { ${name}: { http: https://… } } }\``
          : `there is no server "${name}" of tools.${didYouMean(name, known)} Known are ${known.join(', ')}`;
      throw new ConfigProblem([{ path: ['targets', index], message }]);
    }
  }
}

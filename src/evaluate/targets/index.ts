export type { ModuleFunction, ModuleRequest } from './module-function.ts';
export * from './registry.ts';
export type {
  Reply,
  Target,
  TargetContext,
  TargetNeeds,
  TargetRequest,
  TargetSession,
  ToolInterceptor,
} from './target.ts';

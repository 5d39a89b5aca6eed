export type { ModuleFunction, ModuleRequest } from './module-function.ts';
export * from './registry.ts';
export type {
  AroundTool,
  Reply,
  Target,
  TargetContext,
  TargetNeeds,
  TargetRequest,
  TargetSession,
} from './target.ts';

import type { BotStream } from './bot-stream.ts';
import { frameworkStreams } from './framework-streams.ts';
import { modelStreams } from './model-streams.ts';
import { serverStreams } from './server-streams.ts';

/** Every form in which bots stream. */
export const botStreams: readonly BotStream[] = [...modelStreams, ...frameworkStreams, ...serverStreams];

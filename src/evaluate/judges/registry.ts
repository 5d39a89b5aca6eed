export { chatModel } from './chat-model.ts';
export { panel } from './panel.ts';
export { scriptedJudge } from './scripted.ts';

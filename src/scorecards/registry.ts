export { threeComponent } from './three-component.ts';
export { weighted } from './weighted.ts';

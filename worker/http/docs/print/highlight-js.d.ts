/**
 * What is used of highlight.js: its core and its languages (worker/tsconfig.json maps all of them to this file). Its own types
 * pull in the types of the DOM, which contradict the Worker's.
 */
declare const hljs: {
  registerLanguage(name: string, language: unknown): void;
  highlight(code: string, options: { language: string; ignoreIllegals: boolean }): { value: string };
};
export default hljs;

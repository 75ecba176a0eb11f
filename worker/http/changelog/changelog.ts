import { marked, type Token, type Tokens } from 'marked';

/** A release of CHANGELOG.md, its texts as HTML. */
export interface Release {
  /** Null for what is not released yet. */
  version: string | null;
  /** `YYYY-MM-DD`; null for what is not released yet. */
  date: string | null;
  /** Items that begin with "**Breaking:**", without that word; a list, or empty. */
  breaking: string;
  rest: string;
}

/** Sections of a release, in this order: what callers notice comes first. */
export const changelogSections = ['Callers of the API', 'Dashboard and pages', 'Operators'] as const;

const HEADING = /^\[(?:Unreleased|(?<version>\d+\.\d+\.\d+))\](?: - (?<date>\d{4}-\d\d-\d\d))?$/;
const BREAKING = /^\*\*Breaking:\*\*\s*/;

const isList = (token: Token): token is Tokens.List => token.type === 'list';
const isBreaking = ({ text }: Tokens.ListItem) => BREAKING.test(text);

/** Every release, newest first. @throws if a heading is not of the form that `npm run release` writes */
export function releasesOf(markdown: string): Release[] {
  const tokens = marked.lexer(markdown);
  const starts = tokens.flatMap((token, index) =>
    token.type === 'heading' && token.depth === 2 ? index : [],
  );
  return starts.map((start, index) => {
    const { text } = tokens[start] as Tokens.Heading;
    const { version = null, date = null } = HEADING.exec(text)?.groups ?? {};
    if (!HEADING.test(text) || (version === null) !== (date === null))
      throw new Error(`CHANGELOG.md: "${text}" is neither [Unreleased] nor a version with its date`);
    return { version, date, ...textsOf(tokens.slice(start + 1, starts[index + 1])) };
  });
}

/** Separates breaking changes from the others, because callers need to read them first. */
function textsOf(tokens: Token[]): Pick<Release, 'breaking' | 'rest'> {
  const breaking = tokens
    .filter(isList)
    .flatMap(({ items }) => items.filter(isBreaking))
    .map(({ text }) => `- ${text.replace(BREAKING, '').replaceAll('\n', '\n  ')}`);
  const others = tokens.map((token) =>
    isList(token) ? { ...token, items: token.items.filter((item) => !isBreaking(item)) } : token,
  );
  const kept = others.filter((token) => !isList(token) || token.items.length > 0);
  return { breaking: marked.parse(breaking.join('\n'), { async: false }), rest: marked.parser(kept) };
}

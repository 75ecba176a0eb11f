import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { demand, type ReadEvent } from './event.ts';

/** An attribute as the DTD declares it; `!` is #REQUIRED. */
type Declared = 'text' | 'text!' | 'time' | 'time!' | 'id!' | 'ref' | 'ref!' | readonly string[];

interface Rule {
  /** Names of the children with a space behind each, in the order that the content model demands. */
  content: RegExp;
  attributes: Record<string, Declared>;
}

const yes = ['0', '1'] as const;
const counts = ['DF', 'NDF'] as const;
const rates = ['32k', '44.1k', '48k', '88.2k', '96k', '176.4k', '192k'] as const;
const inTimeline = { lane: 'text', offset: 'time', name: 'text', start: 'time', enabled: yes } as const;

/** What the DTD of FCPXML 1.10 says of the elements that are used; another element or attribute is refused. */
const rules: Record<string, Rule> = {
  fcpxml: { content: /^(resources )?(library )?$/, attributes: { version: ['1.10'] } },
  resources: { content: /^((asset|format) )*$/, attributes: {} },
  format: {
    content: /^$/,
    attributes: {
      ...{
        id: 'id!',
        name: 'text',
        frameDuration: 'time',
        fieldOrder: 'text',
        width: 'text',
        height: 'text',
      },
      ...{ paspH: 'text', paspV: 'text', colorSpace: 'text' },
    },
  },
  asset: {
    content: /^(media-rep )+$/,
    attributes: {
      ...{ id: 'id!', name: 'text', uid: 'text', start: 'time', duration: 'time', format: 'ref' },
      ...{ hasVideo: 'text', hasAudio: 'text', videoSources: 'text', audioSources: 'text' },
      ...{ audioChannels: 'text', audioRate: 'text' },
    },
  },
  'media-rep': {
    content: /^$/,
    attributes: { kind: ['original-media', 'proxy-media'], src: 'text!', suggestedFilename: 'text' },
  },
  library: { content: /^(event )*$/, attributes: { location: 'text' } },
  event: { content: /^(project )*$/, attributes: { name: 'text', uid: 'text' } },
  project: { content: /^sequence $/, attributes: { name: 'text', uid: 'text', modDate: 'text' } },
  sequence: {
    content: /^spine $/,
    attributes: {
      ...{ format: 'ref!', duration: 'time', tcStart: 'time', tcFormat: counts },
      ...{ audioLayout: ['mono', 'stereo', 'surround'], audioRate: rates },
    },
  },
  spine: { content: /^((asset-clip|gap) )*$/, attributes: { lane: 'text', offset: 'time', name: 'text' } },
  'asset-clip': {
    content: /^(timeMap )?$/,
    attributes: {
      ...inTimeline,
      ...{ ref: 'ref!', duration: 'time', srcEnable: ['all', 'audio', 'video'], format: 'ref' },
      ...{ audioStart: 'time', audioDuration: 'time', tcStart: 'time', tcFormat: counts },
    },
  },
  gap: { content: /^$/, attributes: { ...inTimeline, duration: 'time!' } },
  timeMap: { content: /^(timept )*$/, attributes: { preservesPitch: yes } },
  timept: {
    content: /^$/,
    attributes: { time: 'time!', value: 'time!', interp: ['smooth2', 'linear', 'smooth'] },
  },
};

interface Element {
  name: string;
  attributes: Record<string, string>;
  children: Element[];
}

/** Well-formed XML as elements, without text. */
function parsed(text: string): Element {
  const top: Element = { name: '', attributes: {}, children: [] };
  const open = [top];
  const parser = new SaxesParser();
  let doctype = '';
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('doctype', (name) => {
    doctype = name.trim();
  });
  parser.on('opentag', ({ name, attributes }: SaxesTagPlain) => {
    const element: Element = { name, attributes, children: [] };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on('text', (characters) => demand(characters.trim() === '', `there is text: ${characters}`));
  parser.on('closetag', () => open.pop());
  parser.write(text).close();
  const [root] = top.children;
  demand(root && doctype === root.name, 'the DOCTYPE names the root');
  return root;
}

/** Throws where an element is not as the DTD has it. */
function validate(root: Element): void {
  const ids = new Set<string>();
  const refs: string[] = [];
  const visit = ({ name, attributes, children }: Element) => {
    const rule = rules[name];
    demand(rule, `there is no element ${name}`);
    demand(rule.content.test(children.map((child) => `${child.name} `).join('')), `the content of ${name}`);
    for (const [key, declared] of Object.entries(rule.attributes)) {
      if (typeof declared === 'string' && declared.endsWith('!'))
        demand(key in attributes, `${name} has ${key}`);
    }
    for (const [key, value] of Object.entries(attributes)) {
      const declared = rule.attributes[key];
      demand(declared, `${name} has no ${key}`);
      if (typeof declared !== 'string') demand(declared.includes(value), `${name} ${key}="${value}"`);
      else if (declared.startsWith('time')) secondsOf(value);
      else if (declared === 'id!') demand(!ids.has(value) && ids.add(value), `the id ${value} twice`);
      else if (declared.startsWith('ref')) refs.push(value);
    }
    for (const child of children) visit(child);
  };
  visit(root);
  for (const ref of refs) demand(ids.has(ref), `nothing has the id ${ref}`);
}

/** `5s` or `1001/30000s`: a numerator of 64 bits and a denominator of 32. */
function secondsOf(text: string): { over: bigint; under: bigint } {
  const [, over, under = '1'] = /^(-?\d+)(?:\/(\d+))?s$/.exec(text) ?? [];
  demand(over !== undefined && BigInt(under) > 0n, `${text} is no time`);
  const time = { over: BigInt(over), under: BigInt(under) };
  demand(BigInt.asIntN(64, time.over) === time.over && time.under < 2n ** 32n, `${text} is too large`);
  return time;
}

export interface Fcpxml {
  name: string;
  counts: string | undefined;
  src: string | undefined;
  events: ReadEvent[];
}

/** `frame` is the duration of a frame as a fraction. */
export function readFcpxml(text: string, frame: readonly [over: number, under: number]): Fcpxml {
  const root = parsed(text);
  validate(root);
  const find = (name: string, within: Element = root): Element => {
    const search = (element: Element): Element | undefined =>
      element.name === name ? element : element.children.map(search).find(Boolean);
    const found = search(within);
    demand(found, `there is no ${name}`);
    return found;
  };
  const frames = (text: string | undefined): number => {
    const { over, under } = secondsOf(text ?? '0s');
    const count = over * BigInt(frame[1]);
    demand(count % (under * BigInt(frame[0])) === 0n, `${text} is not a whole number of frames`);
    return Number(count / (under * BigInt(frame[0])));
  };
  demand(frames(find('format').attributes.frameDuration) === 1, 'the format has the rate');
  const sequence = find('sequence');
  const picture = find('asset').attributes.hasVideo === '1';
  let end = 0;
  const events = find('spine').children.map((child): ReadEvent => {
    const { name, attributes, children } = child;
    const at = frames(attributes.offset);
    demand(at === end, `${name} at ${attributes.offset} does not follow on`);
    end = at + frames(attributes.duration);
    const from = frames(attributes.start);
    if (name === 'gap') return { from, to: from + end - at, at, until: end, shows: 'nothing' };
    const seen = attributes.srcEnable === 'video' ? 'picture' : picture ? 'both' : 'sound';
    const [first, last, ...more] = children[0]?.children ?? [];
    if (!first || !last) return { from, to: from + end - at, at, until: end, shows: seen };
    demand(
      more.length === 0 && [first, last].every((point) => point.attributes.interp === 'linear'),
      'one speed',
    );
    demand(
      frames(first.attributes.time) === from && frames(last.attributes.time) === from + end - at,
      'the whole clip',
    );
    return {
      from: frames(first.attributes.value),
      to: frames(last.attributes.value),
      at,
      until: end,
      shows: seen,
    };
  });
  demand(frames(sequence.attributes.duration) === end, 'the sequence lasts as long as its spine');
  const longest = Math.max(0, ...events.map((event) => (event.shows === 'nothing' ? 0 : event.to)));
  demand(longest <= frames(find('asset').attributes.duration), 'the asset has these frames');
  return {
    name: find('project').attributes.name ?? '',
    counts: sequence.attributes.tcFormat,
    src: find('media-rep').attributes.src,
    events,
  };
}

import type { Service } from '../../harness.ts';

export interface Mail {
  to: string;
  subject: string;
  text: string;
}

let addresses = 0;

/** As much of a service as a browser needs. */
type Reached = Pick<Service, 'url' | 'request'>;

/** A browser without script: cookies, forms as they stand in pages, and an address of its own. */
export class Browser {
  readonly cookies = new Map<string, string>();
  /** The page that was opened last. */
  text = '';
  private readonly address = `203.0.113.${++addresses % 250}`;
  private readonly service: Reached;

  private readonly origin: string;

  /** `origin`: the service as this browser knows it, where that differs from the address it listens on. */
  constructor(service: Reached, origin: string = service.url.origin) {
    this.service = service;
    this.origin = origin;
  }

  /** Sends a request as a browser does, and keeps the cookies of the response. Redirects are not followed. */
  async send(path: string, init: { method?: string; body?: string; headers?: Record<string, string> } = {}) {
    const response = await this.service.request(path, {
      redirect: 'manual',
      ...init,
      headers: {
        'cf-connecting-ip': this.address,
        'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
        ...(this.cookies.size === 0
          ? {}
          : { cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ') }),
        ...init.headers,
      },
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const [name = '', value = ''] = pair.split('=');
      if (/max-age=0/i.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return response;
  }

  /** Opens a page and follows redirects. */
  async open(path: string): Promise<{ status: number; path: string }> {
    let response = await this.send(path);
    let at = path;
    for (let hops = 0; response.status === 303 && hops < 5; hops++) {
      at = response.headers.get('location') ?? '';
      response = await this.send(at);
    }
    this.text = await response.text();
    return { status: response.status, path: at };
  }

  /** The token of the forms of the last page. */
  get formToken(): string {
    return /name="form_token" value="([^"]*)"/.exec(this.text)?.[1] ?? '';
  }

  /** What a form of the last page sends without being asked, but for its token. */
  hidden(path: string): Record<string, string> {
    const form = this.text.split('<form').find((text) => text.includes(`action="${path}"`)) ?? '';
    const [own = ''] = form.split('</form>');
    const fields = own.matchAll(/<input type="hidden" name="(?!form_token)([^"]*)" value="([^"]*)"/g);
    return Object.fromEntries([...fields].map(([, name = '', value = '']) => [name, value]));
  }

  /** Posts a form of the last page. */
  async post(path: string, fields: Record<string, string> = {}, headers: Record<string, string> = {}) {
    return this.send(path, {
      method: 'POST',
      body: new URLSearchParams({ form_token: this.formToken, ...fields }).toString(),
      headers: {
        origin: this.origin,
        'content-type': 'application/x-www-form-urlencoded',
        ...headers,
      },
    });
  }

  /** Posts a form and opens the page that it leads to. */
  async submit(path: string, fields: Record<string, string> = {}): Promise<{ status: number; path: string }> {
    const response = await this.post(path, fields);
    if (response.status === 303) return this.open(response.headers.get('location') ?? '');
    this.text = await response.text();
    return { status: response.status, path };
  }
}

/** Signs in by code; the first time, this creates the person. */
export async function signIn(service: Service, browser: Browser, email: string) {
  await browser.open('/app/sign-in');
  await browser.submit('/app/sign-in', { email });
  const { code } = secretsIn(await mailTo(service, email));
  return browser.submit('/app/sign-in/code', { code });
}

/** What mails say, by the key of each, which is of this mail alone: every sign-in of a test looks through all of them. */
const read = new WeakMap<Service, Map<string, Mail>>();

/** All mails to an address, newest first, without waiting. */
export async function mailsTo(service: Service, email: string): Promise<Mail[]> {
  const { FILES } = (await service.bindings()) as unknown as {
    FILES: {
      list(options: { prefix: string }): Promise<{ objects: { key: string }[] }>;
      get(key: string): Promise<{ text(): Promise<string> } | null>;
    };
  };
  const known = read.get(service) ?? new Map<string, Mail>();
  read.set(service, known);
  const { objects } = await FILES.list({ prefix: 'outbox/' });
  const keys = objects
    .map(({ key }) => key)
    .sort()
    .reverse();
  const mailOf = async (key: string): Promise<Mail> => {
    const mail = known.get(key) ?? (JSON.parse((await (await FILES.get(key))?.text()) ?? '{}') as Mail);
    known.set(key, mail);
    return mail;
  };
  const mails = await Promise.all(keys.map(mailOf));
  return mails.filter(({ to }) => to === email);
}

const seen = new WeakMap<Service, Map<string, number>>();

/** Waits for the next mail to an address that has not been asked for yet. */
export async function mailTo(service: Service, email: string): Promise<Mail> {
  const counts = seen.get(service) ?? new Map<string, number>();
  seen.set(service, counts);
  const known = counts.get(email) ?? 0;
  for (let tries = 0; tries < 200; tries++) {
    const mails = await mailsTo(service, email);
    if (mails.length > known) {
      counts.set(email, known + 1);
      return mails.at(-1 - known) as Mail;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`no mail to ${email}`);
}

export function secretsIn({ text }: Mail): { code: string; link: string } {
  return {
    code: /\b\d{6}\b/.exec(text)?.[0] ?? '',
    link: /https?:\/\/\S+\/app\/sign-in\/link\?token=[\w-]+/.exec(text)?.[0] ?? '',
  };
}

export const tokenIn = (link: string) => new URL(link).searchParams.get('token') ?? '';

/** Asks for a code and waits for its mail. */
export async function askForCode(service: Service, email: string, browser: Browser, next: string) {
  await browser.open('/app/sign-in');
  const { path } = await browser.submit('/app/sign-in', { email, next });
  if (!path.startsWith('/app/sign-in/code')) throw new Error(`${email} was not asked for a code`);
  return { browser, ...secretsIn(await mailTo(service, email)) };
}
